"""The paired-binary interval: exact Clopper-Pearson on both discordance probabilities, four tails of alpha/4.

n10 pairs favour the first arm, n01 the second, out of n. The interval for p10 - p01 is [pL(n10) - pU(n01),
pU(n10) - pL(n01)] (paper, Gate 3 and null calibration). A threshold on it needs no root finding: pL(n10) -
pU(n01) >= d holds exactly when some c has Pr(Bin(n, d+c) >= n10) <= alpha/4 and Pr(Bin(n, c) <= n01) <=
alpha/4.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, log10

from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.stats.bounds import (
    ceiling_reaches,
    clopper_pearson_lower,
    clopper_pearson_upper,
    recall_reaches,
)
from dcp_lang.stats.estimate import upper_estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Bisection depth. Beyond it both tails meet their bound within about 2**-220 of the same point.
_MAX_DEPTH = 256
_ZERO, _ONE = Fraction(0), Fraction(1)


class Count(Record):
    """x events in n pairs, with the error `tail` of the one-sided Clopper-Pearson limit taken on it."""

    x: int
    n: int
    tail: Fraction


def feedback_reaches(n10: int, n01: int, n: int, alpha: Fraction, margin: Fraction) -> bool:
    """Whether the lower limit of the paired-binary interval at coverage 1 - alpha is >= margin, exactly."""
    return separating_point(Count(n10, n, alpha / 4), Count(n01, n, alpha / 4), margin) is not None


def null_within(n10: int, n01: int, n: int, alpha: Fraction, band: Fraction) -> bool:
    """Whether the whole paired-binary interval at coverage 1 - alpha lies inside [-band, +band], exactly."""
    lower = feedback_reaches(n10, n01, n, alpha, -band)
    return lower and (n10 == n01 or feedback_reaches(n01, n10, n, alpha, -band))


def separating_point(first: Count, second: Count, margin: Fraction) -> Fraction | None:
    """A certificate c with pU(second) <= c <= pL(first) - margin; None when there is none."""
    separates, c = settling_point(first, second, margin)
    return c if separates else None


# Remembered: an editor asks the same after every edit that leaves the gate alone.
@lru_cache(maxsize=1024)
def settling_point(first: Count, second: Count, margin: Fraction) -> tuple[bool, Fraction]:
    """Whether pL(first) - pU(second) >= margin, and a point c that settles it.

    True: pU(second) <= c <= pL(first) - margin. False: pL(first) - margin < c < pU(second).

    A point where one tail holds and the other fails narrows the range. Likely points come first, then
    bisection, with the shortest rational every eighth time so that a tie at a rational c is met. A tie at an
    irrational c would never end; the answer at the last depth is False, the direction that certifies nothing.
    """
    low, high = _ZERO, _ONE
    likely = _likely_points(first, second, margin)
    for depth in range(_MAX_DEPTH):
        c = next(likely, None)
        if c is None:
            c = (low + high) / 2 if depth % 8 else simplest_between(low, high)
        below = ceiling_reaches(second.x, second.n, second.tail, c)
        above = recall_reaches(first.x, first.n, first.tail, margin + c)
        if below == above:
            return below, c
        low, high = (low, c) if below else (c, high)
    return False, low


def _likely_points(first: Count, second: Count, margin: Fraction) -> Iterator[Fraction]:
    """Points to try: ties where they can happen, which mostly settle it, and the middle of the estimated gap.

    Ties lie at the ends of the range when a limit is 0 or 1, and at (1 - margin)/2 when the counts add up to
    n, where both tails are the same number.
    """
    if first.x + second.x == first.n == second.n:
        yield _clamped((1 - margin) / 2)
    if second.x == second.n:
        yield _ONE
    if first.x == 0:
        yield _clamped(-margin)
    lower = 1.0 - upper_estimate(first.n - first.x, first.n, first.tail) - float(margin)
    upper = upper_estimate(second.x, second.n, second.tail)
    yield _clamped(_short_decimal((lower + upper) / 2, abs(lower - upper) / 4))


def _clamped(value: Fraction) -> Fraction:
    return _ZERO if value < 0 else _ONE if value > 1 else value


def _short_decimal(value: float, within: float) -> Fraction:
    """The decimal nearest to `value` with just enough digits to lie `within` of it, at most 15."""
    digits = min(max(0, ceil(-log10(max(2 * within, 1e-15)))), 15)
    return Fraction(round(value * 10**digits), 10**digits)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of least denominator in the open interval (low, high), 0 <= low < high (Stern-Brocot)."""
    whole = floor(low)
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:
        return whole + Fraction(1, floor(1 / (high - whole)) + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


def paired_interval(
    n10: int, n01: int, n: int, alpha: Fraction, places: int = 12
) -> tuple[Fraction, Fraction]:
    """(lower, upper) limits for p10 - p01 in [-1, 1], rounded outward at `places` decimals."""
    return _lower_limit(n10, n01, n, alpha, places), -_lower_limit(n01, n10, n, alpha, places)


def _lower_limit(n10: int, n01: int, n: int, alpha: Fraction, places: int) -> Fraction:
    """pL(n10) - pU(n01) rounded down: three guard digits give the floor, else an exact decision does."""
    scale, digits, tail = 10**places, places + 3, alpha / 4
    low = clopper_pearson_lower(n10, n, tail, digits) - clopper_pearson_upper(n01, n, tail, digits)
    least, most = floor(low * scale), floor((low + Fraction(2, 10**digits)) * scale)
    if most > least and not feedback_reaches(n10, n01, n, alpha, Fraction(most, scale)):
        most = least
    return Fraction(most, scale)
