"""The paired-binary interval: exact Clopper-Pearson on both discordance probabilities, four tails of alpha/4.

n10 pairs favour the first arm, n01 the second, out of n. The interval for p10 - p01 is [pL(n10) - pU(n01),
pU(n10) - pL(n01)] (paper, Gate 3 and null calibration). A threshold on it needs no root finding: pL(n10) -
pU(n01) >= d holds exactly when some c has Pr(Bin(n, d+c) >= n10) <= alpha/4 and Pr(Bin(n, c) <= n01) <=
alpha/4.
"""

from fractions import Fraction
from math import floor
from typing import NamedTuple

from dcp_lang.stats.bounds import (
    ceiling_reaches,
    clopper_pearson_lower,
    clopper_pearson_upper,
    recall_reaches,
)

#: Bisection depth. Beyond it both tails meet their bound within about 2**-220 of the same point.
_MAX_DEPTH = 256


class Count(NamedTuple):
    """x events in n pairs, with the error `tail` of the one-sided Clopper-Pearson limit taken on it."""

    x: int
    n: int
    tail: Fraction


def feedback_reaches(n10: int, n01: int, n: int, alpha: Fraction, margin: Fraction) -> bool:
    """Whether the lower limit of the paired-binary interval at coverage 1 - alpha is >= margin, exactly."""
    return separating_point(Count(n10, n, alpha / 4), Count(n01, n, alpha / 4), margin) is not None


def null_within(n10: int, n01: int, n: int, alpha: Fraction, band: Fraction) -> bool:
    """Whether the whole paired-binary interval at coverage 1 - alpha lies inside [-band, +band], exactly."""
    return feedback_reaches(n10, n01, n, alpha, -band) and feedback_reaches(n01, n10, n, alpha, -band)


def separating_point(first: Count, second: Count, margin: Fraction) -> Fraction | None:
    """A certificate c with pU(second) <= c <= pL(first) - margin; None when there is none.

    Ties happen at the ends of the range (no events, all events) and, when the counts add up to n, at (1 -
    margin)/2, where both tails are the same number; these c come first. Then bisection: a point where both
    tails fail shows the limits the wrong way round and refutes, a point where one fails narrows the range.
    Every eighth point is the shortest rational, so that a tie at a rational c is met. A tie at an irrational
    c would never end; the answer at the last depth is None, the direction that certifies nothing.
    """
    low, high = max(Fraction(0), -margin), min(Fraction(1), 1 - margin)
    likely = [(1 - margin) / 2, high, low] if low <= high else []
    for depth in range(_MAX_DEPTH if likely else 0):
        c = likely.pop() if likely else (low + high) / 2 if depth % 8 else simplest_between(low, high)
        below = ceiling_reaches(second.x, second.n, second.tail, c)
        above = recall_reaches(first.x, first.n, first.tail, margin + c)
        if below == above:
            return c if below else None
        low, high = (low, c) if below else (c, high)
    return None


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
    """pL(n10) - pU(n01) rounded down: six guard digits give the floor, else an exact decision does."""
    scale, digits, tail = 10**places, places + 6, alpha / 4
    low = clopper_pearson_lower(n10, n, tail, digits) - clopper_pearson_upper(n01, n, tail, digits)
    least, most = floor(low * scale), floor((low + Fraction(2, 10**digits)) * scale)
    if most > least and not feedback_reaches(n10, n01, n, alpha, Fraction(most, scale)):
        most = least
    return Fraction(most, scale)
