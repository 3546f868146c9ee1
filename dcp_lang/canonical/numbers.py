"""Exact rationals as text: one value, one spelling."""

from __future__ import annotations

from fractions import Fraction

#: Longest spelling in characters: below the 4300 digits at which Python stops converting integers and text.
MAX_NUMBER_CHARS = 4096

_CHARS = frozenset("-./0123456789")
_TOO_LONG = f"a number of more than {MAX_NUMBER_CHARS} characters"


def number_text(value: Fraction | int) -> str:
    """The one spelling of `value`: its finite decimal if it has one ("0.05", "-3"), else "p/q" ("1/7").

    Raises ValueError beyond `MAX_NUMBER_CHARS` characters.
    """
    p, q = value.numerator, value.denominator
    places = None if _is_long(q) else _decimal_places(q)
    scaled = p * 10**places // q if places is not None else p
    if _is_long(max(abs(scaled), q)):
        raise ValueError(_TOO_LONG)
    text = f"{p}/{q}" if places is None else _decimal(scaled, places)
    if len(text) > MAX_NUMBER_CHARS:
        raise ValueError(_TOO_LONG)
    return text


def parse_number(text: str) -> Fraction:
    """The value of `text`, which must be what `number_text` writes for it; ValueError says why it is not."""
    if len(text) > MAX_NUMBER_CHARS:
        raise ValueError(_TOO_LONG)
    try:
        # Fraction also reads signs, exponents, underscores and the digits of other scripts.
        value = Fraction(text) if _CHARS.issuperset(text) else None
    except (ValueError, ZeroDivisionError):
        value = None
    if value is None:
        raise ValueError(
            f"{text!r} is not an exact number: write a decimal like '0.05' or a ratio like '1/7'"
        )
    spelling = number_text(value)
    if spelling != text:
        raise ValueError(f"{text!r} is a second spelling of {spelling!r}")
    return value


def _is_long(number: int) -> bool:
    """Whether it has more than `MAX_NUMBER_CHARS` digits; three bits are less than one, and sooner counted."""
    return number.bit_length() > 3 * MAX_NUMBER_CHARS and number >= 10**MAX_NUMBER_CHARS


def _decimal_places(q: int) -> int | None:
    """Digits after the point in the decimal of a fraction with reduced denominator `q`, None if endless."""
    twos = (q & -q).bit_length() - 1
    fives, rest = 0, q >> twos
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def _decimal(scaled: int, places: int) -> str:
    """`scaled` / 10**`places` as text; `places` is the least that makes `scaled` whole, so no zero trails."""
    digits = str(abs(scaled)).rjust(places + 1, "0")
    point = len(digits) - places
    return ("-" if scaled < 0 else "") + digits[:point] + ("." + digits[point:] if places else "")
