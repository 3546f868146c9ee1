"""The strict loader: held to `json.loads`, to the canonical form, and to its limits (cases H02, J01-J08)."""

import json
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.canonical import MAX_DEPTH, MAX_SAFE_INTEGER, StrictJsonError, canonical_bytes, load_strict

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER) | TEXTS
ASCII = st.text(st.characters(codec="ascii"), max_size=6)
FROZEN = st.recursive(SCALARS, lambda v: st.lists(v, max_size=4) | st.dictionaries(ASCII, v, max_size=4))
PEER = st.recursive(
    SCALARS | st.floats(allow_nan=False, allow_infinity=False),
    lambda v: st.lists(v, max_size=4) | st.dictionaries(TEXTS, v, max_size=4),
)
#: Pieces that make almost-JSON more often than free text does.
PIECES = st.sampled_from(
    [
        *'[]{},:"\\ \n\t',
        "0",
        "-",
        "12",
        "1.5",
        "1e5",
        "1E400",
        "true",
        "null",
        "NaN",
        '"a"',
        '"b":',
        "\\u",
        "d83d",
        "é",
    ]
)


def refused(data: bytes, **options: Any) -> StrictJsonError:
    with pytest.raises(StrictJsonError) as caught:
        load_strict(data, **options)
    return caught.value


def peer_value(text: str) -> Any:
    """What the standard library reads, with the loader's own meaning of a float and of a duplicate key."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(items)) != len(items):
            raise ValueError("duplicate key")
        return dict(items)

    def no_constant(name: str) -> Any:
        raise ValueError(name)

    return json.loads(
        text, parse_float=lambda s: Fraction(float(s)), parse_constant=no_constant, object_pairs_hook=pairs
    )


@given(FROZEN)
def test_what_is_written_is_read(value: Any) -> None:
    assert load_strict(canonical_bytes(value)) == value


@given(PEER, st.sampled_from([None, 0, 3]), st.booleans())
def test_peers_files_are_read_as_the_standard_library_reads_them(
    value: Any, indent: int | None, plain: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=plain)
    assert load_strict(text.encode(), canonical=False, floats=True) == peer_value(text)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_accepted_is_json_and_json_is_accepted_or_refused_for_a_named_reason(text: str) -> None:
    try:
        value = load_strict(text.encode(), canonical=False, floats=True)
    except StrictJsonError as error:
        if error.kind == "syntax":
            with pytest.raises(ValueError):
                peer_value(text)
    else:
        assert value == peer_value(text)


@given(st.lists(PIECES, max_size=10).map("".join))
def test_a_frozen_file_is_the_only_text_of_its_value(text: str) -> None:
    try:
        value = load_strict(text.encode())
    except StrictJsonError:
        return
    assert canonical_bytes(value) == text.encode()


@pytest.mark.parametrize(
    ("data", "kind", "where", "offset"),
    [
        (b'{"rho":"0.05","rho":"0.5"}', "duplicate-key", "/rho", 14),
        (b'[{"a":1,"\\u0061":2}]', "duplicate-key", "/0/a", 8),
        (b'{"rho":1e400}', "not-finite", "/rho", 7),
        (b"[NaN]", "not-finite", "/0", 1),
        (b"[-Infinity]", "not-finite", "/0", 1),
        (b'{"m_max":' + b"1" * 5000 + b"}", "integer-too-large", "/m_max", 9),
        (b"9007199254740992", "integer-too-large", "", 0),
        (b"-9007199254740992", "integer-too-large", "", 0),
        (b"[1,2.0]", "float-in-frozen-file", "/1", 3),
        (b"1e2", "float-in-frozen-file", "", 0),
        (b'["\\ud800"]', "lone-surrogate", "/0", 1),
        (b'["\\udc00\\ud800"]', "lone-surrogate", "/0", 1),
        (b'"\xed\xa0\x80"', "not-utf8", "", 1),
        (b'{"a":"\xff"}', "not-utf8", "", 6),
        (b"\xef\xbb\xbf1", "byte-order-mark", "", 0),
        (b"1\n", "trailing-newline", "", 1),
        (b'{"a":1,\r\n"b":2}', "carriage-return", "", 7),
        (b'{"b":1,"a":2}', "not-canonical", "", 2),
        (b"[1, 2]", "not-canonical", "", 3),
        (b"-0", "not-canonical", "", 0),
        (b'"\\u00e9"', "not-canonical", "", 1),
        (b'"\\/"', "not-canonical", "", 1),
        ('{"ρ":1}'.encode(), "non-ascii-key", "", None),
        (b"", "syntax", "", 0),
        (b"[1,]", "syntax", "/1", 3),
        (b'{"a":1,}', "syntax", "", 7),
        (b"01", "syntax", "", 1),
        (b"1 2", "syntax", "", 2),
        (b"'a'", "syntax", "", 0),
        (b'"\x01"', "syntax", "", 0),
        (b'"\\x41"', "syntax", "", 0),
        (b"\xc2\xa01", "syntax", "", 0),
        ("[٣]".encode(), "syntax", "/0", 1),
    ],
)
def test_refusals_say_what_and_where(data: bytes, kind: str, where: str, offset: int | None) -> None:
    error = refused(data)
    assert (error.kind, error.where, error.offset) == (kind, where, offset)


def test_a_changed_line_ending_is_called_that() -> None:
    assert "line endings" in str(refused(b'{\r\n"a": 1\r\n}', canonical=False))


def test_limits_hold_to_the_unit() -> None:
    assert load_strict(b"123", max_bytes=3) == 123
    assert refused(b"1234", max_bytes=3).kind == "too-large"
    assert load_strict(b"9007199254740991") == 2**53 - 1
    deepest = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert canonical_bytes(load_strict(deepest)) == deepest
    assert refused(b"[" + deepest + b"]").kind == "too-deep"
    assert load_strict(b"[[]]", max_depth=2) == [[]]
    assert refused(b"[[]]", max_depth=1).kind == "too-deep"
    assert load_strict(b"1", max_depth=0) == 1
    assert refused(b"[" + deepest + b"]", canonical=False, max_depth=10**6).kind == "too-deep"


def test_peers_may_end_a_file_with_a_newline_and_indent_with_tabs() -> None:
    assert load_strict(b'{\n\t"a": [1 ,2]\n}\n', canonical=False) == {"a": [1, 2]}


@pytest.mark.parametrize("bomb", [b"[" * 10**6, b'{"a":' * 10**6, b'[{"a":' * 10**6])
def test_a_depth_bomb_costs_nothing(bomb: bytes) -> None:
    start = time.perf_counter()
    assert refused(bomb, canonical=False).kind == "too-deep"
    assert time.perf_counter() - start < 1


def test_floats_of_peers_are_the_exact_doubles_or_what_the_caller_makes_of_them() -> None:
    # 0.1 is 3602879701896397 / 2^55 as a double.
    assert load_strict(b"[0.1]", canonical=False, floats=True) == [Fraction(3602879701896397, 2**55)]
    assert load_strict(b"[1.0, 1e-400]", canonical=False, floats=True) == [1, 0]
    assert load_strict(b"[0.10]", canonical=False, floats=True, parse_float=str) == ["0.10"]
    assert refused(b"[1e309]", canonical=False, floats=True).kind == "not-finite"
    assert refused(b"[0.1]", canonical=False).kind == "float-in-frozen-file"


def test_a_float_is_never_frozen_even_where_floats_are_read() -> None:
    assert refused(b"[0.5]", floats=True).kind == "not-json-type"


def test_a_megabyte_is_read_in_well_under_a_second() -> None:
    value = {f"k{i:05d}": [f"text {i}", i, None, {"p": "1/7"}] for i in range(22_000)}
    data = canonical_bytes(value)
    assert len(data) > 1_000_000
    start = time.process_time()
    assert load_strict(data, canonical=False) == value
    assert time.process_time() - start < 1


#: The mutants that are not sound JSON, or hold a number that no double holds (j16: 10^400, which the peer
#: accepts).
UNREADABLE = {
    "b02_truncated_gate2": "syntax",
    "b15_manifest_dup_key": "duplicate-key",
    "j01_nan": "not-finite",
    "j04_duplicate_key": "duplicate-key",
    "j13_utf16": "not-utf8",
    "j16_huge_int": "integer-too-large",
}


def test_the_peers_bundles_are_readable_but_for_the_spoilt_ones(oracle: Path) -> None:
    mutants = oracle / "bundles" / "mutants"
    unreadable = {}
    for file in mutants.glob("*/**/*.json"):
        try:
            value = load_strict(file.read_bytes(), canonical=False, floats=True)
        except StrictJsonError as error:
            unreadable[file.relative_to(mutants).parts[0]] = error.kind
        else:
            assert value == peer_value(file.read_text("utf-8"))
    assert unreadable == UNREADABLE
