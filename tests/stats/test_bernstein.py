"""The empirical Bernstein half-width: the logarithm's enclosure, rounding, and the kernel."""

from fractions import Fraction
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.bernstein import half_width, half_width_within, log_enclosure
from dcp_lang.stats.planning import continuous_null_pairs, least_units

from . import naive

TWO = Fraction(2)
samples = st.tuples(
    st.integers(2, 5000),
    st.fractions(0, 1, max_denominator=100),
    st.integers(1, 999).map(lambda k: Fraction(k, 1000)),
)


@naive.law
@given(st.fractions(1, 10**12), st.integers(8, 300))
def test_logarithm_is_enclosed(value: Fraction, bits: int) -> None:
    low, high = log_enclosure(value, bits)
    assert float(low) - 1e-9 <= log(value.numerator) - log(value.denominator) <= float(high) + 1e-9
    assert 0 <= high - low <= Fraction(50, 2**bits)


def test_logarithm_of_two() -> None:
    """ln 2 to thirty digits (OEIS A002162)."""
    low, high = log_enclosure(TWO, 110)
    known = Fraction("0.693147180559945309417232121458")
    assert low <= known + Fraction(1, 10**30) and known <= high


def test_enclosures_are_nested_around_one_number() -> None:
    """Two precisions must overlap: a bound on the wrong side would separate them."""
    for value in (Fraction(80), Fraction(4, 3), Fraction(400), Fraction(10**9, 7)):
        coarse, fine = log_enclosure(value, 12), log_enclosure(value, 200)
        assert coarse[0] <= fine[0] and fine[1] <= coarse[1]


@naive.law
@given(samples)
def test_half_width_is_the_formula_rounded_up(sample: tuple[int, Fraction, Fraction]) -> None:
    n, variance, alpha = sample
    log_term = log(4 / float(alpha))
    formula = sqrt(2 * float(variance) * log_term / n) + 14 * log_term / (3 * (n - 1))
    assert float(half_width(n, variance, alpha)) == pytest.approx(formula, rel=1e-11)


@naive.law
@given(samples)
def test_half_width_is_the_least_decimal_that_holds(sample: tuple[int, Fraction, Fraction]) -> None:
    n, variance, alpha = sample
    width = half_width(n, variance, alpha, places=9)
    assert half_width_within(n, variance, alpha, TWO, width)
    assert not half_width_within(n, variance, alpha, TWO, width - Fraction(1, 10**9))
    assert width * 10**9 % 1 == 0


def test_a_target_beside_the_half_width_needs_more_digits() -> None:
    """14 ln(4/alpha) / (3 (n - 1)) with the logarithm known to 2^-250: just above it and just below."""
    n, alpha, zero = 34, Fraction("0.01"), Fraction(0)
    low, high = (14 * end / (3 * (n - 1)) for end in log_enclosure(4 / alpha, 250))
    assert half_width_within(n, zero, alpha, TWO, high) and not half_width_within(n, zero, alpha, TWO, low)


def test_least_units_and_the_continuous_floor() -> None:
    """delta_sham .02 at alpha .005 needs 1,561 null pairs even without variance."""
    assert continuous_null_pairs(Fraction("0.005"), Fraction("0.02")) == 1561
    n = least_units(Fraction("0.25"), Fraction("0.05"), TWO, Fraction("0.5"))
    assert n is not None
    assert half_width_within(n, Fraction("0.25"), Fraction("0.05"), TWO, Fraction("0.5"))
    assert not half_width_within(n - 1, Fraction("0.25"), Fraction("0.05"), TWO, Fraction("0.5"))


def test_narrower_range_needs_fewer() -> None:
    """Half the width halves the linear term; the variance term stays."""
    zero = Fraction(0)
    assert half_width(101, zero, Fraction("0.05"), Fraction(1)) * 2 == pytest.approx(
        half_width(101, zero, Fraction("0.05"), TWO), abs=1e-11
    )


def test_the_kernel_agrees() -> None:
    stats = pytest.importorskip("dcp.stats")
    values = [0.25, -0.5, 0.75, 0.0, 0.125] * 8
    exact = [Fraction(value) for value in values]
    mean = sum(exact, start=Fraction(0)) / len(exact)
    variance = sum(((value - mean) ** 2 for value in exact), start=Fraction(0)) / (len(exact) - 1)
    kernel = stats.bounded_empirical_bernstein_interval(values, 0.99)
    assert kernel.half_width == pytest.approx(
        float(half_width(len(values), variance, Fraction("0.01"))), abs=1e-11
    )
