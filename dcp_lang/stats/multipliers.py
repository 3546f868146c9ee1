"""Multipliers for `solver`: where the Lagrange bound is highest, found by bisection.

The bound is concave in the multipliers, and its slope in each is what the best options use of that resource
minus its limit. Any multipliers give a valid bound; good ones keep the search small.
"""

from collections.abc import Callable, Sequence
from math import sqrt

from dcp_lang.stats.solver import Curve, Limits, Multipliers, lower_bound

_STEPS = 12
#: How far from the first guess a multiplier is looked for; one this small no longer lowers the bound.
_REACH = 1e-12


def error_multiplier(
    curves: Sequence[Curve], limits: Limits, start: float, assurance: float = 0.0
) -> Multipliers:
    """The worth of a budget unit for a given worth of shortfall; `start` > 0 is a first guess."""

    def fits(error: float) -> bool:
        rates = Multipliers(error, assurance)
        return sum(curve.best(rates).charge for curve in curves) <= limits.budget

    def bound(error: float) -> float:
        return lower_bound(curves, limits, Multipliers(error, assurance))

    return Multipliers(max(_crossing(fits, start), key=bound), assurance)


def assurance_multiplier(curves: Sequence[Curve], limits: Limits, start: float) -> Multipliers:
    """The worth of a unit of shortfall when no budget is spent."""

    def fits(assurance: float) -> bool:
        rates = Multipliers(0.0, assurance)
        return sum(curve.best(rates).shortfall for curve in curves) <= limits.allowance

    def bound(assurance: float) -> float:
        return lower_bound(curves, limits, Multipliers(0.0, assurance))

    return Multipliers(0.0, max(_crossing(fits, start), key=bound))


def both_multipliers(curves: Sequence[Curve], limits: Limits, start: Multipliers) -> Multipliers:
    """The worth of a budget unit and of a unit of shortfall together."""
    found: dict[float, Multipliers] = {}

    def fits(assurance: float) -> bool:
        guess = start.error if not found else found[max(found)].error
        rates = found[assurance] = error_multiplier(curves, limits, guess, assurance)
        return sum(curve.best(rates).shortfall for curve in curves) <= limits.allowance

    _crossing(fits, start.assurance)
    return max(found.values(), key=lambda rates: lower_bound(curves, limits, rates))


def _crossing(fits: Callable[[float], bool], start: float) -> tuple[float, float]:
    """Neighbours (low, high) around the least value that fits: out from `start`, then bisection."""
    low = high = start
    while low > start * _REACH and fits(low):
        low /= 4
    while high * _REACH < start and not fits(high):
        high *= 4
    for _ in range(_STEPS):
        middle = sqrt(low * high)
        low, high = (low, middle) if fits(middle) else (middle, high)
    return low, high
