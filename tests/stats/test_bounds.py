"""Zero-failure and Clopper-Pearson bounds: the paper's numbers, the laws, and SciPy."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.bounds import (
    ceiling_reaches,
    clopper_pearson_lower,
    clopper_pearson_upper,
    recall_reaches,
    zero_failure_bound,
    zero_failure_reaches,
)
from dcp_lang.stats.power import hit_rate_ceiling
from dcp_lang.stats.sequential import first_hit_bounds

from . import naive

alphas = st.sampled_from([Fraction(a) for a in ("0.05", "0.01", "0.005", "0.0025", "0.000001", "0.3", "0.9")])
counts = st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_the_papers_zero_hit_bounds() -> None:
    """SQLite-Web 96 at 1%: 0.0468; device 80 at 2%: 0.0477; catalyst neutral 30 at 0.5%."""
    assert zero_failure_bound(96, Fraction("0.01")) == Fraction("0.046838116766")
    assert zero_failure_bound(80, Fraction("0.02")) == Fraction("0.047723921272")
    assert zero_failure_bound(30, Fraction("0.005"), 7) == Fraction("0.1618940")  # .16189392..., up


def test_the_papers_recall_bound() -> None:
    assert clopper_pearson_lower(45, 45, Fraction("0.005"), 7) == Fraction("0.8889268")


@pytest.mark.parametrize(
    ("n", "alpha", "bound"),
    [
        (58, "0.05", "0.0503393"),
        (59, "0.05", "0.0495076"),
        (76, "0.02", "0.0501716"),
        (77, "0.02", "0.0495365"),
        (89, "0.01", "0.0504276"),
        (90, "0.01", "0.0498815"),
    ],
)
def test_bounds_around_the_least_n(n: int, alpha: str, bound: str) -> None:
    exact = zero_failure_bound(n, Fraction(alpha))
    assert abs(exact - Fraction(bound)) <= Fraction(5, 10**8)
    assert zero_failure_reaches(n, Fraction(alpha), Fraction("0.05")) == (exact <= Fraction("0.05"))


@naive.law
@given(st.integers(1, 300), alphas)
def test_zero_failure_bound_is_the_least_decimal_that_holds(n: int, alpha: Fraction) -> None:
    bound = zero_failure_bound(n, alpha, 9)
    assert (1 - bound) ** n <= alpha
    assert (1 - bound + Fraction(1, 10**9)) ** n > alpha


@naive.law
@given(st.integers(1, 300), alphas)
def test_zero_failure_is_clopper_pearson_at_zero(n: int, alpha: Fraction) -> None:
    assert zero_failure_bound(n, alpha) == clopper_pearson_upper(0, n, alpha)


@naive.law
@given(counts, alphas)
def test_limits_are_outward_and_tight(count: tuple[int, int], alpha: Fraction) -> None:
    x, n = count
    lower, upper = clopper_pearson_lower(x, n, alpha, 9), clopper_pearson_upper(x, n, alpha, 9)
    step, (low, high) = Fraction(1, 10**9), naive.limits(x, n, alpha)
    slack = Fraction(1, 2**59)
    assert low - step - slack < lower <= low + slack
    assert high - slack <= upper < high + step + slack


@naive.law
@given(counts, alphas)
def test_limits_are_probabilities_around_the_estimate(count: tuple[int, int], alpha: Fraction) -> None:
    x, n = count
    lower, upper = clopper_pearson_lower(x, n, alpha), clopper_pearson_upper(x, n, alpha)
    assert 0 <= lower <= 1 and 0 <= upper <= 1
    assert (lower == 0) == (x == 0) and (upper == 1) == (x == n)
    if alpha < Fraction(1, 2):
        assert lower <= Fraction(x, n) <= upper


def test_symmetry() -> None:
    """L(x) + U(n - x) = 1 exactly, for every cell up to n = 45 at the paired tail."""
    for n in range(1, 46):
        for x in range(n + 1):
            lower = clopper_pearson_lower(x, n, Fraction("0.0025"), 9)
            assert lower + clopper_pearson_upper(n - x, n, Fraction("0.0025"), 9) == 1


@naive.law
@given(counts, alphas, st.fractions(0, 1, max_denominator=100))
def test_decisions_are_the_tails(count: tuple[int, int], alpha: Fraction, threshold: Fraction) -> None:
    x, n = count
    below = threshold <= 0 or (threshold < 1 and naive.upper_tail(n, x, threshold) <= alpha)
    above = threshold >= 1 or (threshold > 0 and naive.lower_tail(n, x, threshold) <= alpha)
    assert recall_reaches(x, n, alpha, threshold) == below
    assert ceiling_reaches(x, n, alpha, threshold) == above


def test_equality_passes() -> None:
    """20 of 20 at alpha = 0.8^20 has a lower bound of exactly 0.8."""
    alpha = Fraction("0.8") ** 20
    assert recall_reaches(20, 20, alpha, Fraction("0.8"))
    assert not recall_reaches(20, 20, alpha, Fraction("0.8") + Fraction(1, 10**30))
    assert clopper_pearson_lower(20, 20, alpha) == Fraction("0.8")


@pytest.mark.parametrize(
    ("x", "n", "tail", "expected"),
    [
        (20, 20, "0.05", (0.8608916593, 1)),
        (20, 20, "0.025", (0.8315665290, 1)),
        (0, 18, "0.005", (0, 0.254985028482775)),
        (18, 18, "0.005", (0.745014971517225, 1)),
    ],
)
def test_one_and_two_sided_limits(x: int, n: int, tail: str, expected: tuple[float, float]) -> None:
    """Known values: exactbinomial tables; neither nan at the ends nor a doubled tail."""
    alpha = Fraction(tail)
    limits = clopper_pearson_lower(x, n, alpha), clopper_pearson_upper(x, n, alpha)
    assert [float(limit) for limit in limits] == pytest.approx(expected, abs=5e-11)


def test_scipy_agrees() -> None:
    beta = pytest.importorskip("scipy.stats").beta
    for x, n in ((0, 1), (1, 2), (17, 30), (59, 60), (980, 1000), (3, 10**5)):
        for alpha in (0.05, 0.0025):
            lower = beta.ppf(alpha, x, n - x + 1) if x else 0.0
            upper = beta.isf(alpha, x + 1, n - x) if x < n else 1.0
            exact = Fraction(alpha)
            assert float(clopper_pearson_lower(x, n, exact)) == pytest.approx(lower, rel=1e-9, abs=2e-12)
            assert float(clopper_pearson_upper(x, n, exact)) == pytest.approx(upper, rel=1e-9, abs=2e-12)


def test_bounds_are_printed_with_twelve_decimals() -> None:
    """Unless asked for more: the thirteenth of each is not 0."""
    alpha = Fraction("0.05")
    for twelve, more in (
        (zero_failure_bound(7, alpha), zero_failure_bound(7, alpha, 14)),
        (clopper_pearson_upper(2, 7, alpha), clopper_pearson_upper(2, 7, alpha, 14)),
        (clopper_pearson_lower(2, 7, alpha), clopper_pearson_lower(2, 7, alpha, 14)),
        (hit_rate_ceiling(7, alpha), hit_rate_ceiling(7, alpha, 14)),
        (first_hit_bounds(7, alpha)[0], first_hit_bounds(7, alpha, 14)[0]),
        (first_hit_bounds(7, alpha)[1], first_hit_bounds(7, alpha, 14)[1]),
    ):
        assert 10**12 * twelve % 1 == 0 < 10**12 * more % 1
