"""The one loader for every JSON that is read: it refuses whatever two readers could take differently."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dcp_lang.canonical.errors import StrictJsonError
from dcp_lang.canonical.jcs import MAX_DEPTH, canonical_bytes
from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

#: Largest document in bytes. A registration is some tens of kilobytes, a ledger of a bundle a few megabytes.
MAX_BYTES = 16 * 1024 * 1024


def exact_double(literal: str) -> Fraction:
    """The exact value of the double nearest to a JSON number: what a peer that keeps floats computes with."""
    return Fraction(float(literal))


def load_strict(
    data: bytes,
    *,
    canonical: bool = True,
    floats: bool = False,
    max_bytes: int = MAX_BYTES,
    max_depth: int = MAX_DEPTH,
    parse_float: Callable[[str], Any] = exact_double,
) -> Any:
    """The value of a JSON document, or StrictJsonError with its kind and place.

    With `canonical` (frozen files) the bytes must be the RFC 8785 form of the value, to the last byte.
    Without it (peers' files) spaces, line feeds and any order of keys are read. With `floats`, a number
    with a fraction or an exponent must be finite and becomes `parse_float` of its literal; without, it is
    refused. `max_depth` is at most `MAX_DEPTH`.
    """
    from dcp_lang.canonical.reader import Reader

    if len(data) > max_bytes:
        raise StrictJsonError("too-large", f"{len(data)} bytes, at most {max_bytes} are read")
    text = _decode(data)
    if canonical and text.endswith("\n"):
        raise StrictJsonError(
            "trailing-newline", "a frozen file ends without a newline", offset=len(text) - 1
        )
    value = Reader(text, min(max_depth, MAX_DEPTH), parse_float if floats else None).document()
    if canonical:
        _require_canonical(value, data)
    return value


def _decode(data: bytes) -> str:
    if data.startswith(b"\xef\xbb\xbf"):
        raise StrictJsonError("byte-order-mark", "a byte order mark before the document", offset=0)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StrictJsonError("not-utf8", f"not UTF-8: {error.reason}", offset=error.start) from None
    at = text.find("\r")
    if at >= 0:
        message = "a carriage return: the line endings of this file were changed, for example by git autocrlf"
        raise StrictJsonError("carriage-return", message, offset=at)
    return text


def _require_canonical(value: Any, data: bytes) -> None:
    expected = canonical_bytes(value)
    if expected == data:
        return
    common = min(len(expected), len(data))
    at = next((i for i in range(common) if expected[i] != data[i]), common)
    raise StrictJsonError(
        "not-canonical", "not the RFC 8785 form: order, spaces or escapes differ", offset=at
    )
