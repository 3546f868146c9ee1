"""Enclosures of binomial terms and tails: exact rationals inside them, and how wide they may be."""

from fractions import Fraction
from math import ceil, comb, isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats import binomial
from dcp_lang.stats.enclosure import Enclosure
from dcp_lang.stats.exact import binomial_lower_tail

from . import naive

#: Factorials are long from here on.
LONG = binomial._LONG


def ends(value: Enclosure) -> tuple[Fraction, Fraction]:
    scale = Fraction(2) ** value.exponent
    return value.low * scale, value.high * scale


def holds(value: Enclosure, exact: Fraction, width: Fraction) -> bool:
    """Whether the exact value is inside, and the enclosure no wider than `width` relative to it."""
    low, high = ends(value)
    return low <= exact <= high and high - low <= width * exact


@naive.law
@given(st.data())
def test_tails_of_any_size(data: st.DataObject) -> None:
    """By the sum up to 24 terms and above the mean, by the continued fraction elsewhere."""
    n = data.draw(st.integers(1, 400))
    k = data.draw(st.integers(0, n - 1))
    p = Fraction(data.draw(st.integers(1, 10**6 - 1)), 10**6)
    for bits in (64, 96, 192):
        width = Fraction(2) ** (-bits // 2) + Fraction(n) * Fraction(2) ** (8 - bits)
        assert holds(binomial.lower_tail(n, k, p, bits), binomial_lower_tail(n, k, p), width)


@pytest.mark.parametrize("k", [24, 25, 26, 90, 167, 168, 169, 170, 999])
def test_tails_at_the_turns(k: int) -> None:
    """The last sum and the first fraction, both sides of the mean 170, one miss."""
    exact = binomial_lower_tail(1000, k, Fraction(17, 100))
    assert holds(binomial.lower_tail(1000, k, Fraction(17, 100), 128), exact, Fraction(1, 2**63))


def test_a_fraction_to_its_last_term_is_exact() -> None:
    """With all k + 1 terms only rounding is left: Pr(X <= 25) of 26, where the tail is nearly 1."""
    n, k, p = 26, 25, Fraction(97, 100)
    low, high = binomial._fraction(n, k, p, 256, k + 1)
    tail = binomial_lower_tail(n, k, p)
    term = comb(n, k) * p**k * (1 - p) ** (n - k)
    assert low <= (n - k) * p * term / tail * 2**256 <= high and high - low < 2**40


@pytest.mark.parametrize("p", ["0.1", "0.5", "0.9", "0.99"])
@pytest.mark.parametrize("n", [5, 26, 60])
def test_rounding_stays_outside_of_a_fraction(n: int, p: str) -> None:
    """With few bits, so that what is lost in each step would show: every count below the mean, every few terms."""
    rate = Fraction(p)
    for k in range(ceil(n * rate)):
        term = comb(n, k) * rate**k * (1 - rate) ** (n - k)
        value = (n - k) * rate * term / binomial_lower_tail(n, k, rate)
        for bits in (24, 32, 41):
            for terms in {min(terms, k + 1) for terms in (2, (k + 3) // 2, max(k, 2), k + 1)}:
                low, high = binomial._fraction(n, k, rate, bits, terms)
                assert low <= value * 2**bits <= high


@pytest.mark.parametrize("p", ["0.02", "0.1", "0.5", "0.9"])
@pytest.mark.parametrize("n", [5, 26, 60])
def test_rounding_stays_outside_of_a_sum(n: int, p: str) -> None:
    """The same for terms that are added up, on both sides of the mean, to the last and cut where the rest is small."""
    rate = Fraction(p)
    for k in range(n):
        exact = binomial_lower_tail(n, k, rate) / (comb(n, k) * rate**k * (1 - rate) ** (n - k))
        for bits, close in ((24, 8), (32, 16), (41, 40)):
            low, high = ends(binomial._ratio_sum(n, k, rate, bits, close))
            assert low <= exact <= high


@pytest.mark.parametrize("close", [6, 10, 18, 40, 61])
def test_a_ratio_is_as_close_as_asked_for(close: int) -> None:
    """2^-close wide at most, of its size; below the mean 170, near it and above it."""
    n, p = 1000, Fraction(17, 100)
    for k in (20, 24, 60, 90, 120, 150, 169, 170, 400):
        exact = binomial_lower_tail(n, k, p) / (comb(n, k) * p**k * (1 - p) ** (n - k))
        assert holds(binomial.ratio(n, k, p, 128, close), exact, Fraction(1, 2**close))


@pytest.mark.parametrize("terms", [1, 2, 5, 17])
def test_convergents_lie_on_both_sides(terms: int) -> None:
    n, k, p = 300, 40, Fraction(1, 5)
    term = comb(n, k) * p**k * (1 - p) ** (n - k)
    low, high = binomial._fraction(n, k, p, 128, terms + 1)
    value = (n - k) * p * term / binomial_lower_tail(n, k, p) * 2**128
    assert low <= value <= high
    wide = binomial._fraction(n, k, p, 128, terms + 5)
    assert wide[1] - wide[0] < high - low


@pytest.mark.parametrize(
    "k", [LONG - 1, LONG, LONG + 1, 2 * LONG, 3 * LONG - 1, 4 * LONG - LONG, 4 * LONG - LONG + 1]
)
@pytest.mark.parametrize("bits", [96, 192, 384])
def test_terms_by_products_and_by_stirling(k: int, bits: int) -> None:
    """The binomial coefficient is exact, so the term is, on both sides of where Stirling's series takes over."""
    n, p = 4 * LONG, Fraction(3, 7)
    exact = Fraction(comb(n, k) * 3**k * 4 ** (n - k), 7**n)
    assert holds(binomial.term(n, k, p, bits), exact, Fraction(5 * n, 2 ** (bits - 5)))


def test_stirling_needs_its_terms() -> None:
    """The series cut one term earlier would be off by more than the enclosure is wide."""
    n, k = 2 * LONG, LONG
    low, high = ends(binomial._stirling(n, k, 192))
    exact = Fraction(comb(n, k) * k**k * (n - k) ** (n - k), n**n)
    assert low <= exact <= high and high - low < exact / 2**170


def stirling() -> list[Fraction]:
    """B(2j) / (2j (2j - 1)) with sum over k <= m of C(m + 1, k) B(k) = 0 (Whittaker and Watson, 7.2 and 12.33)."""
    numbers = [Fraction(1)]
    for m in range(1, 21):
        numbers.append(-sum(comb(m + 1, k) * b for k, b in enumerate(numbers)) / (m + 1))
    return [numbers[2 * j] / (2 * j * (2 * j - 1)) for j in range(1, 11)]


@pytest.mark.parametrize("m", [1, 3, LONG, 5 * LONG])
def test_corrections_are_stirlings_series_rounded_down(m: int) -> None:
    """The sum over j of the coefficients times m^(1 - 2j), each within one unit; at m = 1 all of them show."""
    for terms in (1, 2, 9, 10):
        exact = sum(up / m ** (2 * j + 1) for j, up in enumerate(stirling()[:terms]))
        assert 0 <= exact * 2**192 - binomial._correction(m, terms, 192) < terms


@pytest.mark.parametrize("x", ["0", "0.0001", "0.25", "0.5"])
def test_decay_is_between_partial_sums(x: str) -> None:
    """Those of exp(-x) alternate around it; each of the terms of `_decay` is rounded by at most two units."""
    exponent = int(Fraction(x) * 2**192)
    size, sums = Fraction(1), [Fraction(1)]
    for j in range(1, 60):
        size *= -Fraction(exponent, 2**192) / j
        sums.append(sums[-1] + size)
    low, high = binomial._decay(exponent, 192)
    assert low <= min(sums[-2:]) * 2**192 and max(sums[-2:]) * 2**192 <= high and high - low < 5 * 40


def test_pi() -> None:
    """A hundred decimals, as in every table, whose error is below 2^-332; at every width the last bit is right."""
    decimals = (
        "1415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170679"
    )
    printed = Fraction("3." + decimals)
    for bits in range(64, 300):
        low, high = binomial._pi(bits)
        assert low <= printed * 2**bits <= high <= low + 2


def test_decay_is_an_exponential() -> None:
    """exp(-1/4)**4 is 1/e; and exp(0) is 1."""
    low, high = binomial._decay(2**190, 192)
    e, close = Fraction("2.71828182845904523536028747135266249775724709369995"), Fraction(1, 10**49)
    assert Fraction(low, 2**192) ** 4 <= 1 / e + close and Fraction(high, 2**192) ** 4 >= 1 / e - close
    assert high - low < 200 and binomial._decay(0, 192)[1] - 2**192 <= 4


def test_ten_million() -> None:
    """The middle of a fair coin is 1/sqrt(pi n/2) within 1/(4 n); its half tail has half of it from 1/2."""
    n, half = 10**7, Fraction(1, 2)
    low, high = ends(binomial.term(n, n // 2, half, 96))
    pi, scale = Fraction("3.14159265358979"), 10**40
    middle = Fraction(scale, isqrt(int(pi * n / 2 * scale * scale)))
    assert middle * (1 - Fraction(1, n)) < low < high < middle and high - low < low / 10**20
    tail = ends(binomial.lower_tail(n, n // 2 - 1, half, 128))
    assert all(abs(end - (1 - (low + high) / 2) / 2) < Fraction(1, 10**19) for end in tail)
