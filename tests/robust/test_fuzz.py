"""Whatever the bytes, checking ends in findings within the caps: never an exception, never a wait."""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pieces import PIECES, TOKEN
from syntax_programs import programs

from dcp_lang.bulk.check import Options, check_bytes
from dcp_lang.canonical import canonical_bytes
from dcp_lang.cli import run
from dcp_lang.diagnostics.formats import FORMATS
from dcp_lang.memory import Memory
from dcp_lang.syntax import MAX_BYTES

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*/registration.dcp"))


def checked(name: str, data: bytes) -> set[str]:
    """The codes of a check; every format can show what was found, and I901 is no finding."""
    found = check_bytes(name, data, Options())
    for form in FORMATS.values():
        form(found)
    codes = {d.code for d in found}
    assert "I901" not in codes
    return codes


@settings(max_examples=40, deadline=None)
@given(programs())
def test_programs_of_the_grammar(text: str) -> None:
    assert not {c for c in checked("x.dcp", text.encode()) if c.startswith("E02")}


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=200))
def test_random_bytes(data: bytes) -> None:
    assert checked("x.dcp", data)
    assert checked("x.json", data) == {"E820"}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(EXAMPLES), st.data())
def test_mutated_examples(path: Path, data: st.DataObject) -> None:
    """Tokens cut, repeated and replaced: deep enough to reach every pass."""
    tokens = TOKEN.findall(path.read_text("utf-8"))
    for _ in range(data.draw(st.integers(1, 6))):
        at, cut = data.draw(st.integers(0, len(tokens))), data.draw(st.sampled_from([0, 1, 1, 5, 50]))
        tokens[at : at + cut] = [data.draw(st.sampled_from(PIECES) | st.sampled_from(tokens or [""]))]
    checked(str(path), "".join(tokens).encode())


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(EXAMPLES), st.data())
def test_examples_without_some_lines(path: Path, data: st.DataObject) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    del lines[at : at + data.draw(st.integers(1, 8))]
    checked(str(path), b"".join(lines))


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A compiled Evidence registration."""
    out = tmp_path_factory.mktemp("fuzz") / "out"
    source = next(path for path in EXAMPLES if path.parent.name == "sqlite_web")
    assert run(["compile", str(source), "-o", str(out)]) == 0
    return (out / "registration.json").read_bytes()


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_compiled_registrations_with_another_value(frozen: bytes, data: st.DataObject) -> None:
    """Any value anywhere replaced by another one is found: nothing in the file is free."""
    whole = json.loads(frozen)
    inside = whole
    while True:
        keys = sorted(inside) if isinstance(inside, dict) else range(len(inside))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(inside[key], dict | list) or not inside[key] or data.draw(st.integers(0, 4)) == 0:
            break
        inside = inside[key]
    inside[key] = data.draw(st.sampled_from([None, 7, "x", "1/0", [], {}, True, "dcp 1", 10**15]))
    changed = canonical_bytes(whole)
    if changed != frozen:
        assert any(code.startswith("E") for code in checked("x.json", changed))


#: What grows in an otherwise sound registration.
_LARGE = {
    "requires": "  require ε < x - score(first_fit)\n",
    "false": "  require ρ > 1\n",
    "unknown names": "  require rhoo > 1\n",
    "products": "  require " + " * ".join(["0.123456789012"] * 100) + " < x\n",
    "quotients": "  require cost" + " / 2" * 100 + " < 1 USD\n",
    "cells": "  require " + " or ".join(f"x > 0.{i}" for i in range(11, 19)) + "\n",
    "not linear": "  require x * x < 0.5\n",
    "nested sums": "  require 0 < (((((((((((1)))))))))))\n",
    "unknown fields": "  a = 1\n",
    "unknown blocks": "  a { }\n",
    "same fields": '  id = "a"\n',
    "waivers": '  allow W501 because "it is so"\n',
    "comments": "  # nothing\n",
}


def _large(case: str, size: int) -> bytes:
    """A registration with `size` bytes of what grows, or as many as there may be."""
    text = next(path for path in EXAMPLES if path.parent.name == "knapsack").read_text("utf-8")
    head, tail = text.rstrip()[:-1], "}\n"
    room = min(size, MAX_BYTES - len((head + tail).encode()))
    return (head + _LARGE[case] * (room // len(_LARGE[case].encode())) + tail).encode()


def _calls(data: bytes) -> int:
    """How many functions a check calls that remembers no other one: its time without a clock."""
    for each in gc.get_objects():
        if isinstance(each, Memory):
            each.clear()
    count = 0

    def see(_frame: object, event: str, _: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(see)
    try:
        check_bytes("x.dcp", data, Options())
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("case", _LARGE)
def test_twice_the_source_is_at_most_twice_the_work(case: str) -> None:
    """With a tenth for luck; what grew with the square would be four times as much."""
    small = _calls(_large(case, 2**13))
    assert _calls(_large(case, 2**14)) < 2.2 * small


@pytest.mark.parametrize("case", _LARGE)
def test_the_largest_registrations_are_checked(case: str) -> None:
    """How long each takes is for the bench; `tests/robust/corpus` holds what once took too long."""
    assert checked("x.dcp", _large(case, MAX_BYTES))
