"""Rigorous binary enclosures: intervals [low, high] * 2**exponent on Python integers.

Every operation rounds `low` down and `high` up, so a comparison that comes out the same at both ends is a
proof. A comparison that does not is repeated with more bits by the caller.
"""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.record import Record


class Enclosure(Record):
    """A real number known to lie in [low * 2**exponent, high * 2**exponent], 0 <= low <= high."""

    low: int
    high: int
    exponent: int


def enclose(value: Fraction, bits: int) -> Enclosure:
    """The enclosure of a rational value >= 0 with about `bits` significant bits, one unit wide at most."""
    return enclose_ratio(value.numerator, value.denominator, bits)


def enclose_ratio(top: int, bottom: int, bits: int) -> Enclosure:
    """The enclosure of top / bottom, top >= 0 and bottom > 0, without reducing the fraction."""
    shift = bits - top.bit_length() + bottom.bit_length()
    low, rest = divmod(top << shift, bottom) if shift >= 0 else divmod(top, bottom << -shift)
    return Enclosure(low, low + (rest > 0), -shift)


def multiply(left: Enclosure, right: Enclosure, bits: int) -> Enclosure:
    """The product, rounded outward to `bits` significant bits."""
    low, high = left.low * right.low, left.high * right.high
    exponent = left.exponent + right.exponent
    excess = high.bit_length() - bits
    if excess <= 0:
        return Enclosure(low, high, exponent)
    return Enclosure(low >> excess, -(-high >> excess), exponent + excess)


def power(base: Fraction, n: int, bits: int) -> Enclosure:
    """base**n for base >= 0, n >= 0 by square and multiply; relative width below 4 * n * 2**-bits."""
    factor_low, factor_high, factor_exponent = enclose(base, bits)
    low, high, exponent = 1, 1, 0
    for digit in f"{n:b}":
        low, high, exponent = low * low, high * high, 2 * exponent
        if digit == "1":
            low, high, exponent = low * factor_low, high * factor_high, exponent + factor_exponent
        excess = high.bit_length() - bits
        if excess > 0:
            low, high, exponent = low >> excess, -(-high >> excess), exponent + excess
    return Enclosure(low, high, exponent)


def ends(value: Enclosure, bits: int) -> tuple[Fraction, Fraction]:
    """(low, high) as multiples of 2**-bits, rounded outward: short numbers, however small the enclosed one."""
    shift = value.exponent + bits
    if shift >= 0:
        low, high = value.low << shift, value.high << shift
    else:
        low, high = value.low >> -shift, -(-value.high >> -shift)
    return Fraction(low, 1 << bits), Fraction(high, 1 << bits)


def is_at_most(value: Enclosure, bound: Fraction) -> bool | None:
    """Whether the enclosed number is <= bound (> 0); None when the enclosure is too wide to tell."""
    if _scaled_at_most(value.high, value.exponent, bound):
        return True
    return None if _scaled_at_most(value.low, value.exponent, bound) else False


def _scaled_at_most(mantissa: int, exponent: int, bound: Fraction) -> bool:
    """Exact mantissa * 2**exponent <= bound; magnitudes come first so that a huge shift is never made."""
    top, bottom = bound.numerator, bound.denominator
    magnitude = mantissa.bit_length() + exponent - (top.bit_length() - bottom.bit_length())
    if abs(magnitude) > 2:
        return magnitude < 0
    if exponent >= 0:
        return (mantissa << exponent) * bottom <= top
    return mantissa * bottom <= top << -exponent
