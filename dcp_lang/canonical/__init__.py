"""The exchange format: exact numbers with one spelling, strict JSON in, RFC 8785 bytes out.

A frozen file is the RFC 8785 form of a JSON value without floats and with ASCII keys. Whatever this package
accepts, every reader of JSON reads the same way; whatever two readers could take differently, it refuses.
"""

from __future__ import annotations

from dcp_lang.canonical.hashing import digest, is_digest
from dcp_lang.canonical.numbers import MAX_NUMBER_CHARS, number_text, parse_number
from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from dcp_lang.canonical.errors import Kind, StrictJsonError
    from dcp_lang.canonical.jcs import MAX_DEPTH, MAX_SAFE_INTEGER, canonical_bytes
    from dcp_lang.canonical.strict import MAX_BYTES, exact_double, load_strict

#: What reads and writes JSON is loaded when it is first used: a check does neither.
_HOMES = {
    "Kind": "errors",
    "MAX_BYTES": "strict",
    "MAX_DEPTH": "jcs",
    "MAX_SAFE_INTEGER": "jcs",
    "StrictJsonError": "errors",
    "canonical_bytes": "jcs",
    "exact_double": "strict",
    "load_strict": "strict",
}
__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_NUMBER_CHARS",
    "MAX_SAFE_INTEGER",
    "Kind",
    "StrictJsonError",
    "canonical_bytes",
    "digest",
    "exact_double",
    "is_digest",
    "load_strict",
    "number_text",
    "parse_number",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
