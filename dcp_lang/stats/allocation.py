"""The error budget shared among the gates: the sizes and alphas that cost least, optimal over the integers.

Minimise sum cost_g n_g subject to sum price_g(n_g) <= budget, with prices rounded up to the decimals alphas
are written in. The search and its proof are in `solver`.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import ceil, floor, lcm
from typing import NamedTuple

from dcp_lang.stats.menus import MenuCurve
from dcp_lang.stats.multipliers import error_multiplier
from dcp_lang.stats.planning import MAX_N
from dcp_lang.stats.prices import Price
from dcp_lang.stats.search import least_true
from dcp_lang.stats.solver import Curve, Limits, Multipliers, Option, lower_bound, solve

#: Alphas are written with at most this many decimals; a budget unit is one in the last of them.
PLACES = 12
SCALE = 10**PLACES


class Gate(NamedTuple):
    """A gate: its price, the cost > 0 of one unit (a pair is two sessions), a ceiling on n."""

    price: Price
    cost: Fraction
    at_most: int = MAX_N


class Allocation(NamedTuple):
    """An explicit allocation: alphas[g] >= prices[g]; all alphas, the fixed ones too, sum to <= the total.

    `prices` are rounded up. `bound` is the proved lower bound on the cost of any allocation, rounded down;
    `spare` is what the alphas leave of the total.
    """

    sizes: dict[str, int]
    alphas: dict[str, Fraction]
    prices: dict[str, Fraction]
    cost: Fraction
    bound: Fraction
    spare: Fraction


def allocate(
    total: Fraction, gates: Mapping[str, Gate], fixed: Mapping[str, Fraction] | None = None
) -> Allocation | None:
    """The cheapest allocation of `total`, 0 < total < 1/2, or None when no sizes fit.

    `fixed` are the alphas of gates that take a token share; they come off the total first. Among equal costs
    the one that spends the least error is chosen.
    """
    fixed = dict(fixed or {})
    available = total - sum(fixed.values())
    limits = Limits(floor(available * SCALE))
    unit = lcm(*(gate.cost.denominator for gate in gates.values()))
    priced = [_Prices(gate, int(gate.cost * unit), limits.budget) for gate in gates.values()]
    if sum(prices.price(prices.high) for prices in priced) > limits.budget:
        return None
    curves = [prices.curve() for prices in priced]
    start = sum(prices.cost * prices.low for prices in priced) / limits.budget
    rates = error_multiplier(curves, limits, start)
    chosen = dict(zip(gates, solve(curves, limits, rates) or (), strict=True))
    prices = {name: Fraction(option.price, SCALE) for name, option in chosen.items()}
    alphas = fixed | shortest_alphas(prices, available)
    return Allocation(
        {name: option.n for name, option in chosen.items()},
        alphas,
        prices,
        Fraction(sum(option.cost for option in chosen.values()), unit),
        Fraction(floor(lower_bound(curves, limits, rates) * 10**6), unit * 10**6),
        total - sum(alphas.values()),
    )


def shortest_alphas(prices: Mapping[str, Fraction], available: Fraction) -> dict[str, Fraction]:
    """The prices rounded up to the fewest common decimals whose sum still fits; at most `PLACES`."""
    for places in range(1, PLACES):
        alphas = {name: Fraction(ceil(price * 10**places), 10**places) for name, price in prices.items()}
        if sum(alphas.values()) <= available:
            return alphas
    return dict(prices)


class _Prices:
    """One gate in integer costs and budget units, with the sizes that can pass: [low, high]."""

    def __init__(self, gate: Gate, cost: int, budget: int) -> None:
        self.cost = cost
        self.is_convex = gate.price.is_convex
        self.price: Callable[[int], int] = cache(lambda n: gate.price.units(n, SCALE))
        self.charge: Callable[[int], float] = cache(lambda n: gate.price.estimate(n) * SCALE)
        self.low = self.high = gate.at_most
        if self.price(self.high) <= budget:
            first = min(gate.price.first_n, self.high)
            self.low = least_true(lambda n: self.price(n) <= budget, first, self.high, first)

    def option(self, n: int) -> Option:
        return Option(n, self.cost * n, self.price(n), self.charge(n))

    def curve(self) -> Curve:
        if self.is_convex:
            return _ConvexCurve(self)
        return MenuCurve(lambda n: [self.option(n)], self.cost, self.low, self.high)


class _ConvexCurve:
    """Prices that fall in ever smaller steps: the best n is found by bisection, its neighbours by walking."""

    def __init__(self, prices: _Prices) -> None:
        self.prices = prices
        self.cost = prices.cost
        self.start = prices.low

    def best(self, rates: Multipliers) -> Option:
        """The first n whose next step costs more than it saves."""
        prices = self.prices

        def is_enough(n: int) -> bool:
            return n == prices.high or rates.error * (prices.charge(n) - prices.charge(n + 1)) <= prices.cost

        self.start = least_true(is_enough, prices.low, prices.high, self.start)
        return prices.option(self.start)

    def menu(self, rates: Multipliers, gap: float) -> list[Option]:
        """Every option whose reduced cost exceeds the least by at most `gap`."""
        centre = self.best(rates)
        ceiling = rates.reduced_cost(centre) + gap
        below, above = (self._walk(centre.n, step, rates, ceiling) for step in (-1, 1))
        return [*below, centre, *above]

    def _walk(self, n: int, step: int, rates: Multipliers, ceiling: float) -> list[Option]:
        """The options beyond n in one direction, while their reduced cost is within the ceiling."""
        found: list[Option] = []
        while self.prices.low <= n + step <= self.prices.high:
            n += step
            option = self.prices.option(n)
            if rates.reduced_cost(option) > ceiling:
                break
            found.append(option)
        return found
