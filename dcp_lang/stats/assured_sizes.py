"""The cheapest sizes that reach an assurance under the expected truth, at alphas that are given.

The search is that of `solver`, with a multiplier for the assurance alone. Powers are floats in it; a candidate's
assurance is decided exactly before it is accepted.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import log, log1p, sqrt
from typing import NamedTuple

from dcp_lang.stats.assurance import (
    AssuredN,
    assured_null_pairs,
    assured_pairs,
    assured_positive_controls,
    more_discordant,
)
from dcp_lang.stats.assured_allocation import AssuredAllocation, Search, clears, sizes_of, whole
from dcp_lang.stats.audit import Design, Thresholds, Truth
from dcp_lang.stats.estimate import natural_log
from dcp_lang.stats.menus import MenuCurve
from dcp_lang.stats.multipliers import assurance_multiplier
from dcp_lang.stats.planning import least_episodes
from dcp_lang.stats.power import ROWS_OF_A_START, region_ceiling
from dcp_lang.stats.power_curves import BlockCurve, ToothCurve
from dcp_lang.stats.regions import feedback_outcomes, null_outcomes
from dcp_lang.stats.search import Effort, EffortError
from dcp_lang.stats.solver import Curve, Limits, Multipliers, Option
from dcp_lang.stats.teeth import teeth

#: What the search may take, in rows of regions and in teeth.
_STEPS = 6500
#: About how many regions one gate takes, of which every row within five standard deviations is visited.
_REGIONS = 120
#: Powers of sizes and of blocks of them are certain to this many bits.
_FINE, _COARSE = 24, 12


def assured_sizes(
    alphas: Mapping[str, Fraction],
    thresholds: Thresholds,
    truth: Truth,
    target: Fraction,
    costs: Mapping[str, Fraction],
) -> AssuredAllocation | None:
    """The cheapest sizes of the gates in `costs` at these alphas with assurance >= target, 0 < target < 1.

    They lie on peaks of the saw-teeth and hold for exactly these sizes; `spare` is 0. None as in
    `allocate_assured`. Raises `EffortError` when the search would take too long, or leave the range of sizes.
    """
    if not clears(thresholds, truth, costs):
        return None
    units, unit = whole(costs)
    limits, effort = Limits(len(costs), -natural_log(target)), Effort(_STEPS)
    curves = {
        name: _CURVES[name](_Gate(cost, alphas[name], thresholds, truth, target, effort))
        for name, cost in units.items()
    }
    if "recovery" in curves and curves["recovery"].best(Multipliers(0.0)).shortfall >= limits.allowance > 0:
        return None
    smooth = [curve.smooth if isinstance(curve, BlockCurve) else curve for curve in curves.values()]
    rates = assurance_multiplier(smooth, limits, 10.0 * unit)
    spent = sum(alphas.values(), start=Fraction(0))
    search = Search(
        curves,
        limits,
        rates,
        lambda choice: Design(sizes_of(costs, choice), alphas),
        thresholds,
        truth,
        target,
    )
    return search.run(unit, spent)


class _Gate(NamedTuple):
    """What a curve is made of; `thresholds` and `truth` are those of all gates."""

    cost: int
    alpha: Fraction
    thresholds: Thresholds
    truth: Truth
    target: Fraction
    effort: Effort


def _recovery(gate: _Gate) -> Curve:
    """One size: with more challengers than the least number power only falls."""
    least, hit_rate = least_episodes(gate.alpha, gate.thresholds.rho), float(gate.truth.hit_rate)
    if least is None:
        raise EffortError
    return MenuCurve(
        lambda n: [Option(n, gate.cost * n, 0, 0.0, -n * log1p(-hit_rate))], gate.cost, least, least
    )


def _adequacy(gate: _Gate) -> Curve:
    rule = gate.alpha, gate.thresholds.minimum, gate.truth.recall
    first = _first(assured_positive_controls(*rule, gate.target))
    return ToothCurve(gate.cost, first, teeth(*rule), gate.effort)


def _evidence(gate: _Gate) -> Curve:
    alpha, margin, p10, p01 = gate.alpha, gate.thresholds.margin, gate.truth.p10, gate.truth.p01
    first = _first(assured_pairs(alpha, margin, p10, p01, gate.target))
    gate.effort.foresee(_REGIONS * _rows(first, p01))

    def shortfall(tolerant: int, n: int, close: int) -> float:
        row = partial(feedback_outcomes(tolerant, alpha, margin).row, trials=n)
        return -log(region_ceiling(n, row, p10, p01, close, gate.effort))

    return BlockCurve(
        gate.cost, first, lambda n: shortfall(n, n, _FINE), lambda a, b: shortfall(b, a, _COARSE)
    )


def _sham(gate: _Gate) -> Curve:
    alpha, band, p10, p01 = gate.alpha, gate.thresholds.band, gate.truth.null_p10, gate.truth.null_p01
    first = _first(assured_null_pairs(alpha, band, p10, p01, gate.target))
    gate.effort.foresee(_REGIONS * _rows(first, p01))

    def shortfall(n: int) -> float:
        return -log(region_ceiling(n, null_outcomes(n, alpha, band).row, p10, p01, _FINE, gate.effort))

    def floor(a: int, b: int) -> float:
        more, chance = more_discordant(b - a, max(p10, p01), (1 - gate.target) / 64)
        row = partial(null_outcomes(b, alpha, band, a).row, trials=a, shift=more)
        return -log(min(region_ceiling(a, row, p10, p01, _COARSE, gate.effort) + float(chance), 1.0))

    return BlockCurve(gate.cost, first, shortfall, floor)


def _rows(n: int, p01: Fraction) -> int:
    """About the steps of one region of n pairs."""
    return ROWS_OF_A_START + round(10 * sqrt(n * p01 * (1 - p01)))


def _first(found: AssuredN | None) -> int:
    """The least size with the whole target as its power, as no design has a smaller one, for a gate that can pass."""
    if found is None or found.first is None:
        raise EffortError
    return found.first


_CURVES: dict[str, Callable[[_Gate], Curve]] = {
    "recovery": _recovery,
    "adequacy": _adequacy,
    "evidence": _evidence,
    "sham": _sham,
}
