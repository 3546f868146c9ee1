"""Searches begin at a guess: how many exact decisions each of them takes.

A poor guess costs time, never a wrong answer, so no result would tell. Two decisions settle an answer, the one that
holds and its neighbour that does not; one more finds it from beside; an error of m costs about 2 log2(m), see `search`.
"""

from collections.abc import Callable
from fractions import Fraction
from types import ModuleType

import pytest

from dcp_lang.stats import bernstein, bounds, paired, planning, prices
from dcp_lang.stats.estimate import upper_estimate

ALPHAS = [Fraction(1, 20), Fraction(1, 100), Fraction(1, 10**4)]
alphas = pytest.mark.parametrize("alpha", ALPHAS)
Count = Callable[[ModuleType, str, Callable[[], object]], int]


@pytest.fixture
def decisions(monkeypatch: pytest.MonkeyPatch) -> Count:
    """How often a search asks a predicate of its module; nothing is remembered from before."""

    def count(module: ModuleType, name: str, search: Callable[[], object]) -> int:
        asked: list[object] = []
        holds = getattr(module, name)
        planning.least_episodes.cache_clear()
        upper_estimate.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(module, name, lambda *at: asked.append(at) or holds(*at))
            search()
        return len(asked)

    return count


@alphas
@pytest.mark.parametrize("rho", ["0.3", "0.05", "0.001", "0.00001"])
def test_zero_hits(alpha: Fraction, rho: str, decisions: Count) -> None:
    """ln alpha / ln(1 - rho), rounded up, is the answer."""
    rate = Fraction(rho)
    search = planning.least_episodes.__wrapped__
    assert decisions(planning, "zero_failure_reaches", lambda: search(alpha, rate)) == 2
    for n in (3, 90, 10**4):
        assert decisions(bounds, "zero_failure_reaches", lambda n=n: bounds.zero_failure_bound(n, alpha)) == 2


@alphas
@pytest.mark.parametrize(
    ("minimum", "most"), [("0.5", (2, 5, 7, 11)), ("0.8", (2, 7, 11, 13)), ("0.99", (2, 17, 19, 23))]
)
def test_positive_controls(alpha: Fraction, minimum: str, most: tuple[int, ...], decisions: Count) -> None:
    """Without a failure the answer; each failure 1 / (1 - minimum) more, which is too few by a factor below 2."""
    search, least = planning.least_positive_controls.__wrapped__, Fraction(minimum)
    for failures, asked in zip((0, 1, 3, 20), most, strict=True):
        found = decisions(planning, "recall_reaches", lambda f=failures: search(alpha, least, f))
        assert found <= asked and (failures or found == 2)


@alphas
@pytest.mark.parametrize(
    ("margin", "most"), [("0", (2, 4, 7, 8)), ("0.51", (2, 4, 9, 10)), ("0.9", (2, 9, 13, 14))]
)
def test_pairs(alpha: Fraction, margin: str, most: tuple[int, ...], decisions: Count) -> None:
    """Without a loss the answer; each loss 2 / (1 - margin) more."""
    search, least = planning.least_pairs.__wrapped__, Fraction(margin)
    for losses, asked in zip(((0, 0), (2, 0), (0, 2), (20, 5)), most, strict=True):
        found = decisions(planning, "feedback_reaches", lambda at=losses: search(alpha, least, *at))
        assert found <= asked and (any(losses) or found == 2)


@alphas
@pytest.mark.parametrize(("band", "most"), [("0.6", (2, 4, 6)), ("0.17", (2, 7, 8)), ("0.05", (2, 11, 11))])
def test_null_pairs(alpha: Fraction, band: str, most: tuple[int, ...], decisions: Count) -> None:
    """The same with twice the larger count over the band; then a few blocks exclude all sizes below."""
    search, width = planning.least_null_pairs.__wrapped__, Fraction(band)
    for losses, asked in zip(((0, 0), (2, 0), (3, 3)), most, strict=True):
        assert decisions(planning, "null_within", lambda at=losses: search(alpha, width, *at)) <= asked
        assert decisions(planning, "_excludes", lambda at=losses: search(alpha, width, *at)) <= 9


@alphas
@pytest.mark.parametrize("target", ["0.5", "0.1", "0.01"])
def test_units_of_a_half_width(alpha: Fraction, target: str, decisions: Count) -> None:
    """The root of the quadratic is at most one or two units off."""
    for variance in (Fraction(0), Fraction("0.3"), Fraction(2)):
        at = variance, alpha, Fraction(2), Fraction(target)
        assert decisions(bernstein, "half_width_within", lambda at=at: planning.least_units(*at)) <= 4
    for n in (9, 30, 200):
        at = n, Fraction(2, 10), alpha
        assert decisions(bernstein, "half_width_within", lambda at=at: bernstein.half_width(*at)) == 2


@alphas
@pytest.mark.parametrize("n", [30, 100, 1000, 10**5])
def test_tolerances(alpha: Fraction, n: int, decisions: Count) -> None:
    """Whether none is tolerated, the answer, and the count beyond."""
    for name, search, threshold in (
        ("recall_reaches", planning.tolerated_failures, "0.8"),
        ("feedback_reaches", planning.tolerated_concordant, "0.51"),
        ("ceiling_reaches", planning.tolerated_discordant, "0.17"),
    ):
        limit = Fraction(threshold)
        assert decisions(planning, name, lambda search=search, limit=limit: search(n, alpha, limit)) <= 3


@alphas
@pytest.mark.parametrize(("x", "n"), [(0, 2), (1, 3), (30, 90), (3333, 10**4)])
def test_printed_limits(x: int, n: int, alpha: Fraction, decisions: Count) -> None:
    search = bounds.clopper_pearson_upper
    assert decisions(bounds, "ceiling_reaches", lambda: search(x, n, alpha)) == 2


@pytest.mark.parametrize("margin", ["0", "0.51", "-0.17"])
@pytest.mark.parametrize("n", [10, 30, 100])
def test_a_likely_point_settles(n: int, margin: str, decisions: Count) -> None:
    """The middle of the gap, after the place of a tie where one can be: counts that add up, no event, all of them."""
    tail = Fraction("0.0025")
    for n10 in range(0, n + 1, n // 10):
        for n01 in range(0, n - n10 + 1, n // 10):
            at = paired.Count(n10, n, tail), paired.Count(n01, n, tail), Fraction(margin)
            found = decisions(paired, "ceiling_reaches", lambda at=at: paired.settling_point.__wrapped__(*at))
            assert found <= (2 if n10 in (0, n - n01) or n01 == n else 1)


@pytest.mark.parametrize("n", [9, 30, 60])
def test_prices(n: int, decisions: Count) -> None:
    """A price that is certainty itself is not asked for, so one decision may do."""
    pairs, width = prices.PairedPrice(Fraction("0.3"), ((2, 1),)), prices.HalfWidthPrice(Fraction("0.3"))
    assert decisions(prices, "feedback_reaches", lambda: pairs.units(n, 10**12)) <= 2
    assert decisions(prices, "half_width_within", lambda: width.units(n, 10**12)) <= 2
