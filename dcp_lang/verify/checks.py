"""Small predicates over unchecked JSON values, shared by the registration's and the evidence's checks."""

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any

#: What a malformed value may raise inside a check; it then becomes one finding that names the exception.
MALFORMED = (TypeError, ValueError, AttributeError, ArithmeticError)


def explicit(value: Any) -> bool:
    """Text that is neither blank nor a placeholder."""
    return isinstance(value, str) and bool(value.strip()) and "unspecified" not in value.lower()


def identifier(value: Any) -> bool:
    """Explicit text in Unicode NFC without white space or control characters."""
    return explicit(value) and well_formed(value)


def well_formed(text: str) -> bool:
    if text.isascii():
        return text.isprintable() and " " not in text
    return unicodedata.normalize("NFC", text) == text and not any(map(_unprintable, text))


def _unprintable(char: str) -> bool:
    return char.isspace() or unicodedata.category(char).startswith("C")


def finite(value: Any) -> bool:
    """A JSON number that a double can hold; raises OverflowError for an integer that none can."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(float(value))


def integer(value: Any, least: int | None = None) -> bool:
    """A JSON integer, at least `least` when given."""
    return isinstance(value, int) and not isinstance(value, bool) and (least is None or value >= least)


def proportion(value: Any) -> bool:
    """A finite number in [0, 1]."""
    return finite(value) and 0 <= value <= 1


def scores(values: Sequence[Any]) -> bool:
    return all(map(finite, values))


def normalised(values: Sequence[Any]) -> bool:
    return all(0 <= float(value) <= 1 for value in values)


def duplicated(values: Sequence[Any]) -> bool:
    return len(set(values)) != len(values)


def guarded(label: str, faults: Callable[[], Iterable[str]]) -> list[str]:
    """The findings of a check, or the one finding that its input was malformed."""
    try:
        return list(faults())
    except MALFORMED as error:
        return [f"{label}: {type(error).__name__}: {error}"]
