"""Two comparisons that certificates rest on, decided with whole numbers."""

from __future__ import annotations

from fractions import Fraction

#: Powers of at most this many bits are computed in full; equality can only occur among these.
_FULL = 200_000


def power_at_most(p: Fraction, n: int, bound: Fraction) -> bool:
    """Whether p^n <= bound, for 0 <= p <= 1, n >= 1 and 0 < bound."""
    if n * p.denominator.bit_length() <= max(_FULL, 2 * bound.denominator.bit_length()):
        return bool(p.numerator**n * bound.denominator <= bound.numerator * p.denominator**n)
    bits = 192
    while True:
        low, high = _fixed_power(p, n, bits)
        if Fraction(high, 1 << bits) <= bound:
            return True
        if Fraction(low, 1 << bits) > bound:
            return False
        bits *= 2


def _fixed_power(p: Fraction, n: int, bits: int) -> tuple[int, int]:
    """Bounds of p^n in units of 2^-bits, by squaring with every step rounded down, and up."""
    base_low = (p.numerator << bits) // p.denominator
    base_high = -(-(p.numerator << bits) // p.denominator)
    low = high = 1 << bits
    for digit in bin(n)[2:]:
        low, high = low * low >> bits, -(-high * high >> bits)
        if digit == "1":
            low, high = low * base_low >> bits, -(-high * base_high >> bits)
    return low, high


def exceeds_logarithm(p: Fraction, x: Fraction) -> bool:
    """Whether p >= ln(x), for p >= 0 and rational x > 1: whether e^p >= x.

    The series of e^p is summed until the rest, which is less than twice its first term once the terms at
    least halve, decides. Equality cannot occur: e^p is transcendental for rational p > 0.
    """
    if p == 0:
        return x <= 1
    term = total = Fraction(1)
    index = 0
    while True:
        index += 1
        term *= p / index
        total += term
        if total >= x:
            return True
        if index > 2 * p and total + 2 * term < x:
            return False
