"""Whole regions at sizes beyond enumeration, what blocks of sizes share, and bounds on power."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats import power, regions
from dcp_lang.stats.limits import ONE
from dcp_lang.stats.paired import feedback_reaches, null_within
from dcp_lang.stats.power import (
    feedback_power,
    feedback_power_bounds,
    null_power,
    null_power_bounds,
    region_ceiling,
    region_probability,
    region_reaches,
)
from dcp_lang.stats.regions import FeedbackRegion, NullRegion, _Sums, feedback_region, null_region
from dcp_lang.stats.search import Effort, greatest_true
from dcp_lang.stats.trinomial import last_bounds, region_bounds

from . import naive

ALPHA, MARGIN, BAND = Fraction("0.01"), Fraction("0.51"), Fraction("0.17")
alphas = st.sampled_from([Fraction(a) for a in ("0.05", "0.01", "0.3")])
thresholds = st.integers(5, 80).map(lambda k: Fraction(k, 100))
TINY = Fraction(1, 10**20)


@pytest.mark.parametrize("n", [150, 401])
def test_the_edge_of_a_feedback_region(n: int) -> None:
    """The last cell of every third row passes and the next does not, by the decision of one cell."""
    rows = feedback_region(n, ALPHA, MARGIN)
    for k in range(0, len(rows), 3):
        least, most = rows[k]
        assert most == n - k and feedback_reaches(least, k, n, ALPHA, MARGIN)
        assert not feedback_reaches(least - 1, k, n, ALPHA, MARGIN)
    assert not feedback_reaches(n - len(rows), len(rows), n, ALPHA, MARGIN)


@pytest.mark.parametrize("n", [150, 401])
def test_the_edges_of_a_null_region(n: int) -> None:
    rows = null_region(n, ALPHA, BAND)
    for k in range(0, len(rows), 9):
        least, most = rows[k]
        assert null_within(least, k, n, ALPHA, BAND) and null_within(most, k, n, ALPHA, BAND)
        assert least == 0 or not null_within(least - 1, k, n, ALPHA, BAND)
        assert most == n - k or not null_within(most + 1, k, n, ALPHA, BAND)
    last = len(rows)
    assert not null_within(min(last, n - last), last, n, ALPHA, BAND)


def test_a_tie_at_the_edge() -> None:
    """All truthful pairs of 20 reach (3/5)^20 * 4 of alpha exactly at margin 1/5: ((1 + 1/5) / 2)^20 = alpha / 4."""
    alpha, margin = 4 * Fraction(3, 5) ** 20, Fraction(1, 5)
    assert feedback_region(20, alpha, margin)[0] == (20, 20)
    assert feedback_region(20, alpha - TINY, margin) == ()


class Fixed:
    """Stands for `UpperLimits`: one enclosure, made as narrow by `narrow`."""

    def __init__(self, wide: tuple[int, int], narrow: tuple[int, int]) -> None:
        self.wide, self.close = wide, narrow

    def __call__(self, j: int) -> tuple[int, int]:
        return self.wide

    def narrow(self, j: int) -> tuple[int, int]:
        return self.close


@pytest.mark.parametrize(
    ("most", "sum_", "verdict"),
    [
        *(("10", (9, 10), True), ("10", (10, 10), True), ("10", (10, 11), None), ("10", (11, 12), False)),
        *(("10.5", (9, 10), True), ("10.5", (10, 11), None), ("10.5", (12, 12), False)),
    ],
)
@pytest.mark.parametrize("wide", [True, False])
def test_sums_are_decided_to_their_last_unit(
    most: str, sum_: tuple[int, int], verdict: bool | None, wide: bool
) -> None:
    """At once or once they are narrow; what touches the number itself is left to the exact decision."""
    low, high = sum_
    first, second = Fixed((0, 20), (3, 3)), Fixed((0, 20), (low - 3, high - 3))
    if wide:
        first, second = Fixed((3, 3), (0, 20)), Fixed((low - 3, high - 3), (0, 20))
    sums = _Sums(first, second, Fraction(most) / ONE)
    for exact in (True, False):
        assert sums.fit(0, 0, lambda exact=exact: exact) is (exact if verdict is None else verdict)


def peer_limits(n: int, tail: Fraction) -> tuple[list[float], list[float]]:
    """(lower, upper) Clopper-Pearson limits of 0 ... n events by SciPy's beta quantiles."""
    beta = pytest.importorskip("scipy.stats").beta
    upper = [*map(float, beta.isf(float(tail), range(1, n + 1), range(n, 0, -1))), 1.0]
    return [1 - limit for limit in reversed(upper)], upper


@naive.law
@given(st.integers(1, 25), alphas, thresholds, st.randoms(use_true_random=False))
def test_edges_of_feedback_rows(n: int, alpha: Fraction, margin: Fraction, random: Random) -> None:
    """The least n10 with pL(n10) - pU(k) >= margin, whatever the order of asking; n + 1 where the row is empty."""
    region, (lower, upper) = FeedbackRegion(n, alpha, margin), peer_limits(n, alpha / 4)
    for k in random.sample(range(n + 1), n + 1):
        gaps = [lower[x] - upper[k] - float(margin) for x in range(n - k + 1)]
        if min(map(abs, gaps)) > 1e-9:
            least = next((x for x, gap in enumerate(gaps) if gap > 0), n + 1)
            assert region.edges(k) == (least, n)
            assert region.row(k) == (min(least, n - k + 1), n - k)


@naive.law
@given(st.integers(1, 25), st.integers(0, 3), alphas, thresholds, st.randoms(use_true_random=False))
def test_edges_of_null_rows(n: int, more: int, alpha: Fraction, band: Fraction, random: Random) -> None:
    """The greatest n10 with pU(n10) - pL(k) <= band, the least with pU(k) - pL(n10) <= band; pL of n + more pairs."""
    region, (_, upper) = NullRegion(n, alpha, band, n + more), peer_limits(n, alpha / 4)
    lower, width = peer_limits(n + more, alpha / 4)[0], float(band)
    for k in random.sample(range(n + 1), n + 1):
        gaps = [limit - lower[k] - width for limit in upper], [upper[k] - limit - width for limit in lower]
        if min(map(abs, [*gaps[0], *gaps[1]])) > 1e-9:
            greatest = max((x for x, gap in enumerate(gaps[0]) if gap < 0), default=-1)
            least = min((x for x, gap in enumerate(gaps[1]) if gap < 0), default=n + more + 1)
            assert region.edges(k) == (least, greatest)


class CountedSums(_Sums):
    """Counts decisions, of all sums together."""

    asked = 0

    def fit(self, i: int, j: int, exact: Callable[[], bool]) -> bool:
        CountedSums.asked += 1
        return super().fit(i, j, exact)


@pytest.mark.parametrize("n", [150, 401, 2000])
def test_neighbouring_rows_foretell_each_other(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row alone takes three decisions or four, a neighbour those that bracket the step from one to the next."""
    monkeypatch.setattr(regions, "_Sums", CountedSums)
    rows = range(len(feedback_region(n, ALPHA, MARGIN)))

    def asked(ask: Callable[[int], object], among: Iterable[int]) -> int:
        before = CountedSums.asked
        for k in among:
            ask(k)
        return CountedSums.asked - before

    def feedback() -> FeedbackRegion:
        return FeedbackRegion(n, ALPHA, MARGIN)

    def null() -> NullRegion:
        return NullRegion(n, ALPHA, BAND)

    assert asked(feedback().lost, [len(rows) // 2]) <= 3 and asked(null().greatest, [10]) <= 3
    assert asked(feedback().lost, rows) <= 8 * len(rows) and asked(feedback().lost, rows[::-1]) <= 5 * len(
        rows
    )
    for walk in (range(40), range(40)[::-1]):
        assert asked(null().greatest, walk) <= 4.2 * len(walk)
        region = null()
        asked(region.greatest, walk)
        assert asked(region.least, walk) <= 4.2 * len(walk)


def test_a_tie_at_the_band() -> None:
    """Without discordant pairs the limit is 1 - (alpha/4)^(1/n), which is the band where alpha = 4 (1 - band)^n."""
    alpha = 4 * (1 - BAND) ** 33
    region = NullRegion(33, alpha, BAND)
    assert region.edges(0) == (0, 0) and region.last() == 0
    short = NullRegion(33, alpha - TINY, BAND)
    assert short.greatest(0) == -1 and short.last() == -1 and null_region(33, alpha - TINY, BAND) == ()


@naive.law
@given(st.integers(1, 14), st.integers(0, 4), alphas, thresholds, st.integers(0, 10), st.integers(0, 10))
def test_losses_of_larger_sizes_contain_those_of_smaller_ones(
    a: int, more: int, alpha: Fraction, margin: Fraction, x: int, y: int
) -> None:
    """So the power on a block lies between those of one size's losses at the other."""
    b, p10, p01 = a + more, Fraction(x, 20), Fraction(y, 20)
    at_most = _chance(a, lambda k: FeedbackRegion(b, alpha, margin).row(k, a), p10, p01)
    at_least = _chance(b, lambda k: FeedbackRegion(a, alpha, margin).row(k, b), p10, p01)
    for n in range(a, b + 1):
        assert at_least <= feedback_power(n, alpha, margin, p10, p01) <= at_most


@naive.law
@given(st.integers(2, 14), st.integers(0, 4), alphas, thresholds, st.integers(0, 10), st.integers(0, 10))
def test_null_regions_of_a_block(a: int, more: int, alpha: Fraction, band: Fraction, x: int, y: int) -> None:
    """With every extra pair allowed to be discordant either way the two regions bound each power on the block."""
    b, p10, p01 = a + more, Fraction(x, 20), Fraction(y, 20)
    outer, inner = NullRegion(b, alpha, band, a), NullRegion(a, alpha, band, b)
    at_most = _chance(a, lambda k: outer.row(k, a, more), p10, p01)
    at_least = _chance(b, lambda k: inner.row(k, b, -more), p10, p01)
    for n in range(a, b + 1):
        assert at_least <= null_power(n, alpha, band, p10, p01) <= at_most


def _chance(n: int, row, p10: Fraction, p01: Fraction) -> Fraction:
    return region_probability(n, [row(k) for k in range(n + 1)], p10, p01)


@naive.law
@given(st.integers(1, 60), alphas, thresholds, st.integers(0, 20), st.integers(0, 20))
def test_bounds_hold_the_power(n: int, alpha: Fraction, threshold: Fraction, x: int, y: int) -> None:
    truth = Fraction(x, 40), Fraction(y, 40)
    for bounds, exact in ((feedback_power_bounds, feedback_power), (null_power_bounds, null_power)):
        low, high = bounds(n, alpha, threshold, *truth)
        assert low <= exact(n, alpha, threshold, *truth) <= high < low + TINY


@pytest.mark.parametrize("truth", ["0.02", "0.08", "0.12", "0.16", "0.3", "0.49"])
def test_bounds_from_rows_apart_and_from_corners(truth: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 300 pairs as if they were ten million: wider, and still around the power."""
    n, q = 300, Fraction(truth)
    narrow = null_power_bounds(n, ALPHA, BAND, q, q)
    feedback = feedback_power_bounds(n, ALPHA, MARGIN, 1 - q, Fraction(0))
    monkeypatch.setattr(power, "EXACT_UP_TO", 0)
    monkeypatch.setattr(power, "_MOST_ROWS", 4)
    low, high = null_power_bounds(n, ALPHA, BAND, q, q)
    assert low <= narrow[0] and narrow[1] <= high + TINY and high - low < Fraction(1, 4)
    low, high = feedback_power_bounds(n, ALPHA, MARGIN, 1 - q, Fraction(0))
    assert low <= feedback[0] and feedback[1] <= high + TINY and high - low < Fraction(1, 4)


@pytest.mark.parametrize("step", [2, 3, 7])
@pytest.mark.parametrize(
    "region", [FeedbackRegion(40, ALPHA, Fraction("0.1")), NullRegion(40, ALPHA, Fraction("0.5"))]
)
def test_rows_that_share_edges_lie_inside_or_outside(region: FeedbackRegion | NullRegion, step: int) -> None:
    inner, outer = power._stepped(region, step, 1), power._stepped(region, step, -1)
    for k in range(41):
        (a, b), (least, most), (c, d) = inner(k), region.row(k), outer(k)
        assert a > b or least <= a <= b <= most
        assert least > most or 0 <= c <= least <= most <= d <= 40 - k


def test_corners_are_far_enough_apart() -> None:
    """At the hardest margin where the box within 5 sqrt(n) of a fair truth passes, no more than 2^-70 is beyond it."""
    n, half, rare = 1001, Fraction(1, 2), Fraction(1, 2**70)

    def is_certain(steps: int) -> bool:
        return feedback_power_bounds(n, ALPHA, Fraction(steps, n), half, half) == (1 - rare, 1)

    hardest = greatest_true(is_certain, -n + 1, 0, -500)
    low, _ = last_bounds(n, FeedbackRegion(n, ALPHA, Fraction(hardest, n)).row, half, half, 110)
    assert 1 - rare <= low


def test_corners_of_ten_million() -> None:
    """Far inside a threshold the gate passes but for 2^-70, far outside it fails but for that."""
    rare = Fraction(1, 2**70)
    n = 10**7
    assert null_power_bounds(n, ALPHA, BAND, Fraction("0.01"), Fraction("0.01")) == (1 - rare, 1)
    assert null_power_bounds(n, ALPHA, BAND, Fraction("0.3"), Fraction("0.01")) == (0, rare)
    assert feedback_power_bounds(n, ALPHA, MARGIN, Fraction("0.6"), Fraction("0.01")) == (1 - rare, 1)
    assert feedback_power_bounds(n, ALPHA, MARGIN, Fraction("0.5"), Fraction("0.01")) == (0, rare)
    assert feedback_power_bounds(n, ALPHA, MARGIN, Fraction("0.3"), Fraction("0.7")) == (0, rare)


@naive.law
@given(st.integers(5, 30), thresholds, st.integers(1, 10), st.integers(1, 10))
def test_a_target_that_is_the_power_itself(n: int, band: Fraction, x: int, y: int) -> None:
    p10, p01 = Fraction(x, 40), Fraction(y, 40)
    exact, row = null_power(n, ALPHA, band, p10, p01), NullRegion(n, ALPHA, band).row
    near = Fraction(1, 10**30)
    if near < exact < 1 - near:
        assert region_reaches(n, row, p10, p01, exact, Effort(10**4))
        assert not region_reaches(n, row, p10, p01, exact + near, Effort(10**4))
        assert region_ceiling(n, row, p10, p01, 30, Effort(10**4)) == pytest.approx(float(exact), abs=2**-29)


def test_a_target_that_a_float_could_hold() -> None:
    """One pair, which favours truthful feedback half the time: bounds that meet the target reach it."""
    alone = {0: (1, 1), 1: (1, 0)}.__getitem__
    half = Fraction(1, 2)
    assert region_reaches(1, alone, half, Fraction(0), half, Effort(100))


def test_a_target_that_only_the_last_row_meets() -> None:
    """Both of two pairs reversed: 1/3 squared, by the exact sum."""
    last = {0: (1, 0), 1: (1, 0), 2: (0, 0)}.__getitem__
    for target, reached in ((Fraction(1, 9), True), (Fraction(1, 9) + Fraction(1, 10**40), False)):
        assert region_reaches(2, last, Fraction(1, 5), Fraction(1, 3), target, Effort(100)) is reached


@pytest.mark.parametrize(("n", "reached"), [(1000, True), (1001, False)])
def test_a_tie_is_met_up_to_a_thousand_pairs(n: int, reached: bool) -> None:
    """All n truthful at .999: beyond, a target that bounds cannot tell from the power counts as missed."""
    rate = Fraction("0.999")

    def row(k: int) -> tuple[int, int]:
        return (n, n) if k == 0 else (1, 0)

    assert region_reaches(n, row, rate, Fraction(1, 2000), rate**n, Effort(10**4)) is reached


def test_every_row_is_counted() -> None:
    """The first limits as so many rows, then one each: as many as are seen, once for each precision asked for."""
    n, q = 60, Fraction("0.1")
    row = NullRegion(n, ALPHA, BAND).row
    rows = {close: len(list(region_bounds(n, row, q, q, close))) for close in (power._FAIR, power._CLOSE)}
    effort = Effort(1000)
    region_ceiling(n, row, q, q, power._CLOSE, effort)
    assert 1000 - effort.left == power.ROWS_OF_A_START + rows[power._CLOSE]
    effort = Effort(1000)
    region_reaches(n, row, q, q, null_power(n, ALPHA, BAND, q, q), effort)
    assert 1000 - effort.left == power.ROWS_OF_A_START + sum(rows.values())
