"""Cumulative probabilities along paths, and bounds on regions, against plain rationals."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats import cumulative
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


class Counted(Cumulative):
    """Counts how often a probability is taken afresh."""

    starts = 0

    def _start(self, m: int, x: int) -> None:
        self.starts += 1
        super()._start(m, x)


def test_neighbours_are_walked_to() -> None:
    """Up to 400 steps together one start serves; each loses a few units, and the next place takes a new one."""
    walk, p = Counted(Fraction(1, 8), BITS), Fraction(1, 8)
    walked = [(1000, 125), (1003, 125), (1003, 130), (998, 120), (990, 140), (1000, 125), (1200, 325)]
    for (m, x), starts in [
        *((place, 1) for place in walked),
        ((1000, 124), 2),
        ((600, 124), 2),
        ((1001, 124), 3),
    ]:
        low, high = walk.at(m, x)
        assert low <= binomial_lower_tail(m, x, p) * 2**BITS <= high < low + 2**16
        assert walk.starts == starts


@pytest.mark.parametrize(
    ("m", "x", "starts"), [(1200, 325, 1), (1201, 325, 2), (1200, 326, 2), (800, 325, 1), (800, 326, 2)]
)
def test_steps_of_both_kinds_count(m: int, x: int, starts: int) -> None:
    walk = Counted(Fraction(1, 8), BITS)
    walk.at(1000, 125)
    walk.at(m, x)
    assert walk.starts == starts


@pytest.mark.parametrize("x", [100, 124, 125, 126, 700])
def test_a_fresh_probability_is_one_unit_wide(x: int) -> None:
    """Below the mean 125 of 1,000 and above it, where the other tail is taken."""
    low, high = Cumulative(Fraction(1, 8), BITS).at(1000, x)
    assert low <= binomial_lower_tail(1000, x, Fraction(1, 8)) * 2**BITS <= high <= low + 1


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


@pytest.mark.parametrize("n", [50, 1000])
@pytest.mark.parametrize(("p10", "p01"), [("0.3", "0.2"), ("0.05", "0.9"), ("0.4", "0")])
def test_a_half_plane_is_a_tail(n: int, p10: str, p01: str) -> None:
    """n10 alone is binomial, so all rows cut at one n10 are a tail of it, and the rest is the other."""
    truth, cut, unit = (Fraction(p10), Fraction(p01)), n // 5, Fraction(1, 2**70)
    tail = binomial_lower_tail(n, cut, truth[0])
    below = last_bounds(n, lambda k: (0, min(cut, n - k)), *truth, 70)
    above = last_bounds(n, lambda k: (cut + 1, n - k), *truth, 70)
    for (low, high), exact in ((below, tail), (above, 1 - tail)):
        assert low <= exact <= high <= low + unit


def test_rows_end_with_the_likely_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 10,000 rows those within twelve deviations, 200 each way, are seen, for a few multiplications each."""
    steps: list[int] = []
    scaled = cumulative.scaled
    monkeypatch.setattr(cumulative, "scaled", lambda *at: steps.append(1) or scaled(*at))
    n, p01 = 10_000, Fraction("0.3")
    rows = len(list(region_bounds(n, lambda k: (k, 2 * k), Fraction("0.4"), p01, 70)))
    assert 10 * 46 < rows < 2 * 12 * 46 and len(steps) < 12 * rows


@pytest.mark.parametrize(("p10", "p01"), [(0, 0), (1, 0), (0, 1)])
def test_certain_outcomes_have_certain_bounds(p10: int, p01: int) -> None:
    """One outcome alone is possible; its row says whether it is inside."""
    inside = {(n10, n01): (n10, n01) == (5 * p10, 5 * p01) for n10 in (0, 5) for n01 in (0, 5)}
    truth = Fraction(p10), Fraction(p01)
    alone = last_bounds(5, lambda k: (5 * p10, 5 * p10) if k == 5 * p01 else (1, 0), *truth, 70)
    others = last_bounds(5, lambda k: (0, 5 - k) if k != 5 * p01 else (1, 0), *truth, 70)
    assert any(inside.values()) and alone == (1, 1) and others == (0, 0)


def test_an_impossible_part_of_a_likely_row_has_no_chance() -> None:
    """Without discordant pairs row 0 is certain, and its n10 is 0."""
    low, high = last_bounds(5, lambda k: (1, 5 - k), Fraction(0), Fraction(0), 70)
    assert low == 0 and high < Fraction(1, 2**70)
