"""The cheapest choice of one option per gate under an error budget and, if asked, an assurance; proved so.

With multipliers (error, assurance) >= 0 the reduced cost of an option is cost + error * charge + assurance *
shortfall, and

bound = sum over gates of the least reduced cost - error * budget - assurance * allowance

is a lower bound on the cost of every feasible choice (Lagrange). The reduced costs of a feasible choice of
cost C exceed the least ones by at most C - bound in total. So a search over total excesses up to `gap` meets
every choice of cost up to bound + gap, and the cheapest of those is optimal; the gap doubles until there is
one. Reduced costs are floats; `_SLACK`, far above their rounding, keeps the search complete.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

_SLACK = 1e-9


class Option(NamedTuple):
    """One design of one gate.

    cost, in whole units; price, in budget units rounded up; charge, the same unrounded; shortfall, -ln(power)
    >= 0.
    """

    n: int
    cost: int
    price: int
    charge: float
    shortfall: float = 0.0


class Multipliers(NamedTuple):
    """The worth, in cost, of one budget unit and of one unit of shortfall."""

    error: float
    assurance: float = 0.0

    def reduced_cost(self, option: Option) -> float:
        return option.cost + self.error * option.charge + self.assurance * option.shortfall


class Limits(NamedTuple):
    """What a feasible choice may use in total: price, exactly, and shortfall, within the slack."""

    budget: int
    allowance: float = 0.0


class Curve(Protocol):
    """The designs of one gate."""

    #: What one unit of n costs.
    cost: int

    def best(self, rates: Multipliers) -> Option:
        """The option of least reduced cost."""
        ...

    def menu(self, rates: Multipliers, gap: float) -> list[Option]:
        """Every option whose reduced cost exceeds the least by at most `gap`."""
        ...


Choice = tuple[Option, ...]


def solve(
    curves: Sequence[Curve],
    limits: Limits,
    rates: Multipliers,
    accept: Callable[[Choice], bool] = lambda choice: True,
    most: float = float("inf"),
) -> Choice | None:
    """The cheapest feasible choice, or None when it costs more than bound + `most`.

    Among equal costs the least shortfall wins, then the least price. `accept` decides what floats cannot,
    such as an exact assurance. Without `most` some feasible choice must exist.
    """
    gap = 1.0
    while gap <= most:
        search = _Search([curve.menu(rates, gap) for curve in curves], limits, rates, gap, accept)
        search.extend((), 0.0, 0, 0.0)
        if search.best is not None:
            return search.best
        gap *= 2
    return None


def lower_bound(curves: Sequence[Curve], limits: Limits, rates: Multipliers) -> float:
    """The Lagrange bound on the cost of every feasible choice."""
    least = sum(rates.reduced_cost(curve.best(rates)) for curve in curves)
    return least - rates.error * limits.budget - rates.assurance * limits.allowance


class _Search:
    """Depth-first search over the menus, each sorted by its excess over the least reduced cost."""

    def __init__(
        self,
        menus: Sequence[Sequence[Option]],
        limits: Limits,
        rates: Multipliers,
        gap: float,
        accept: Callable[[Choice], bool],
    ) -> None:
        ranked = [sorted((rates.reduced_cost(option), option) for option in menu) for menu in menus]
        least = [menu[0][0] for menu in ranked]
        self.menus = [[(worth - menu[0][0], option) for worth, option in menu] for menu in ranked]
        self.limits = limits
        self.slack = _SLACK * (1 + sum(map(abs, least)))
        self.bound = sum(least) - rates.error * limits.budget - rates.assurance * limits.allowance
        self.gap = gap + self.slack
        self.accept = accept
        self.best: Choice | None = None
        self.rank: tuple[float, float, int] = (self.bound + self.gap, float("inf"), 0)

    def extend(self, chosen: Choice, excess: float, price: int, shortfall: float) -> None:
        """Try every option of the next gate that keeps the choice within the gap and the limits."""
        if len(chosen) == len(self.menus):
            self._consider(chosen, price, shortfall)
            return
        for extra, option in self.menus[len(chosen)]:
            if excess + extra > self.gap:
                return
            spent, short = price + option.price, shortfall + option.shortfall
            if spent <= self.limits.budget and short <= self.limits.allowance + _SLACK:
                self.extend((*chosen, option), excess + extra, spent, short)

    def _consider(self, choice: Choice, price: int, shortfall: float) -> None:
        rank = sum(option.cost for option in choice), shortfall, price
        if rank < self.rank and self.accept(choice):
            self.best, self.rank = choice, rank
            self.gap = min(self.gap, rank[0] - self.bound + self.slack)
