"""The small evaluator of obligations: every form of the tree, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcp_lang.verify.obligations import evaluate, known_value


def num(text: str) -> dict[str, Any]:
    return {"number": text}


def op(name: str, *arguments: Any) -> dict[str, Any]:
    return {"op": name, "args": list(arguments)}


CASES = [
    (op("+", num("0.1"), num("0.2")), Fraction(3, 10)),
    (op("-", num("0.3"), num("0.2")), Fraction(1, 10)),
    (op("-", num("0.3")), Fraction(-3, 10)),
    (op("*", num("1/7"), num("7")), 1),
    (op("/", num("1"), num("3")), Fraction(1, 3)),
    (op("==", op("+", num("0.1"), num("0.2")), num("0.3")), True),
    (op("<", num("0.3"), num("0.3")), False),
    (op("<=", num("0.3"), num("0.3")), True),
    (op(">", {"name": "x"}, num("101/200")), True),
    (op(">=", {"name": "x"}, num("0.506")), False),
    (op("!=", {"symbol": "core"}, {"symbol": "evidence"}), True),
    (op("and", op("<", num("1"), num("2")), op("<", num("2"), num("3")), op("<", num("3"), num("3"))), False),
    (op("or", op("<", num("2"), num("1")), op("<", num("1"), num("2"))), True),
    (op("not", op("<", num("2"), num("1"))), True),
    (op("in", {"symbol": "schema"}, {"items": ["timing", "schema"]}), True),
    (op("contains", {"items": ["timing"]}, {"symbol": "schema"}), False),
    ({"number": "10", "unit": "USD"}, 10),
]


@pytest.mark.parametrize(("tree", "value"), CASES)
def test_each_form(tree: dict[str, Any], value: Any) -> None:
    found = evaluate(tree, {"x": Fraction(5055, 10000)})
    assert found == value and type(found) in (Fraction, bool)


@settings(max_examples=60, deadline=None)
@given(st.fractions(), st.fractions())
def test_no_comparison_is_rounded(left: Fraction, right: Fraction) -> None:
    tree = op("<", {"name": "l"}, {"name": "r"})
    assert evaluate(tree, {"l": left, "r": right}) == (left < right)


@pytest.mark.parametrize(
    ("tree", "error"),
    [
        ({"name": "y"}, KeyError),
        (op("^", num("1"), num("2")), KeyError),
        ({"number": "one"}, ValueError),
        (op("/", num("1"), num("0")), ZeroDivisionError),
        (op("<", num("1"), {"symbol": "a"}), TypeError),
    ],
)
def test_what_cannot_be_evaluated_raises(tree: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        evaluate(tree, {})


def test_known_quantities_are_read_from_their_spelling() -> None:
    assert known_value("-0.05") == Fraction(-1, 20) and known_value("1/7") == Fraction(1, 7)
    assert known_value("10 USD") == 10 and known_value("evidence") == "evidence"
    assert known_value("[timing, schema]") == ("timing", "schema") and known_value("[]") == ()
