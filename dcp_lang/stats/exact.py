"""Exact comparisons of powers and binomial tails with a rational bound.

Every decision of the protocol is one of these (paper, Statistical inference): a zero-failure bound is a
power, a Clopper-Pearson bound is a binomial tail. Comparisons run on directed-rounding enclosures and fall
back to exact integers where a tie cannot be excluded; a rounded float never decides.
"""

from fractions import Fraction
from functools import lru_cache
from math import ldexp

from dcp_lang.stats.enclosure import Enclosure, ends, is_at_most, power

_HALF = Fraction(1, 2)
#: Up to here an exact power of a decimal is short enough to print from; beyond, it has bounds.
EXACT_UP_TO = 1000


def is_inner(value: Fraction) -> bool:
    """0 < value < 1, told by integers: comparing a fraction with one takes longer than dividing two."""
    return 0 < value.numerator < value.denominator


def power_at_most(base: Fraction, n: int, bound: Fraction) -> bool:
    """Whether base**n <= bound, exactly, for 0 <= base <= 1 and n >= 0.

    Strict inequalities are settled by enclosures of growing precision, which ends because a tie is excluded
    first.
    """
    if n == 0 or base == 1 or bound >= 1:
        return bound >= 1
    if base == 0 or bound <= 0:
        return base == 0 and bound >= 0
    if power_equals(base, n, bound):
        return True
    bits = 96
    while (verdict := is_at_most(power(base, n, bits), bound)) is None:
        bits *= 2
    return verdict


def power_reaches(base: Fraction, n: int, bound: Fraction) -> bool:
    """Whether base**n >= bound, exactly, for 0 <= base <= 1 and n >= 0."""
    return power_equals(base, n, bound) or not power_at_most(base, n, bound)


def power_equals(base: Fraction, n: int, bound: Fraction) -> bool:
    """Whether base**n == bound, by lowest terms: numerator and denominator must both be n-th powers.

    The denominator of `bound` has at least n * log2(denominator of base) bits, so the powers are formed only
    when short.
    """
    if n * (base.denominator.bit_length() - 1) >= bound.denominator.bit_length():
        return False
    return Fraction(base.numerator**n, base.denominator**n) == bound


def binomial_lower_tail(n: int, k: int, p: Fraction) -> Fraction:
    """Pr(X <= k) for X ~ Binomial(n, p), an exact rational; 0 <= p <= 1."""
    if not 0 <= k < n:
        return Fraction(k >= n)
    if 2 * k >= n:
        return 1 - Fraction(_tail_numerator(n, n - k - 1, 1 - p), p.denominator**n)
    return Fraction(_tail_numerator(n, k, p), p.denominator**n)


def binomial_upper_tail(n: int, k: int, p: Fraction) -> Fraction:
    """Pr(X >= k) for X ~ Binomial(n, p), an exact rational; 0 <= p <= 1."""
    return binomial_lower_tail(n, n - k, 1 - p)


def _tail_numerator(n: int, k: int, p: Fraction) -> int:
    """sum over j <= k of C(n, j) s**j (q-s)**(n-j) for p = s/q: the tail times q**n."""
    hit, miss = p.numerator, p.denominator - p.numerator
    if miss == 0:
        return 0
    term: int = miss**n
    total = term
    for j in range(k):
        term = term * (n - j) * hit // ((j + 1) * miss)
        total += term
    return total


# Remembered: an editor asks the same after every edit that leaves the gate alone.
@lru_cache(maxsize=1024)
def lower_tail_at_most(n: int, k: int, p: Fraction, bound: Fraction) -> bool:
    """Whether Pr(Binomial(n, p) <= k) <= bound, exactly, for n up to 10**7.

    A median of Binomial(n, p) is at most ceil(n p) (Kaas and Buhrman 1980), so no bound below 1/2 holds from
    there on.
    """
    if not (0 <= k < n and is_inner(p)):
        return bound >= (k >= n or (k >= 0 and p == 0))
    if not is_inner(bound):
        return bound >= 1
    is_above = k * p.denominator >= n * p.numerator
    if is_above and bound < _HALF:
        return False
    for bits in (96, 192, 384):
        verdict = (
            _upper_exceeds(n, k, p, 1 - bound, bits)
            if is_above
            else is_at_most(_lower_tail(n, k, p, bits), bound)
        )
        if verdict is not None:
            return verdict
    return binomial_lower_tail(n, k, p) <= bound


def _lower_tail(n: int, k: int, p: Fraction, bits: int) -> Enclosure:
    """Pr(Binomial(n, p) <= k) for 0 <= k < n, 0 < p < 1: of no event a power, the only tail of most plans."""
    if k == 0:
        return power(1 - p, n, bits)
    from dcp_lang.stats.binomial import lower_tail

    return lower_tail(n, k, p, bits)


def _upper_exceeds(n: int, k: int, p: Fraction, bound: Fraction, bits: int) -> bool | None:
    """Whether Pr(Binomial(n, p) > k) > bound; None when the enclosure is too wide to tell, as it is at a tie."""
    tail = _lower_tail(n, n - k - 1, 1 - p, bits)
    verdict = is_at_most(tail._replace(high=tail.high + 1), bound)
    return None if verdict is None else not verdict


def upper_tail_at_most(n: int, k: int, p: Fraction, bound: Fraction) -> bool:
    """Whether Pr(Binomial(n, p) >= k) <= bound, exactly."""
    return lower_tail_at_most(n, n - k, 1 - p, bound)


def scaled_tail_ceiling(n: int, k: int, p: Fraction, scale: int) -> int:
    """The least integer m with scale * Pr(Binomial(n, p) <= k) <= m, for 0 < p < 1."""
    if k >= n:
        return scale
    tail = _lower_tail(n, k, p, 128)
    low, high = (_scaled_ceiling(mantissa * scale, tail.exponent) for mantissa in (tail.low, tail.high))
    while low < high and not lower_tail_at_most(n, k, p, Fraction(low, scale)):
        low += 1
    return low


def power_bounds(base: Fraction, n: int) -> tuple[Fraction, Fraction]:
    """(low, high) around base**n for 0 <= base <= 1, less than 10**-20 apart for n up to 10**7."""
    return ends(power(base, n, 128), 96)


def lower_tail_bounds(n: int, k: int, p: Fraction) -> tuple[Fraction, Fraction]:
    """(low, high) around Pr(Binomial(n, p) <= k), less than 10**-20 apart for n up to 10**7.

    The tail that does not hold the mean is summed: its terms fall from its end on.
    """
    if not 0 <= k < n or p in (0, 1):
        certain = Fraction(k >= n or (k >= 0 and p == 0))
        return certain, certain
    if k < n * p:
        return ends(_lower_tail(n, k, p, 128), 96)
    low, high = ends(_lower_tail(n, n - k - 1, 1 - p, 128), 96)
    return 1 - high, 1 - low


def short_power(base: Fraction, n: int) -> Fraction:
    """base**n for 0 <= base <= 1, exact up to n = `EXACT_UP_TO`; beyond, rounded down by less than 10**-20."""
    return base**n if n <= EXACT_UP_TO else power_bounds(base, n)[0]


def short_lower_tail(n: int, k: int, p: Fraction) -> Fraction:
    """Pr(Binomial(n, p) <= k), exact up to n = `EXACT_UP_TO`; beyond, rounded down by less than 10**-20."""
    return binomial_lower_tail(n, k, p) if n <= EXACT_UP_TO else lower_tail_bounds(n, k, p)[0]


def lower_tail_estimate(n: int, k: int, p: Fraction) -> float:
    """Pr(Binomial(n, p) <= k) in floats, 0 < p < 1, correct to about 14 digits; 0 where it underflows."""
    if k >= n:
        return 1.0
    tail = _lower_tail(n, k, p, 128)
    return ldexp(tail.high, tail.exponent)


def _scaled_ceiling(mantissa: int, exponent: int) -> int:
    return mantissa << exponent if exponent >= 0 else -(-mantissa >> -exponent)
