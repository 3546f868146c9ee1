"""A reader in another language agrees: on the vectors, on generated values, numbers and spoilt documents."""

import base64
import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from second_reader import Node

from dcp_lang.canonical import (
    MAX_SAFE_INTEGER,
    StrictJsonError,
    canonical_bytes,
    digest,
    load_strict,
    number_text,
    parse_number,
)

HERE = Path(__file__).parent
VECTORS = HERE.parent / "vectors"
INDEX = json.loads((VECTORS / "index.json").read_bytes())

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    reader = Node()
    yield reader
    assert reader.close() == 0


shared_process = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
KEYS = st.text(st.characters(codec="ascii"), max_size=6) | st.sampled_from(
    ["__proto__", "1", "10", "2", "toString"]
)
SCALARS = st.none() | st.booleans() | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER) | TEXTS
DECIMALS = st.builds(Fraction, st.integers(), st.sampled_from([2**40, 5**20, 10**30, 7 * 10**5]))
VALUES = st.recursive(SCALARS, lambda v: st.lists(v, max_size=4) | st.dictionaries(KEYS, v, max_size=4))


def ours(data: bytes) -> dict[str, Any]:
    try:
        return {"ok": digest(canonical_bytes(load_strict(data)))}
    except StrictJsonError as error:
        return {"kind": error.kind}


@pytest.mark.parametrize("vector", INDEX["accept"], ids=lambda vector: vector["file"])
def test_accepted_with_the_same_digest(node: Node, vector: dict[str, str]) -> None:
    assert node.read("vector", (VECTORS / vector["file"]).read_bytes()) == {"ok": vector["digest"]}


@pytest.mark.parametrize("vector", INDEX["reject"], ids=lambda vector: vector["file"])
def test_refused_for_the_same_fault(node: Node, vector: dict[str, str]) -> None:
    assert node.read("vector", (VECTORS / vector["file"]).read_bytes()) == {"kind": vector["kind"]}


@shared_process
@given(VALUES)
def test_same_digest_of_generated_values(node: Node, value: Any) -> None:
    data = canonical_bytes(value)
    assert node.read("frozen", data) == {"ok": digest(data)}


@shared_process
@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_same_bytes_from_any_layout(node: Node, value: Any, indent: int | None, plain: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=plain)
    answer = node.read("canonical", text.encode())
    assert base64.b64decode(answer["ok"]) == canonical_bytes(value)


def spoilt(data: bytes, dice: random.Random) -> bytes:
    """One byte changed, left out or put in."""
    at, other = dice.randrange(len(data)), dice.choice(b'{}[]",:\\/u0123456789abcdefe.-+ \n\r\t\x00\xc3\xff')
    tail = data[at + dice.choice((0, 1)) :]
    return data[:at] + bytes([other]) * dice.choice((0, 1)) + tail


@shared_process
@given(VALUES, st.randoms(use_true_random=False))
def test_same_verdict_on_spoilt_documents(node: Node, value: Any, dice: random.Random) -> None:
    data = canonical_bytes([value])
    for _ in range(dice.randrange(1, 4)):
        data = spoilt(data, dice)
    assert node.read("frozen", data) == ours(data)


@shared_process
@given(
    st.fractions() | st.builds(Fraction, st.integers(), st.sampled_from([2**40, 5**20, 10**30, 7 * 10**5]))
)
def test_same_spelling_of_generated_numbers(node: Node, value: Fraction) -> None:
    text = number_text(value)
    assert node.ask("spell", [str(value.numerator * 6), str(value.denominator * 6)]) == {"ok": text}
    assert node.ask("parse", text) == {"ok": [str(value.numerator), str(value.denominator)]}


@shared_process
@given(st.text("0123456789-./ e", max_size=8))
def test_same_verdict_on_generated_spellings(node: Node, text: str) -> None:
    try:
        value = parse_number(text)
        expected: dict[str, Any] = {"ok": [str(value.numerator), str(value.denominator)]}
    except ValueError:
        expected = {"kind": "number-spelling"}
    assert node.ask("parse", text) == expected


def test_the_interpreter_is_not_asked_to_print_numbers() -> None:
    # The two languages print one double differently; neither form ever reaches a frozen file.
    assert repr(0.00001) == "1e-05"
    done = subprocess.run(["node", "-p", "0.00001"], capture_output=True, text=True, check=True)
    assert done.stdout == "0.00001\n"
    assert number_text(Fraction(1, 100_000)) == "0.00001"
