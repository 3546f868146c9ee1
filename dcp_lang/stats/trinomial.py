"""Certified bounds on the probability of a region of trinomial outcomes, row by row from the likeliest.

Given n01 = k, n10 is Binomial(n - k, p10 / (1 - p01)). From row to row the cumulative probability at the region's edge
changes by few terms, so a row costs a few multiplications however large n is. Every number is an enclosure
(low, high) in units of 2**-bits, rounded outward.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

from dcp_lang.stats.binomial import term
from dcp_lang.stats.cumulative import GUARD, START, Cumulative, scaled, units

#: (least, most) n10 of the row n01 = k; a row with least > most is empty.
Row = Callable[[int], tuple[int, int]]


def region_bounds(n: int, row: Row, p10: Fraction, p01: Fraction, close: int) -> Iterator[tuple[int, int]]:
    """Ever narrower (low, high) around Pr((n10, n01) in the region), in the end about 2**-close apart.

    In units of 2**-bits, bits = `close` + GUARD; p10 + p01 <= 1.
    """
    bits = close + GUARD
    one, low, high, seen = 1 << bits, 0, 0, 0
    chance = p10 / (1 - p01) if p01 < 1 else Fraction(0)
    edges = {side: (Cumulative(chance, bits), Cumulative(chance, bits)) for side in (1, -1)}
    for side, k, (weight, weight_high) in _rows(n, p01, bits):
        least, most = row(k)
        if least <= most:
            below, above = edges[side]
            out, upto = below.at(n - k, least - 1), above.at(n - k, most)
            low += weight * max(upto[0] - out[1], 0) >> bits
            high += (weight_high * (upto[1] - out[0]) >> bits) + 1
        seen += weight
        yield low, min(high + one - seen, one)
        if one - seen <= 1 << GUARD:
            return


def last_bounds(n: int, row: Row, p10: Fraction, p01: Fraction, close: int) -> tuple[Fraction, Fraction]:
    """The narrowest of `region_bounds`."""
    *_, (low, high) = region_bounds(n, row, p10, p01, close)
    return Fraction(low, 1 << close + GUARD), Fraction(high, 1 << close + GUARD)


def _rows(n: int, p: Fraction, bits: int) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """(side, k, Pr(Bin(n, p) = k)) outward from the mode, the likelier side first; side is -1 below the mode."""
    if p in (0, 1):
        yield 1, int(n * p), (1 << bits, 1 << bits)
        return
    mode, hit, miss = int((n + 1) * p), p.numerator, p.denominator - p.numerator
    mode = min(mode, n)
    weight = units(term(n, mode, p, bits + START), bits)
    yield 1, mode, weight
    up, down, above, below = mode, mode, weight, weight
    while up < n or down > 0:
        ahead = scaled(above, (n - up) * hit, (up + 1) * miss)
        behind = scaled(below, down * miss, (n - down + 1) * hit)
        if ahead[1] >= behind[1]:
            up, above = up + 1, ahead
            yield 1, up, above
        else:
            down, below = down - 1, behind
            yield -1, down, below
