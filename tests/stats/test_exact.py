"""Powers and binomial tails against plain rationals, ties included."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dcp_lang.stats.enclosure import Enclosure, enclose, enclose_ratio, is_at_most, multiply, power
from dcp_lang.stats.exact import (
    binomial_lower_tail,
    binomial_upper_tail,
    lower_tail_at_most,
    lower_tail_bounds,
    lower_tail_estimate,
    power_at_most,
    power_reaches,
    scaled_tail_ceiling,
    short_lower_tail,
    short_power,
    upper_tail_at_most,
)

from . import naive

probabilities = st.fractions(0, 1, max_denominator=1000)
open_probabilities = st.integers(1, 999).map(lambda k: Fraction(k, 1000))


@naive.law
@given(probabilities, st.integers(0, 60), probabilities)
def test_power(base: Fraction, n: int, bound: Fraction) -> None:
    assert power_at_most(base, n, bound) == (base**n <= bound)


@naive.law
@given(open_probabilities, st.integers(1, 200), st.sampled_from([-1, 0, 1]))
def test_power_at_a_tie_and_one_unit_beside_it(base: Fraction, n: int, step: int) -> None:
    """The bound is the power itself, moved by 10**-700: nothing short of exact arithmetic can tell."""
    bound = base**n + Fraction(step, 10**700)
    assert power_at_most(base, n, bound) == (step >= 0)
    assert power_reaches(base, n, bound) == (step <= 0)


def test_ties_of_the_kernel_report() -> None:
    """0.95^7 is a tie that rounded logarithms miss; .0282475249 is 0.7^10 exactly."""
    assert power_at_most(Fraction("0.95"), 7, Fraction("0.95") ** 7)
    assert not power_at_most(Fraction("0.95"), 6, Fraction("0.95") ** 7)
    assert power_at_most(Fraction("0.7"), 10, Fraction("0.0282475249"))
    assert not power_at_most(Fraction("0.7"), 10, Fraction("0.0282475248"))


@naive.law
@given(st.integers(1, 40), st.integers(-2, 42), probabilities)
def test_tails_are_the_sums(n: int, k: int, p: Fraction) -> None:
    assert binomial_lower_tail(n, k, p) == naive.lower_tail(n, k, p)
    assert binomial_upper_tail(n, k, p) == naive.upper_tail(n, k, p)


@naive.law
@given(st.integers(1, 40), st.integers(-1, 41), probabilities, probabilities)
def test_tail_decisions(n: int, k: int, p: Fraction, bound: Fraction) -> None:
    assert lower_tail_at_most(n, k, p, bound) == (naive.lower_tail(n, k, p) <= bound)
    assert upper_tail_at_most(n, k, p, bound) == (naive.upper_tail(n, k, p) <= bound)


@naive.law
@given(st.integers(2, 40), st.integers(0, 39), open_probabilities, st.sampled_from([-1, 0, 1]))
def test_tail_at_a_tie_and_beside_it(n: int, k: int, p: Fraction, step: int) -> None:
    bound = naive.lower_tail(n, min(k, n - 1), p) + Fraction(step, 10**400)
    assert lower_tail_at_most(n, min(k, n - 1), p, bound) == (step >= 0)


@naive.law
@given(st.integers(1, 40), st.integers(0, 41), open_probabilities)
def test_scaled_ceiling_and_estimate(n: int, k: int, p: Fraction) -> None:
    tail = naive.lower_tail(n, k, p)
    assert scaled_tail_ceiling(n, k, p, 10**12) == -(-tail * 10**12 // 1)
    assert lower_tail_estimate(n, k, p) == pytest.approx(float(tail), rel=1e-14)


def test_scaled_ceiling_of_a_whole_number() -> None:
    """0.8^12 has twelve decimals: rounding up must not move it."""
    assert scaled_tail_ceiling(12, 0, Fraction(1, 5), 10**12) == 68719476736


@naive.law
@given(probabilities, probabilities, st.integers(8, 80), st.integers(0, 50))
def test_enclosures_enclose(left: Fraction, right: Fraction, bits: int, n: int) -> None:
    for value, box in (
        (left, enclose(left, bits)),
        (left * right, multiply(enclose(left, bits), enclose(right, bits), bits)),
        (left**n, power(left, n, bits)),
    ):
        scale = Fraction(2) ** box.exponent
        assert box.low * scale <= value <= box.high * scale


@naive.law
@given(st.integers(10**6, 10**7))
def test_ten_million(n: int) -> None:
    """Decisions at n up to 10^7, also with a tail of many terms: exact powers would not come back."""
    assert power_at_most(1 - Fraction(1, n), n, Fraction(37, 100))  # below 1/e = .3678...
    assert not power_at_most(1 - Fraction(1, n), n, Fraction(36, 100))
    assert not lower_tail_at_most(n, 1000, Fraction(1000, n), Fraction(1, 2))  # the median is 1000


@pytest.mark.parametrize(("bound", "holds"), [("-1", False), ("0", False), ("1", True), ("2", True)])
def test_a_tail_is_above_0_and_at_most_1(bound: str, holds: bool) -> None:
    assert lower_tail_at_most(5, 2, Fraction(1, 3), Fraction(bound)) == holds
    assert upper_tail_at_most(5, 2, Fraction(1, 3), Fraction(bound)) == holds


def test_the_scaled_ceiling_of_a_certain_tail() -> None:
    """At most n successes of n are certain; at most n - 1 are 1 - 1/8 here, 87.5 of 100."""
    assert scaled_tail_ceiling(3, 3, Fraction(1, 2), 100) == 100
    assert scaled_tail_ceiling(3, 2, Fraction(1, 2), 100) == 88


@pytest.mark.parametrize(("n", "k", "p"), [(5, 5, "0.3"), (5, 9, "0.3"), (5, 2, "0")])
def test_a_certain_tail_is_1(n: int, k: int, p: str) -> None:
    assert lower_tail_at_most(n, k, Fraction(p), Fraction(1))
    assert not lower_tail_at_most(n, k, Fraction(p), Fraction(999, 1000))


@pytest.mark.parametrize(("n", "k", "p"), [(5, -1, "0.3"), (5, -1, "0"), (5, 2, "1")])
def test_an_impossible_tail_is_0(n: int, k: int, p: str) -> None:
    assert lower_tail_at_most(n, k, Fraction(p), Fraction(0))
    assert not lower_tail_at_most(n, k, Fraction(p), Fraction(-1, 1000))


@naive.law
@given(st.integers(1, 30), st.integers(-1, 31), probabilities)
@example(5, 0, Fraction(1, 3))
@example(5, 0, Fraction(1))
@example(5, 4, Fraction(1))
def test_bounds_of_a_tail_enclose_it_closely(n: int, k: int, p: Fraction) -> None:
    low, high = lower_tail_bounds(n, k, p)
    assert low <= naive.lower_tail(n, k, p) <= high < low + Fraction(1, 10**20)


@pytest.mark.parametrize(("off", "verdict"), [(-1, True), (0, True), (1, False)])
def test_an_enclosure_of_whole_numbers_is_compared_exactly(off: int, verdict: bool) -> None:
    """12 = 3 · 2^2 and one more or less than 12; the exponent is not negative."""
    number = Enclosure(3, 3, 2)
    assert is_at_most(number, Fraction(12 - off)) is verdict
    assert is_at_most(Enclosure(12 + off, 12 + off, 0), Fraction(12)) is verdict


def test_a_scaled_ceiling_just_above_a_whole_number() -> None:
    """50 and 10^-60 are 51: no enclosure of 128 bits can tell, and the next whole number is tried."""
    above = (50 + Fraction(1, 10**60)) / 100
    assert scaled_tail_ceiling(1, 0, 1 - above, 100) == 51
    assert scaled_tail_ceiling(1, 0, 1 - Fraction(1, 2), 100) == 50


@pytest.mark.parametrize(("n", "exact"), [(1000, True), (1001, False)])
def test_short_numbers(n: int, exact: bool) -> None:
    """Exact up to a thousand, then a multiple of 2^-96 at most 10^-20 below."""
    rate = Fraction(1, 1000)
    for found, value in (
        (short_power(1 - rate, n), (1 - rate) ** n),
        (short_lower_tail(n, 2, rate), naive.lower_tail(n, 2, rate)),
    ):
        assert found == value if exact else value - Fraction(1, 10**20) < found < value
        assert exact or 2**96 % found.denominator == 0


@naive.law
@given(st.integers(0, 10**30), st.integers(1, 10**30), st.integers(4, 90))
@example(1, 3, 8)
@example(10, 3, 8)
@example(2**40, 1, 8)
def test_a_quotient_has_the_bits_asked_for(top: int, bottom: int, bits: int) -> None:
    """One unit wide unless it is exact, and `bits` or one more bits long."""
    low, high, exponent = enclose_ratio(top, bottom, bits)
    exact = Fraction(top, bottom) / Fraction(2) ** exponent
    assert low <= exact <= high == low + (exact != low)
    assert top == 0 or bits <= low.bit_length() <= bits + 1


@pytest.mark.parametrize(
    ("mantissa", "exponent", "bound", "holds"),
    [
        (3, 0, "7/2", True),
        (4, 0, "7/2", False),
        (3, -1, "3/2", True),
        (3, 1, "6", True),
        (13, -1, "13/2", True),
    ],
)
def test_numbers_are_compared_with_fractions(mantissa: int, exponent: int, bound: str, holds: bool) -> None:
    """3 <= 7/2 < 4; and 3/2, 6 and 13/2 are at most themselves."""
    assert is_at_most(Enclosure(mantissa, mantissa, exponent), Fraction(bound)) is holds
