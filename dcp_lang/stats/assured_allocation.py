"""The cheapest design that reaches an assurance under the expected truth, with the alphas free.

The search is that of `solver`, with a multiplier for the error budget and one for the assurance. Prices and
powers are floats in it, and one budget unit is added to every price. A candidate's assurance is decided exactly before
it is accepted.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor, lcm, log
from typing import NamedTuple

from dcp_lang.stats.allocation import SCALE, shortest_alphas
from dcp_lang.stats.audit import Design, Thresholds, Truth, assurance, assurance_bounds, assurance_reaches
from dcp_lang.stats.estimate import natural_log
from dcp_lang.stats.exact import EXACT_UP_TO
from dcp_lang.stats.menus import MenuCurve
from dcp_lang.stats.multipliers import both_multipliers
from dcp_lang.stats.offers import Offers, offers_by_gate
from dcp_lang.stats.planning import MAX_N
from dcp_lang.stats.search import least_true
from dcp_lang.stats.solver import Choice, Curve, Limits, Multipliers, Option, lower_bound, solve

#: The search gives up when a design costs this much more than its lower bound, in units of the dearest gate.
_MOST_GAP = 512


class AssuredAllocation(NamedTuple):
    """An explicit allocation with its assurance under the expected truth (see `allocation`).

    The assurance is exact up to `EXACT_UP_TO` units of a gate; beyond, rounded down by less than 10**-19.
    """

    design: Design
    cost: Fraction
    bound: Fraction
    spare: Fraction
    assurance: Fraction


def allocate_assured(
    total: Fraction,
    thresholds: Thresholds,
    truth: Truth,
    target: Fraction,
    costs: Mapping[str, Fraction],
    fixed: Mapping[str, Fraction] | None = None,
) -> AssuredAllocation | None:
    """The cheapest sizes and alphas of the gates in `costs` with assurance >= target, 0 < target < 1.

    `costs` gives the cost of one unit of each gate (recovery, adequacy, evidence, sham; a pair is two
    sessions), `fixed` the alphas of gates that take a token share. None when the truth does not clear a
    threshold, when p_B is so large that even the fewest challengers miss the target, or when the sizes leave
    the range of the search.
    """
    fixed = dict(fixed or {})
    available = total - sum(fixed.values())
    if available <= 0 or not clears(thresholds, truth, costs):
        return None
    units, unit = whole(costs)
    limits = Limits(floor(available * SCALE), -natural_log(target))
    offers = offers_by_gate(thresholds, truth)
    curves = {name: _trade_curve(offers[name], cost, limits.budget) for name, cost in units.items()}
    if misses(curves, limits):
        return None

    def design(choice: Choice) -> Design:
        prices = {name: Fraction(option.price, SCALE) for name, option in zip(costs, choice, strict=True)}
        return Design(sizes_of(costs, choice), fixed | shortest_alphas(prices, available))

    least_cost = sum(curve.cost * curve.low for curve in curves.values())
    start = Multipliers(least_cost / limits.budget, 10.0 * unit)
    rates = both_multipliers(list(curves.values()), limits, start)
    return Search(curves, limits, rates, design, thresholds, truth, target).run(unit, total)


class Search(NamedTuple):
    """A search over the curves whose result is certified by the exact assurance of `design`."""

    curves: Mapping[str, Curve]
    limits: Limits
    rates: Multipliers
    design: Callable[[Choice], Design]
    thresholds: Thresholds
    truth: Truth
    target: Fraction

    def run(self, unit: int, total: Fraction) -> AssuredAllocation | None:
        curves = list(self.curves.values())
        most = _MOST_GAP * max(curve.cost for curve in curves)
        choice = solve(curves, self.limits, self.rates, self._accept, most)
        if choice is None:
            return None
        found = self.design(choice)
        return AssuredAllocation(
            found,
            Fraction(sum(option.cost for option in choice), unit),
            Fraction(floor(lower_bound(curves, self.limits, self.rates) * 10**6), unit * 10**6),
            total - sum(found.alphas.values()),
            self._assurance(found),
        )

    def _accept(self, choice: Choice) -> bool:
        return assurance_reaches(self.design(choice), self.thresholds, self.truth, self.target)

    def _assurance(self, design: Design) -> Fraction:
        if max(design.sizes.values()) > EXACT_UP_TO:
            return assurance_bounds(design, self.thresholds, self.truth)[0]
        return assurance(design, self.thresholds, self.truth)


def clears(thresholds: Thresholds, truth: Truth, gates: Mapping[str, Fraction]) -> bool:
    """Whether the truth is strictly better than what each gate asks, so that power tends to 1 with n."""
    evidence = truth.p10 - truth.p01 > thresholds.margin or "evidence" not in gates
    sham = max(truth.null_p10, truth.null_p01) < thresholds.band or "sham" not in gates
    return truth.hit_rate < thresholds.rho and truth.recall > thresholds.minimum and evidence and sham


def misses(curves: Mapping[str, MenuCurve], limits: Limits) -> bool:
    """Whether the zero-hit gate alone misses the target with its fewest episodes; more only lower its power."""
    recovery = curves.get("recovery")
    return recovery is not None and recovery.options(recovery.low)[0].shortfall >= limits.allowance > 0


def whole(costs: Mapping[str, Fraction]) -> tuple[dict[str, int], int]:
    """The costs as whole numbers, and how many of those make one."""
    unit = lcm(*(cost.denominator for cost in costs.values()))
    return {name: int(cost * unit) for name, cost in costs.items()}, unit


def sizes_of(gates: Mapping[str, Fraction], choice: Choice) -> dict[str, int]:
    return {name: option.n for name, option in zip(gates, choice, strict=True)}


def _trade_curve(offers: Offers, cost: int, budget: int) -> MenuCurve:
    """The offers of one gate in budget units, from the least n that has any."""

    def options(n: int) -> list[Option]:
        return [
            Option(n, cost * n, ceil(price * SCALE) + 1, price * SCALE, -log(power))
            for price, power in offers(n, (budget - 1) / SCALE)
            if power > 0
        ]

    return MenuCurve(options, cost, least_true(lambda n: bool(options(n)), 1, MAX_N, 1))
