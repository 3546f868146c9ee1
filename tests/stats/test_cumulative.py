"""Cumulative probabilities along paths, and bounds on regions, against plain rationals."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.cumulative import GUARD, Cumulative
from dcp_lang.stats.exact import binomial_lower_tail
from dcp_lang.stats.power import region_probability
from dcp_lang.stats.trinomial import last_bounds, region_bounds

from . import naive

BITS = 96
probabilities = st.integers(0, 40).map(lambda k: Fraction(k, 40))


@naive.law
@given(probabilities, st.lists(st.tuples(st.integers(1, 60), st.integers(-2, 62)), min_size=1, max_size=8))
def test_a_path_stays_exact(p: Fraction, path: list[tuple[int, int]]) -> None:
    """Up and down in trials and counts, out of the range and back, certain probabilities too."""
    walk = Cumulative(p, BITS)
    for m, x in path:
        low, high = walk.at(m, x)
        assert low <= binomial_lower_tail(m, x, p) * 2**BITS <= high
        assert high - low <= 1 << 26


@pytest.mark.parametrize("m", [1000, 1100, 1399, 1401, 5000])
def test_near_and_far_steps(m: int) -> None:
    """Up to 400 steps are walked, more are jumped; the probability is that of the place."""
    walk, p = Cumulative(Fraction(1, 8), BITS), Fraction(1, 8)
    walk.at(1000, 125)
    low, high = walk.at(m, m // 8)
    assert low <= binomial_lower_tail(m, m // 8, p) * 2**BITS <= high <= low + 2**26


def test_a_long_walk_starts_again_before_it_blurs() -> None:
    """Three thousand steps outward from a term of 2**-80, whose rounding would grow with it."""
    walk, p = Cumulative(Fraction(1, 2), BITS), Fraction(1, 2)
    for x in range(140, 300):
        low, high = walk.at(600, x)
        assert high - low <= 1 << 26
    assert low <= binomial_lower_tail(600, 299, p) * 2**BITS <= high


@st.composite
def regions(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    n = draw(st.integers(1, 30))
    ends = st.tuples(st.integers(0, n), st.integers(-1, n))
    rows = [draw(ends) for _ in range(n + 1)]
    return n, [(least, min(most, n - k)) for k, (least, most) in enumerate(rows)]


@naive.law
@given(regions(), st.integers(0, 20), st.integers(0, 20), st.sampled_from([12, 30, 70]))
def test_bounds_enclose_and_narrow(
    region: tuple[int, list[tuple[int, int]]], a: int, b: int, close: int
) -> None:
    """Any region at all, p10 + p01 = 1 and certain ones among the truths."""
    n, rows = region
    p10, p01 = Fraction(a, 20), min(Fraction(b, 20), 1 - Fraction(a, 20))
    exact = region_probability(n, rows, p10, p01)
    found = list(region_bounds(n, rows.__getitem__, p10, p01, close))
    for low, high in found:
        assert low <= exact * 2 ** (close + GUARD) <= high
    for (low, high), (next_low, next_high) in pairwise(found):
        assert low <= next_low and next_high <= high + 2**8
    low, high = last_bounds(n, rows.__getitem__, p10, p01, close)
    assert low <= exact <= high and high - low < Fraction(2, 2**close)


@pytest.mark.parametrize(("p10", "p01"), [(0, 0), (1, 0), (0, 1)])
def test_certain_outcomes_have_certain_bounds(p10: int, p01: int) -> None:
    """One outcome alone is possible; its row says whether it is inside."""
    inside = {(n10, n01): (n10, n01) == (5 * p10, 5 * p01) for n10 in (0, 5) for n01 in (0, 5)}
    truth = Fraction(p10), Fraction(p01)
    alone = last_bounds(5, lambda k: (5 * p10, 5 * p10) if k == 5 * p01 else (1, 0), *truth, 70)
    others = last_bounds(5, lambda k: (0, 5 - k) if k != 5 * p01 else (1, 0), *truth, 70)
    assert any(inside.values()) and alone == (1, 1) and others == (0, 0)
