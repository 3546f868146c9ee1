"""Certified enclosures of binomial probabilities in a time that hardly grows with n.

Pr(X <= k) is the term Pr(X = k) times the ratio Pr(X <= k) / Pr(X = k). Long factorials in the term come from
Stirling's series, whose partial sums lie on both sides of it (Whittaker and Watson, 12.33); the ratio comes from a
continued fraction of positive terms, whose convergents do the same (DiDonato and Morris 1992, equation 9).
"""

from fractions import Fraction
from functools import lru_cache
from math import isqrt, perm

from dcp_lang.stats.enclosure import Enclosure, enclose_ratio, multiply, power

#: From this count on factorials are taken from Stirling's series, whose error then is below `_STIRLING_BITS`.
_LONG, _STIRLING_BITS = 2048, 192
#: B(2j) / (2j (2j - 1)), the coefficients of m**(1 - 2j) in ln m! - ln(sqrt(2 pi m) (m/e)**m).
_STIRLING = (
    (1, 12),
    (-1, 360),
    (1, 1260),
    (-1, 1680),
    (1, 1188),
    (-691, 360360),
    (1, 156),
    (-3617, 122400),
    (43867, 244188),
    (-174611, 125400),
)
#: Up to this many terms of the tail are added up rather than taken from the continued fraction.
_FEW = 24


def lower_tail(n: int, k: int, p: Fraction, bits: int) -> Enclosure:
    """Pr(Binomial(n, p) <= k) for 0 <= k < n, 0 < p < 1; relative width about 2**(-bits/2)."""
    return multiply(term(n, k, p, bits), ratio(n, k, p, bits), bits)


def term(n: int, k: int, p: Fraction, bits: int) -> Enclosure:
    """Pr(Binomial(n, p) = k) for 0 <= k <= n, 0 < p < 1; relative width below (4 n + k) * 2**(5-bits)."""
    first, second = power(p, k, bits), power(1 - p, n - k, bits)
    return multiply(multiply(first, second, bits), coefficient(n, min(k, n - k), bits), bits)


@lru_cache(maxsize=256)
def coefficient(n: int, k: int, bits: int) -> Enclosure:
    """C(n, k) for k <= n - k: by Stirling's series, or as a product of quotients of 64 falling factors each."""
    if k >= _LONG and bits <= _STIRLING_BITS:
        first, second = power(Fraction(n, k), k, bits), power(Fraction(n, n - k), n - k, bits)
        return multiply(multiply(first, second, bits), _stirling(n, k, bits), bits)
    result = Enclosure(1, 1, 0)
    for done in range(0, k, 64):
        size = min(64, k - done)
        result = multiply(result, enclose_ratio(perm(n - done, size), perm(k - done, size), bits), bits)
    return result


def _stirling(n: int, k: int, bits: int) -> Enclosure:
    """C(n, k) k**k (n-k)**(n-k) / n**n = sqrt(n / (2 pi k (n-k))) exp(d(n) - d(k) - d(n-k)), d from `_STIRLING`."""
    # d lies between its sums of nine terms, which is too large, and of ten; 30 terms are rounded by one each.
    least = _correction(k, 10, bits) + _correction(n - k, 10, bits) - _correction(n, 9, bits) - 30
    most = _correction(k, 9, bits) + _correction(n - k, 9, bits) - _correction(n, 10, bits) + 30
    decay = Enclosure(_decay(most, bits)[0], _decay(least, bits)[1], -bits)
    low, high = ((n << 4 * bits) // (2 * k * (n - k) * pi) for pi in reversed(_pi(bits)))
    return multiply(Enclosure(isqrt(low), isqrt(high) + 1, -3 * bits // 2), decay, bits)


def _correction(m: int, terms: int, bits: int) -> int:
    """The sum of the first terms of d(m), times 2**bits."""
    return sum((up << bits) // (down * m ** (2 * j + 1)) for j, (up, down) in enumerate(_STIRLING[:terms]))


def _decay(exponent: int, bits: int) -> tuple[int, int]:
    """(low, high) around exp(-x) for x = exponent / 2**bits in [0, 1/2], times 2**bits, by Taylor's series."""
    total = size = 1 << bits
    count = 0
    while size:
        count += 1
        size = (size * exponent >> bits) // count
        total += -size if count % 2 else size
    # Each size is less than 2 below its value, and so are all those left out together.
    return total - 2 * count - 2, total + 2 * count + 2


@lru_cache(maxsize=8)
def _pi(bits: int) -> tuple[int, int]:
    """(low, high) around pi * 2**bits: Machin's 16 arctan(1/5) - 4 arctan(1/239)."""
    fifth, small = _arctangent(5, bits + 16), _arctangent(239, bits + 16)
    middle, error = 16 * fifth - 4 * small, 20 * (bits + 20)
    return (middle - error) >> 16, ((middle + error) >> 16) + 1


def _arctangent(m: int, bits: int) -> int:
    """arctan(1/m) * 2**bits; each of at most `bits` terms is rounded by at most 2."""
    total, size, k = 0, (1 << bits) // m, 1
    while size:
        total += size // k if k % 4 == 1 else -(size // k)
        size //= m * m
        k += 2
    return total


def ratio(n: int, k: int, p: Fraction, bits: int, close: int | None = None) -> Enclosure:
    """Pr(X <= k) / Pr(X = k) for 0 <= k < n, 0 < p < 1; relative width below 2**-close, by default 2**(-bits/2).

    It is (n - k) p over the continued fraction. It is added up above the mean, where the fraction's terms need not be
    positive, and where each term of the tail is at most 3/4 of the one before.
    """
    hit, whole = p.numerator, p.denominator
    close = bits // 2 if close is None else close
    falls_fast = 4 * k * (whole - hit) <= 3 * (n - k + 1) * hit
    if k <= _FEW or falls_fast or k * whole >= n * hit:
        return _ratio_sum(n, k, p, bits, close)
    terms = close // 2
    while True:
        terms = min(terms + terms // 2, k + 1)
        low, high = _fraction(n, k, p, bits, terms)
        if terms == k + 1 or (high - low) << close + 1 <= low:
            break
    top = (n - k) * hit << 2 * bits
    return Enclosure(top // (whole * high), -(-top // (whole * low)), -bits)


def _fraction(n: int, k: int, p: Fraction, bits: int, terms: int) -> tuple[int, int]:
    """(low, high) around b1 + a2 / (b2 + a3 / (b3 + ...)) times 2**bits, from its first `terms` terms.

    What follows the last of them is in [0, infinity]; there are k + 1. Numbers are rounded down to units; the b's lose
    less than 2 n + 6 of them (n + 2 + j <= 2 n + 2 in `last`, k in `miss`, 2 by division), the a's what is added.
    """
    hit, a, room = (p.numerator << bits) // p.denominator, n - k, 2 * n + 6
    miss, excess = (1 << bits) - hit - 1, (n + 1) * hit - (k << bits)
    square = miss * miss >> bits
    rest_low = rest_high = 0
    for j in range(terms - 1, 0, -1):
        below = a + 2 * j - 1
        last = (a + j) * (excess + j * ((1 << bits) + hit)) // (below + 2)
        low = (j << bits) + j * (k + 1 - j) * miss // below + last + rest_low
        high = low - rest_low + room + rest_high
        factor = ((a + j - 1) * (n + j) * j * (k + 1 - j) << bits) // (below * below)
        top = factor * square >> bits
        rest_low = (top << bits) // high if j < terms - 1 or terms > k else 0
        rest_high = (top + 5 * (factor >> bits) + 7 << bits) // low + 1
    first = a * excess // (a + 1)
    return first + rest_low, first + room + rest_high


def _ratio_sum(n: int, k: int, p: Fraction, bits: int, close: int) -> Enclosure:
    """sum over j <= k of Pr(X = j) / Pr(X = k), fixed point with `bits` fraction bits.

    Going down, the ratio of neighbours j (1-p) / ((n-j+1) p) falls, so once it is below 1 a geometric series
    bounds the rest; the sum stops when that rest is below 2**-close and adds it to the upper end.
    """
    hit, miss = p.numerator, p.denominator - p.numerator
    term_low = term_high = low = high = 1 << bits
    for j in range(k, 0, -1):
        up, down = j * miss, (n - j + 1) * hit
        term_low = term_low * up // down
        term_high = -(-term_high * up // down)
        low, high = low + term_low, high + term_high
        if up < down and term_high * up < (down - up) << bits - close:
            high += term_high * up // (down - up) + 1
            break
    return Enclosure(low, high, -bits)
