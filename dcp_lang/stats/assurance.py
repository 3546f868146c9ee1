"""Sample sizes with an assurance: the first n whose power reaches a target, and the safe n above the last miss.

Power is saw-toothed in n: it drops while the tolerance stands and jumps when one more loss becomes tolerable,
so the first n and the safe n differ. Positive controls are walked tooth by tooth. For pairs whole blocks [a, b] of n
are excluded: the losses of b trials dominate those of a trials, and an outcome that passes at a passes with the same
losses at b. Beyond a horizon Hoeffding's inequality keeps power above the target for every n, which ends the search
for the safe n.

The zero-hit gate has no safe n for p_B > 0, since its power (1 - p_B)**n falls for ever: use its least n
exactly.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from math import ceil, sqrt
from typing import NamedTuple

from dcp_lang.stats.estimate import natural_log
from dcp_lang.stats.exact import lower_tail_at_most, lower_tail_bounds
from dcp_lang.stats.planning import MAX_N, least_null_pairs, least_pairs, least_positive_controls
from dcp_lang.stats.power import adequacy_power_bounds, region_reaches
from dcp_lang.stats.regions import feedback_outcomes, null_outcomes
from dcp_lang.stats.search import Effort, EffortError, first_left, last_left, least_true
from dcp_lang.stats.teeth import teeth

#: What the search of a first or a safe size may take, in rows of regions or in teeth: about half a second.
_ROWS, _TEETH = 1900, 15_000


class AssuredN(NamedTuple):
    """Where power reaches a target; None where the search was given up, as it would take too long.

    first: least n with power >= target. safe: least n from which every larger n has it. horizon: where Hoeffding's
    inequality takes over.
    """

    first: int | None
    safe: int | None
    horizon: int


class _Rule(NamedTuple):
    """One gate under one truth.

    falls_short(a, b) proves power < target on [a, b], suffices(a, b) proves power >= target on it; both are exact when
    a = b.
    """

    least: int | None
    horizon: float
    falls_short: Callable[[int, int, Effort], bool]
    suffices: Callable[[int, int, Effort], bool]


@lru_cache(maxsize=64)
def assured_positive_controls(
    alpha: Fraction, minimum: Fraction, recall: Fraction, target: Fraction
) -> AssuredN | None:
    """First and safe n of positive controls for a true recall; None when recall <= minimum or beyond MAX_N.

    Hoeffding: x/n >= minimum + sqrt(ln(1/alpha)/(2n)) passes, and x/n >= recall - sqrt(ln(1/(1-target))/(2n))
    with probability >= target.
    """
    spread = sqrt(-natural_log(alpha)) + sqrt(-natural_log(1 - target))
    least, most = least_positive_controls(alpha, minimum), _horizon(spread, recall - minimum, 0.5)
    if least is None or most > MAX_N:
        return None
    horizon, first, safe = max(ceil(most), least), None, least
    reachable = int(_TEETH / (1 - minimum))
    if horizon > reachable and adequacy_power_bounds(reachable, alpha, minimum, recall)[0] < target:
        return AssuredN(None, None, horizon)
    effort = Effort(_TEETH)
    try:
        for tooth in teeth(alpha, minimum, recall):
            effort.spend()
            if first is None and tooth.reaches(tooth.first, target):
                first = tooth.first
            if not tooth.reaches(tooth.last, target):
                safe = tooth.last + 1
            if tooth.last >= horizon:
                return AssuredN(first, safe, horizon)
    except EffortError:
        pass
    return AssuredN(first, None, horizon)


@lru_cache(maxsize=64)
def assured_pairs(
    alpha: Fraction, margin: Fraction, p10: Fraction, p01: Fraction, target: Fraction
) -> AssuredN | None:
    """First and safe n of feedback pairs for true discordance probabilities; None when p10 - p01 <= margin.

    Hoeffding: the paired limit is >= (n10 - n01)/n - 2 sqrt(ln(4/alpha)/(2n)), and differences lie in [-1,
    1].
    """

    def reaches(tolerant: int, n: int, effort: Effort) -> bool:
        row = partial(feedback_outcomes(tolerant, alpha, margin).row, trials=n)
        return region_reaches(n, row, p10, p01, target, effort)

    def suffices(a: int, b: int, effort: Effort) -> bool:
        half = (1 + target) / 2
        lost, reversed_ = _quantile(b, 1 - p10, half), _quantile(b, p01, half)
        return lost <= feedback_outcomes(a, alpha, margin).lost(reversed_) or reaches(a, b, effort)

    spread = sqrt(natural_log(4 / alpha)) + sqrt(-natural_log(1 - target))
    horizon = _horizon(spread, p10 - p01 - margin, 2.0)
    return _assured(
        _Rule(least_pairs(alpha, margin), horizon, lambda a, b, effort: not reaches(b, a, effort), suffices)
    )


@lru_cache(maxsize=64)
def assured_null_pairs(
    alpha: Fraction, band: Fraction, p10: Fraction, p01: Fraction, target: Fraction
) -> AssuredN | None:
    """First and safe n of null pairs for true discordance probabilities.

    None when one of them reaches the band.

    The outcome of b pairs is that of a pairs and some more discordant ones each way, rarely more than `more`; and the
    region of every n in [a, b] lies between two that `NullRegion` knows. Hoeffding is applied to the box, one side
    each: n10 and n01 <= k pass when pU(k) <= band.
    """
    rare = (1 - target) / 8

    def reaches(n: int, upper: int, lower: int, shift: int, goal: Fraction, effort: Effort) -> bool:
        row = partial(null_outcomes(upper, alpha, band, lower).row, trials=n, shift=shift)
        return 0 < goal < 1 and region_reaches(n, row, p10, p01, goal, effort)

    def falls_short(a: int, b: int, effort: Effort) -> bool:
        if _one_sided(null_outcomes(b, alpha, band, a).greatest, a, b):
            return True
        more, chance = more_discordant(b - a, max(p10, p01), rare)
        return target > chance and not reaches(a, b, a, more, target - chance, effort)

    def _one_sided(greatest: Callable[[int], int], a: int, b: int) -> bool:
        """n01 <= k but for a quarter of the target, and n10 is within what k allows with less than the rest."""
        most = greatest(_quantile(b, p01, 1 - target / 4))
        return most < 0 or not _within(a, most, p10, 3 * target / 4)

    def suffices(a: int, b: int, effort: Effort) -> bool:
        outer = (3 + target) / 4
        low = min(a - _quantile(a, 1 - rate, outer) for rate in (p10, p01))
        high = max(_quantile(b, rate, outer) for rate in (p10, p01))
        if high <= null_outcomes(a, alpha, band, b).greatest(max(low, 0)):
            return True
        more, chance = more_discordant(b - a, max(p10, p01), rare)
        return reaches(b, a, b, -more, target + chance, effort)

    spread = sqrt(natural_log(4 / alpha)) + sqrt(-natural_log((1 - target) / 2))
    least = least_null_pairs(alpha, band)
    return _assured(_Rule(least, _horizon(spread, band - max(p10, p01), 0.5), falls_short, suffices))


def _assured(rule: _Rule) -> AssuredN | None:
    if rule.least is None or rule.horizon > MAX_N:
        return None
    horizon = max(ceil(rule.horizon), rule.least)
    first = safe = None
    try:
        effort = Effort(_ROWS)
        first = first_left(rule.least, horizon, lambda a, b: rule.falls_short(a, b, effort)) or horizon
        effort = Effort(_ROWS)
        failing = last_left(rule.least, horizon, lambda a, b: rule.suffices(a, b, effort))
        safe = rule.least if failing is None else failing + 1
    except EffortError:
        pass
    return AssuredN(first, safe, horizon)


def _horizon(spread: float, distance: Fraction, factor: float) -> float:
    """factor (spread / distance)**2, one percent up to cover rounding; infinite without a distance."""
    return 1.01 * factor * (spread / float(distance)) ** 2 + 1 if distance > 0 else float("inf")


def _within(n: int, most: int, rate: Fraction, target: Fraction) -> bool:
    """Whether Pr(Bin(n, rate) <= most) >= target, decided on the complementary tail."""
    return lower_tail_at_most(n, n - most - 1, 1 - rate, 1 - target)


def _quantile(n: int, rate: Fraction, probability: Fraction) -> int:
    """The least k with Pr(Bin(n, rate) <= k) >= probability."""
    guess = float(rate) * n + 2 * sqrt(n * float(rate * (1 - rate)))
    return least_true(lambda k: _within(n, k, rate, probability), 0, n, ceil(guess))


def more_discordant(n: int, rate: Fraction, rare: Fraction) -> tuple[int, Fraction]:
    """(more, chance): Pr(Bin(n, rate) > more) for both directions together is at most chance, itself at most `rare`."""
    if n == 0:
        return 0, Fraction(0)
    more = _quantile(n, rate, 1 - rare / 2)
    return more, 2 * (1 - lower_tail_bounds(n, more, rate)[0])
