"""Exact probabilities that a gate passes under an assumed truth.

Binomial and trinomial sums over the outcomes that pass, as rationals. A gate that cannot pass at the given n
and alpha has power 0.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, comb, floor, isqrt, lcm

from dcp_lang.stats.bounds import zero_failure_bound, zero_failure_reaches
from dcp_lang.stats.cumulative import GUARD
from dcp_lang.stats.exact import (
    EXACT_UP_TO,
    binomial_lower_tail,
    lower_tail_bounds,
    power_bounds,
    power_equals,
)
from dcp_lang.stats.planning import tolerated_failures
from dcp_lang.stats.regions import (
    FeedbackRegion,
    NullRegion,
    feedback_outcomes,
    feedback_region,
    null_outcomes,
    null_region,
)
from dcp_lang.stats.search import Effort
from dcp_lang.stats.trinomial import Row, last_bounds, region_bounds

#: (low, high) around a probability; the same number twice where it is exact.
Bounds = tuple[Fraction, Fraction]
#: The first limits of a region and its first probability take about as long as so many of its rows.
ROWS_OF_A_START = 8
#: Bounds on a region's probability are 2**-_CLOSE apart; with more pairs than this squared rows share edges.
_CLOSE, _FAIR, _MOST_ROWS = 70, 20, 80


def recovery_power(n: int, alpha: Fraction, rho: Fraction, hit_rate: Fraction) -> Fraction:
    """Pr(zero hits in n episodes) = (1 - p_B)**n once n suffices for rho.

    It falls with n: more challengers than the least n only lower an honest claimant's chance.
    """
    return (1 - hit_rate) ** n if zero_failure_reaches(n, alpha, rho) else Fraction(0)


def recovery_power_bounds(n: int, alpha: Fraction, rho: Fraction, hit_rate: Fraction) -> Bounds:
    """`recovery_power`, exact up to `EXACT_UP_TO` episodes, else between bounds less than 10**-20 apart."""
    if n > EXACT_UP_TO and zero_failure_reaches(n, alpha, rho):
        return power_bounds(1 - hit_rate, n)
    exact = recovery_power(n, alpha, rho, hit_rate)
    return exact, exact


def recovery_assurance(n: int, hits: int, misses: int) -> Fraction:
    """E[(1 - p)**n] for p ~ Beta(hits, misses): the product of (misses+j)/(hits+misses+j) over j < n."""
    result = Fraction(1)
    for j in range(n):
        result *= Fraction(misses + j, hits + misses + j)
    return result


def adequacy_power(n: int, alpha: Fraction, minimum: Fraction, recall: Fraction) -> Fraction:
    """Pr(the recall lower bound of n positive controls reaches the minimum)."""
    failures = tolerated_failures(n, alpha, minimum)
    return Fraction(0) if failures is None else binomial_lower_tail(n, failures, 1 - recall)


def adequacy_power_bounds(n: int, alpha: Fraction, minimum: Fraction, recall: Fraction) -> Bounds:
    """`adequacy_power`, exact up to `EXACT_UP_TO` controls, else between bounds less than 10**-20 apart."""
    if n <= EXACT_UP_TO:
        exact = adequacy_power(n, alpha, minimum, recall)
        return exact, exact
    failures = tolerated_failures(n, alpha, minimum)
    return (Fraction(0), Fraction(0)) if failures is None else lower_tail_bounds(n, failures, 1 - recall)


def feedback_power(n: int, alpha: Fraction, margin: Fraction, p10: Fraction, p01: Fraction) -> Fraction:
    """Pr(the lower paired limit of n feedback pairs reaches the margin); p10 + p01 <= 1."""
    return region_probability(n, feedback_region(n, alpha, margin), p10, p01)


def null_power(n: int, alpha: Fraction, band: Fraction, p10: Fraction, p01: Fraction) -> Fraction:
    """Pr(the paired interval of n null pairs lies inside the band); p10 + p01 <= 1."""
    return region_probability(n, null_region(n, alpha, band), p10, p01)


def feedback_power_bounds(n: int, alpha: Fraction, margin: Fraction, p10: Fraction, p01: Fraction) -> Bounds:
    """`feedback_power` between bounds; see `_region_power_bounds`."""
    return _region_power_bounds(feedback_outcomes(n, alpha, margin), p10, p01)


def null_power_bounds(n: int, alpha: Fraction, band: Fraction, p10: Fraction, p01: Fraction) -> Bounds:
    """`null_power` between bounds; see `_region_power_bounds`."""
    return _region_power_bounds(null_outcomes(n, alpha, band), p10, p01)


def _region_power_bounds(region: FeedbackRegion | NullRegion, p10: Fraction, p01: Fraction) -> Bounds:
    """Less than 10**-20 apart up to `_MOST_ROWS` squared pairs; beyond, from the edges of rows some way apart.

    By Hoeffding's inequality both counts are within 5 sqrt(n) of their means, but for a chance of 4 exp(-50).
    """
    n, reach = region.n, 5 * isqrt(region.n) + 6
    ranges = [(max(int(n * p) - reach, 0), min(int(n * p) + reach, n)) for p in (p10, p01)]
    (least, most), (first, last) = ranges
    rare = Fraction(1, 1 << _CLOSE)
    if n > EXACT_UP_TO:
        (low_first, high_first), (low_last, high_last) = region.edges(first), region.edges(last)
        if low_last <= least and most <= high_first:
            return 1 - rare, Fraction(1)
        if most < low_first or high_last < least:
            return Fraction(0), rare
    if (step := isqrt(n) // _MOST_ROWS + 1) == 1:
        return last_bounds(n, region.row, p10, p01, _CLOSE)
    inner, outer = (last_bounds(n, _stepped(region, step, side), p10, p01, _FAIR) for side in (1, -1))
    return inner[0], outer[1]


def _stepped(region: FeedbackRegion | NullRegion, step: int, side: int) -> Row:
    """Rows whose edges are those of the inner (1) or outer (-1) ends of the `step` rows that they are among."""

    def row(k: int) -> tuple[int, int]:
        first = k - k % step
        ends = [region.edges(min(end, region.n)) for end in (first, first + step - 1)][::side]
        return max(ends[1][0], 0), min(ends[0][1], region.n - k)

    return row


def region_reaches(n: int, row: Row, p10: Fraction, p01: Fraction, target: Fraction, effort: Effort) -> bool:
    """Whether Pr((n10, n01) in the region) >= target for the trinomial with n trials, 0 < target < 1.

    Exact up to `EXACT_UP_TO` trials; beyond, a target nearer than 10**-20 counts as missed.
    """
    effort.spend(ROWS_OF_A_START)
    for close in (_FAIR, _CLOSE):
        goal = target * (1 << close + GUARD)
        enough, short = ceil(goal), floor(goal)
        for low, high in region_bounds(n, row, p10, p01, close):
            effort.spend()
            if low >= enough or high < short:
                return low >= enough
    return n <= EXACT_UP_TO and region_probability(n, [row(k) for k in range(n + 1)], p10, p01) >= target


def region_ceiling(n: int, row: Row, p10: Fraction, p01: Fraction, close: int, effort: Effort) -> float:
    """At least Pr((n10, n01) in the region), by about 2**-close at most; never 0."""
    effort.spend(ROWS_OF_A_START)
    most = 1 << close + GUARD
    for _, high in region_bounds(n, row, p10, p01, close):
        effort.spend()
        most = high
    return max(most / (1 << close + GUARD), 1e-300)


def region_probability(n: int, rows: Sequence[tuple[int, int]], p10: Fraction, p01: Fraction) -> Fraction:
    """Pr((n10, n01) in the region) for the trinomial with n trials.

    Row k lists (least, greatest) n10 for n01 = k.
    """
    scale = lcm(p10.denominator, p01.denominator)
    first, second = int(p10 * scale), int(p01 * scale)
    plus, neither = _powers(first, n), _powers(scale - first - second, n)
    total = 0
    for k, (least, most) in enumerate(rows):
        rest = n - k
        inner = sum(comb(rest, j) * plus[j] * neither[rest - j] for j in range(least, most + 1))
        total += comb(n, k) * second**k * inner
    return Fraction(total, scale**n)


def _powers(base: int, n: int) -> list[int]:
    result = [1]
    for _ in range(n):
        result.append(result[-1] * base)
    return result


def hit_rate_ceiling(n: int, assurance: Fraction, places: int = 12) -> Fraction:
    """The largest p_B whose zero-hit probability (1 - p_B)**n is still >= assurance, rounded down."""
    above = zero_failure_bound(n, assurance, places)
    return above if power_equals(1 - above, n, assurance) else above - Fraction(1, 10**places)
