"""What to make of a number that is written wrong."""

from __future__ import annotations

import re
from fractions import Fraction

from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import faults, tables
from dcp_lang.syntax.mended import Mended

#: Most digits before and after the point.
MAX_WHOLE, MAX_FRACTION = 15, 12

_NUMBER = re.compile(r"([0-9](?:_?[0-9])*)(?:\.([0-9](?:_?[0-9])*))?%?")
_RUN = re.compile(r"[0-9][0-9A-Za-z_.%]*")
_EXPONENT = re.compile(r"([0-9][0-9_]*(?:\.[0-9]+)?)[eE]([+-]?)([0-9]+)(%?)(?![0-9A-Za-z_.%])")
_PARTS = re.compile(r"([0-9_.]+)(%*)(.*)")
_COMMAS = re.compile(r"[0-9_]+(?:(?:,[0-9]{3})+(?![0-9])|,[0-9]+)(?:\.[0-9]+)?%?(?![0-9A-Za-z_.%])")


def digit_counts(text: str) -> tuple[int, int] | None:
    """Digits before and after the point of a number; None when it is not formed like one."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    whole, fraction = (part.replace("_", "") for part in match.groups(default=""))
    return len(whole), len(fraction)


def is_number(text: str) -> bool:
    """Whether a text is a number within the caps."""
    counts = digit_counts(text)
    return counts is not None and counts[0] <= MAX_WHOLE and counts[1] <= MAX_FRACTION


def mend_number(source: SourceFile, start: int) -> Mended:
    """What the digits at `start`, where no number starts, are taken for."""
    return _after_comma(source, start) or _with_exponent(source, start) or _plain(source, start)


def mend_commas(source: SourceFile, start: int) -> Mended | None:
    """Numbers joined by commas without blanks, where no list is meant: `0,05`, `1,000`."""
    match = _COMMAS.match(source.text, start)
    if match is None:
        return None
    span, text = Span(*match.span()), match[0]
    first, *groups = re.split(",", re.split("[.%]", text)[0])
    if len(first) <= 3 and not first.startswith("0") and {len(group) for group in groups} == {3}:
        meant = text.replace(",", "_")
        # `1,234` may as well be meant as 1.234.
        is_certain = len(groups) > 1
        return _taken(span, meant if is_certain else "", faults.group_comma(source, span, text, meant))
    meant = text.replace(",", ".")
    return _taken(span, meant, faults.decimal_comma(source, span, text, meant))


def _taken(span: Span, meant: str, fault: Diagnostic) -> Mended:
    """The number that is meant, or a value that cannot be read."""
    kind = tables.NUMBER if is_number(meant) else tables.BROKEN
    return Mended(kind, span.start, span.end, fault, meant)


def _after_comma(source: SourceFile, start: int) -> Mended | None:
    """A number that starts with a zero right after a number and a comma."""
    text = source.text
    if text[start - 1 : start] != "," or text[start] != "0":
        return None
    first = start - 1
    while first > 0 and text[first - 1] in "0123456789_":
        first -= 1
    return mend_commas(source, first) if first < start - 1 else None


def _with_exponent(source: SourceFile, start: int) -> Mended | None:
    match = _EXPONENT.match(source.text, start)
    if match is None:
        return None
    mantissa, sign, exponent, percent = match.groups()
    span = Span(*match.span())
    digits = mantissa.replace("_", "")
    is_short = len(digits) <= 2 * (MAX_WHOLE + MAX_FRACTION) and len(exponent) <= 2
    meant = _written_out(digits, int(sign + exponent)) if is_short else None
    meant = meant and meant + percent
    return _taken(span, meant or "", faults.exponent(source, span, match[0], meant))


def _written_out(mantissa: str, exponent: int) -> str | None:
    """The decimal spelling of a number with an exponent, when the caps hold it."""
    scaled = Fraction(mantissa) * Fraction(10) ** (exponent + MAX_FRACTION)
    if scaled.denominator != 1 or scaled >= 10 ** (MAX_WHOLE + MAX_FRACTION):
        return None
    whole, fraction = divmod(scaled.numerator, 10**MAX_FRACTION)
    return f"{whole:_}.{fraction:0{MAX_FRACTION}d}".rstrip("0").removesuffix(".")


def _plain(source: SourceFile, start: int) -> Mended:
    run = _RUN.match(source.text, start)
    assert run is not None
    span, text = Span(*run.span()), run[0]
    parts = _PARTS.fullmatch(text)
    assert parts is not None
    digits, percent, rest = parts.groups()
    if rest:
        return _taken(span, "", faults.joined_word(source, span, digits + percent, rest))
    if digits.count(".") > 1:
        return _taken(span, "", faults.second_point(source, span, text))
    if len(percent) > 1:
        return _taken(span, digits + "%", faults.double_percent(source, span, digits + "%"))
    if digits.endswith("."):
        meant = digits[:-1] + percent
        return _taken(span, meant, faults.bare_point(source, span, text, meant))
    return _counted(source, span, text)


def _counted(source: SourceFile, span: Span, text: str) -> Mended:
    """A number whose underscores or digits are at fault, or none but for the character after it."""
    counts = digit_counts(text)
    if counts is None:
        meant = re.sub(r"_+(?=[.%]|$)|(?<=\.)_+|(?<=_)_+", "", text)
        return _taken(span, meant, faults.misplaced_underscore(source, span, text, meant))
    if counts[0] > MAX_WHOLE:
        return _taken(span, "", faults.too_many_digits(source, span, counts[0], MAX_WHOLE, "before"))
    if counts[1] > MAX_FRACTION:
        return _taken(span, "", faults.too_many_digits(source, span, counts[1], MAX_FRACTION, "after"))
    return Mended(tables.NUMBER, span.start, span.end)
