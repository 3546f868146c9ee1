"""Acceptance regions: which outcomes pass the feedback and the null gate at a given n, cell by cell, exactly.

A region is a tuple of rows indexed by n01; row k is the pair (least, greatest) of passing n10, and an empty
row has least > greatest.
"""

from fractions import Fraction
from functools import partial

from dcp_lang.stats.paired import Count, feedback_reaches, separating_point
from dcp_lang.stats.search import greatest_true, last_left, least_true

Region = tuple[tuple[int, int], ...]


def feedback_region(n: int, alpha: Fraction, margin: Fraction) -> Region:
    """Outcomes of n feedback pairs whose lower paired limit is >= margin.

    pL grows with n10, so each row ends at n - n01; its best outcome has limit 1 - 2 pU(n01), which falls with
    n01, so the first empty row is the last.
    """
    rows: list[tuple[int, int]] = []
    least = 0
    for n01 in range(n + 1):
        most = n - n01
        if least > most or not feedback_reaches(most, n01, n, alpha, margin):
            break
        reaches = partial(_reaches, n01, n, alpha, margin)
        least = least_true(reaches, least, most, least + 1)
        rows.append((least, most))
    return tuple(rows)


def _reaches(n01: int, n: int, alpha: Fraction, margin: Fraction, n10: int) -> bool:
    return feedback_reaches(n10, n01, n, alpha, margin)


def null_region(n: int, alpha: Fraction, band: Fraction) -> Region:
    """Outcomes of n null pairs whose whole paired interval lies inside [-band, +band].

    With h(k) the greatest n10 such that pU(n10) - pL(k) <= band, which grows with k, a cell passes when n10
    <= h(n01) and n01 <= h(n10).
    """
    last = _last_row(n, alpha / 4, band)
    heights: list[int] = []
    for k in range(last + 1):
        start = max(0, heights[-1]) if heights else 0
        heights.append(_height(k, n, alpha / 4, band, start))
    return tuple(_row(k, n, heights) for k in range(last + 1))


def _row(k: int, n: int, heights: list[int]) -> tuple[int, int]:
    """The passing n10 of row n01 = k.

    They stay within the rows, as a passing n10 has by symmetry a row of its own.
    """
    most = min(heights[k], n - k)
    least = next((n10 for n10 in range(most + 1) if heights[n10] >= k), most + 1)
    return least, most


def _height(k: int, n: int, tail: Fraction, band: Fraction, start: int) -> int:
    """h(k), at least `start`; -1 when even n10 = 0 is outside the band."""

    def holds(n10: int) -> bool:
        return separating_point(Count(k, n, tail), Count(n10, n, tail), -band) is not None

    return greatest_true(holds, start, n, start) if holds(start) else start - 1


def _last_row(n: int, tail: Fraction, band: Fraction) -> int:
    """The greatest n01 = k with a passing cell, or -1. Its best partner is n10 = min(k, n - k).

    On a block [a, b] of k, pU(k) - pL(n10) is at least pU(a) - pL(min(b, n - a)).
    """

    def excludes(low: int, high: int) -> bool:
        return separating_point(Count(min(high, n - low), n, tail), Count(low, n, tail), -band) is None

    found = last_left(0, n, excludes)
    return -1 if found is None else found
