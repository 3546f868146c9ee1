"""The paired-binary interval: the paper's numbers, the definition, ties, and certificates."""

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.paired import (
    Count,
    _short_decimal,
    feedback_reaches,
    null_within,
    paired_interval,
    separating_point,
    settling_point,
    simplest_between,
)

from . import naive

ALPHA = Fraction("0.01")
alphas = st.sampled_from([Fraction(a) for a in ("0.05", "0.01", "0.000001", "0.5")])
cells = st.integers(1, 25).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n)).filter(lambda c: c[0] + c[1] <= n)
)
thresholds = st.fractions(-1, 1, max_denominator=60)


def test_the_papers_intervals() -> None:
    """30 truthful of 30 at 99%: [0.6379275, 1]; 60 concordant null pairs: +-0.0950339."""
    assert paired_interval(30, 0, 30, ALPHA) == (Fraction("0.637927454955"), Fraction(1))
    low, high = paired_interval(0, 0, 60, ALPHA)
    assert -low == high == Fraction("0.095033852856")


def test_the_evidence_margin() -> None:
    """0.34 + 0.17 = 0.51 <= 0.6379: reached by 22 of 22 and not by 21 of 21."""
    margin = Fraction("0.34") + Fraction("0.17")
    assert [n for n in range(15, 31) if feedback_reaches(n, 0, n, ALPHA, margin)] == list(range(22, 31))


def test_the_tail_is_a_quarter_of_alpha() -> None:
    """With half of alpha in each tail the bound would be .676212, which is wrong."""
    assert not feedback_reaches(30, 0, 30, ALPHA, Fraction("0.6380"))


@naive.law
@given(cells, alphas)
def test_interval_is_outward_and_tight(cell: tuple[int, int, int], alpha: Fraction) -> None:
    n10, n01, n = cell
    step, slack = Fraction(1, 10**6), Fraction(1, 2**40)
    low, high = naive.paired(n10, n01, n, alpha)
    lower, upper = paired_interval(n10, n01, n, alpha, 6)
    assert low - step - slack < lower <= low + slack
    assert high - slack <= upper < high + step + slack


@naive.law
@given(cells, alphas, thresholds)
def test_decision_is_the_definition(cell: tuple[int, int, int], alpha: Fraction, margin: Fraction) -> None:
    n10, n01, n = cell
    low, _ = naive.paired(n10, n01, n, alpha)
    if abs(low - margin) > Fraction(1, 2**50):
        assert feedback_reaches(n10, n01, n, alpha, margin) == (low > margin)


@naive.law
@given(cells, alphas, thresholds)
def test_the_settling_point_proves_the_answer(
    cell: tuple[int, int, int], alpha: Fraction, margin: Fraction
) -> None:
    """Both tails hold at c, or both fail: either settles the difference of the limits."""
    n10, n01, n = cell
    tail = alpha / 4
    separates, c = settling_point(Count(n10, n, tail), Count(n01, n, tail), margin)
    above = margin + c <= 0 or (margin + c < 1 and naive.upper_tail(n, n10, margin + c) <= tail)
    below = c >= 1 or (c > 0 and naive.lower_tail(n, n01, c) <= tail)
    assert above == below == separates


@naive.law
@given(cells, alphas, st.fractions(0, 1, max_denominator=60))
def test_null_is_both_limits(cell: tuple[int, int, int], alpha: Fraction, band: Fraction) -> None:
    n10, n01, n = cell
    both = feedback_reaches(n10, n01, n, alpha, -band) and feedback_reaches(n01, n10, n, alpha, -band)
    assert null_within(n10, n01, n, alpha, band) == both == null_within(n01, n10, n, alpha, band)


@naive.law
@given(st.integers(1, 40), st.integers(0, 3), st.integers(1, 98).map(lambda k: Fraction(k, 100)))
def test_equality_passes_when_the_counts_add_up(n: int, reversed_: int, margin: Fraction) -> None:
    """n10 + n01 = n: the limit 1 - 2 pU(n01) is the margin at alpha = 4 Pr(Bin(n, (1-margin)/2) <= n01)."""
    reversed_ = min(reversed_, n - 1)
    alpha = 4 * naive.lower_tail(n, reversed_, (1 - margin) / 2)
    if alpha < 1:
        assert feedback_reaches(n - reversed_, reversed_, n, alpha, margin)
        assert not feedback_reaches(n - reversed_, reversed_, n, alpha - Fraction(1, 10**40), margin)


@naive.law
@given(st.integers(1, 60), st.integers(1, 98).map(lambda k: Fraction(k, 100)))
def test_equality_of_the_null_band_passes(n: int, band: Fraction) -> None:
    """No discordant pair: the limit is 1 - (alpha/4)^(1/n), equal to the band at alpha = 4 (1-band)^n."""
    alpha = 4 * (1 - band) ** n
    if alpha < 1:
        assert null_within(0, 0, n, alpha, band)
        assert not null_within(0, 0, n, alpha - Fraction(1, 10**40), band)


def test_equality_at_a_rational_point_inside() -> None:
    """pL(2 of 2) = 1/10 and pU(0 of 2) = 9/10 at tail 1/100; different sizes meet at other rationals."""
    tail = Fraction(1, 100)
    assert separating_point(Count(2, 2, tail), Count(0, 2, tail), Fraction("-0.8")) == Fraction("0.9")
    # pL(1 of 1) = 1/100, pU(0 of 2) = 9/10: the difference is -0.89 exactly.
    assert separating_point(Count(1, 1, tail), Count(0, 2, tail), Fraction("-0.89")) == Fraction("0.9")
    assert separating_point(Count(1, 1, tail), Count(0, 2, tail), Fraction("-0.889999")) is None


def test_equality_where_all_pairs_are_reversed() -> None:
    """pL(2 of 2) = 1/10 and pU(2 of 2) = 1 at tail 1/100: c = 1, which no bisection of [0, 1] reaches."""
    both = Count(2, 2, Fraction(1, 100))
    assert separating_point(both, both, Fraction("-0.9")) == 1
    assert separating_point(both, both, Fraction("-0.89")) is None


def test_equality_at_an_irrational_point_is_not_found() -> None:
    """pL(2 of 2) = pU(1 of 2) = sqrt(1/2) at tail 1/2: given up in the direction that certifies nothing."""
    half = Fraction(1, 2)
    assert separating_point(Count(2, 2, half), Count(1, 2, half), Fraction(0)) is None
    assert separating_point(Count(2, 2, half), Count(1, 2, half), Fraction(-1, 10**9)) is not None


def test_equality_at_a_third() -> None:
    """Tail 4/9: pU(0 of 2) = 1/3 and pL(1 of 1) = 4/9 meet at c = 1/3, which no decimal and no dyadic hits."""
    tail = Fraction(4, 9)
    assert separating_point(Count(1, 1, tail), Count(0, 2, tail), Fraction(1, 9)) == Fraction(1, 3)


def test_equality_at_a_long_decimal() -> None:
    """A tie at a 90-digit threshold, too long to be met by bisection: tried first because its place is known."""
    long = Fraction("0.5") + Fraction(1, 3) ** 190
    assert feedback_reaches(3, 0, 3, 4 * ((1 + long) / 2) ** 3, long)
    assert null_within(0, 0, 3, 4 * (1 - long) ** 3, long)
    assert feedback_reaches(11, 1, 12, 4 * naive.lower_tail(12, 1, (1 - long) / 2), long)


def test_printed_limits_touch_the_exact_ones() -> None:
    """Every cell up to 12 pairs at two decimals, by exact decisions: also where the guard digits leave a doubt."""
    step = Fraction(1, 100)
    for n in range(1, 13):
        for n01 in range(n + 1):
            for n10 in range(n - n01 + 1):
                lower, _ = paired_interval(n10, n01, n, Fraction("0.05"), 2)
                assert lower <= -1 or feedback_reaches(n10, n01, n, Fraction("0.05"), lower)
                assert not feedback_reaches(n10, n01, n, Fraction("0.05"), lower + step)


@pytest.mark.parametrize(
    ("n10", "n01", "n", "printed"), [(7, 6, 36, "-0.28"), (35, 4, 44, "0.38"), (39, 2, 47, "0.50")]
)
def test_limits_beside_a_decimal(n10: int, n01: int, n: int, printed: str) -> None:
    """Less than 3 10^-6 above -.28, or below .39 and .51: the guard digits leave a doubt, as SciPy's limits do."""
    beta = pytest.importorskip("scipy.stats").beta
    limit = beta.ppf(0.0125, n10, n - n10 + 1) - beta.isf(0.0125, n01 + 1, n - n01)
    lower, _ = paired_interval(n10, n01, n, Fraction("0.05"), 2)
    assert lower == Fraction(printed) and printed == f"{floor(limit * 100) / 100:.2f}"
    assert min(limit * 100 % 1, -limit * 100 % 1) < 3e-3


@pytest.mark.parametrize(
    ("within", "decimal"),
    [(0.5, "1"), (0.05, "0.6"), (0.004, "0.638"), (1e-6, "0.637927"), (1e-20, "0.637927")],
)
def test_decimals_as_short_as_they_may_be(within: float, decimal: str) -> None:
    """The nearest of as many digits as half a unit of the last needs; at most fifteen, as floats have no more."""
    assert _short_decimal(0.637927, within) == Fraction(decimal)


@naive.law
@given(st.fractions(0, 3, max_denominator=500), st.fractions(0, 3, max_denominator=500))
def test_simplest_fraction_between(left: Fraction, right: Fraction) -> None:
    low, high = min(left, right), max(left, right)
    if low < high:
        simplest = simplest_between(low, high)
        assert low < simplest < high
        for bottom in range(1, simplest.denominator):
            assert not low < Fraction(int(low * bottom) + 1, bottom) < high


@pytest.mark.parametrize(("n10", "n01", "n"), [(30, 0, 30), (28, 1, 30), (0, 0, 60), (5, 5, 20)])
def test_the_kernel_agrees(n10: int, n01: int, n: int) -> None:
    stats = pytest.importorskip("dcp.stats")
    diffs = [1.0] * n10 + [-1.0] * n01 + [0.0] * (n - n10 - n01)
    kernel = stats.paired_binary_interval(diffs, 0.99)
    lower, upper = paired_interval(n10, n01, n, ALPHA)
    assert (kernel.lcb, kernel.ucb) == pytest.approx((float(lower), float(upper)), abs=2e-12)
