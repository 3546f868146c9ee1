"""The exchange format: exact numbers with one spelling, strict JSON in, RFC 8785 bytes out.

A frozen file is the RFC 8785 form of a JSON value without floats and with ASCII keys. Whatever this package
accepts, every reader of JSON reads the same way; whatever two readers could take differently, it refuses.
"""

from dcp_lang.canonical.errors import Kind, StrictJsonError
from dcp_lang.canonical.jcs import MAX_DEPTH, MAX_SAFE_INTEGER, canonical_bytes, digest, is_digest
from dcp_lang.canonical.numbers import MAX_NUMBER_CHARS, number_text, parse_number
from dcp_lang.canonical.strict import MAX_BYTES, exact_double, load_strict

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
