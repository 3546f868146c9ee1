"""RFC 8785 bytes of values without floats."""

from __future__ import annotations

from dcp_lang.canonical.errors import Kind, StrictJsonError, pointer
from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, NoReturn

#: The largest integer that every reader keeps exact, also one that reads doubles (RFC 7493 section 2.2).
MAX_SAFE_INTEGER = 2**53 - 1

#: Deepest nesting of arrays and objects; a registration needs about ten.
MAX_DEPTH = 64


def canonical_bytes(value: Any) -> bytes:
    """The RFC 8785 form of dict, list, tuple, str, int, bool and None with ASCII keys; no trailing newline.

    Raises StrictJsonError for floats (exact numbers travel as strings), integers beyond 2^53 - 1, lone
    surrogates, nesting beyond `MAX_DEPTH` and other types, subclasses included: they may print otherwise.
    """
    import rfc8785

    _check(value, [])
    return rfc8785.dumps(value)


def _check(value: Any, path: list[str | int]) -> None:
    """Raise StrictJsonError unless every part of `value` has one reading."""
    kind = type(value)
    if kind is str:
        _check_text(value, path)
    elif kind is int:
        if abs(value) > MAX_SAFE_INTEGER:
            _refuse("integer-too-large", "an integer beyond 2^53 - 1: write it as a string", path)
    elif kind is dict or kind is list or kind is tuple:
        _check_container(value, path)
    elif kind is float:
        _refuse("float-in-frozen-file", "a float: exact numbers are written as strings", path)
    elif value is not None and kind is not bool:
        _refuse("not-json-type", f"a {kind.__name__} has no JSON form", path)


def _check_container(value: dict[Any, Any] | list[Any] | tuple[Any, ...], path: list[str | int]) -> None:
    if len(path) >= MAX_DEPTH:
        _refuse("too-deep", f"nested deeper than {MAX_DEPTH} levels", path)
    if isinstance(value, dict):
        for key in value:
            if type(key) is not str or not key.isascii():
                _refuse("non-ascii-key", f"the key {key!r} is not ASCII text", path)
    for step, part in value.items() if isinstance(value, dict) else enumerate(value):
        path.append(step)
        _check(part, path)
        path.pop()


def _check_text(text: str, path: list[str | int]) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        _refuse("lone-surrogate", "a text with a lone surrogate", path)


def _refuse(kind: Kind, message: str, path: list[str | int]) -> NoReturn:
    raise StrictJsonError(kind, message, where=pointer(path))
