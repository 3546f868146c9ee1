"""RFC 8785 bytes: against the standard library's writer, and everything the form refuses."""

import hashlib
import json
from enum import IntEnum
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.canonical import (
    MAX_DEPTH,
    MAX_SAFE_INTEGER,
    StrictJsonError,
    canonical_bytes,
    digest,
    is_digest,
)

TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
KEYS = st.text(st.characters(codec="ascii"), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4)
)


@given(VALUES)
def test_the_bytes_are_those_of_a_sorted_compact_dump(value: Any) -> None:
    # For values without floats and with ASCII keys RFC 8785 and this dump are the same by definition of both.
    dump = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    assert canonical_bytes(value) == dump.encode()


@given(st.dictionaries(KEYS, SCALARS, min_size=2), st.randoms(use_true_random=False))
def test_the_order_of_keys_changes_nothing(value: dict[str, Any], random: Any) -> None:
    items = list(value.items())
    random.shuffle(items)
    assert canonical_bytes(dict(items)) == canonical_bytes(value)


def test_escapes_of_rfc_8785_section_3_2_2_2() -> None:
    text = '€$\x0f\nA\'B"\\\\"/\u2028\x7f\b\t\f\r'
    expected = '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u2028\x7f\\b\\t\\f\\r"'
    assert canonical_bytes(text) == expected.encode()


def test_a_tuple_is_an_array() -> None:
    assert canonical_bytes({"a": (1, (2,))}) == b'{"a":[1,[2]]}'


class Colour(IntEnum):
    RED = 1


def nested(depth: int) -> Any:
    value: Any = "core"
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "kind", "where"),
    [
        ({"a": [0.05]}, "float-in-frozen-file", "/a/0"),
        (float("nan"), "float-in-frozen-file", ""),
        ([MAX_SAFE_INTEGER + 1], "integer-too-large", "/0"),
        ([-MAX_SAFE_INTEGER - 1], "integer-too-large", "/0"),
        ({"ρ": 1}, "non-ascii-key", ""),
        ({"a": {1: 2}}, "non-ascii-key", "/a"),
        (["\ud800"], "lone-surrogate", "/0"),
        ([Fraction(1, 2)], "not-json-type", "/0"),
        ([b"bytes"], "not-json-type", "/0"),
        ([Colour.RED], "not-json-type", "/0"),
        ({"a/b": {"c~d": {1, 2}}}, "not-json-type", "/a~1b/c~0d"),
    ],
)
def test_what_has_no_frozen_form(value: Any, kind: str, where: str) -> None:
    with pytest.raises(StrictJsonError) as caught:
        canonical_bytes(value)
    assert (caught.value.kind, caught.value.where, caught.value.offset) == (kind, where, None)


def test_depth_is_bounded_exactly() -> None:
    assert canonical_bytes(nested(MAX_DEPTH)) == b"[" * MAX_DEPTH + b'"core"' + b"]" * MAX_DEPTH
    with pytest.raises(StrictJsonError, match="too-deep"):
        canonical_bytes(nested(MAX_DEPTH + 1))
    with pytest.raises(StrictJsonError, match="too-deep"):
        canonical_bytes(nested(50_000))


def test_digest_is_sha256_of_the_bytes() -> None:
    # FIPS 180-4, the one-block example "abc".
    expected = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert digest(b"abc") == expected
    assert digest(b"abc\n") == "sha256:" + hashlib.sha256(b"abc\n").hexdigest() != expected


def test_a_digest_is_spelled_to_the_last_character() -> None:
    text = digest(b"")
    assert is_digest(text)
    for other in (
        text + "\n",
        text[:-1],
        text + "0",
        text.upper(),
        text[7:],
        "sha512:" + text[7:],
        text[:-1] + "٣",
    ):
        assert not is_digest(other)
    assert not is_digest(None)
