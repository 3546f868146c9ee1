"""Discharge an obligation of a frozen registration: evaluate its expression tree exactly.

A tree is one of
    {"number": "101/200"}            an exact number ("0.05", "-3", "1/7"); a "unit" beside it is already
        common
    {"name": "x"}                    a quantity: x and score(b) from the evidence, all others from "known"
    {"symbol": "evidence"}           the name of a choice, a truth value, or a text
    {"items": ["timing", "schema"]}  a list of names
    {"op": ">", "args": [tree, …]}   + - * / < <= > >= == != and or not in contains; one argument negates "-"
        Nothing is rounded: numbers are fractions. This module needs nothing but the standard library, so that
        it can be copied into another verifier.
"""

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "and": lambda left, right: bool(left and right),
    "or": lambda left, right: bool(left or right),
    "in": lambda item, items: item in items,
    "contains": lambda items, item: item in items,
}


def evaluate(tree: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    """The value of `tree`: a Fraction, a truth value, a text or a tuple of texts.

    Raises:
        KeyError: a name that is not in `known`, or an unknown operation.
        ValueError, TypeError: a malformed tree. ZeroDivisionError: a division by zero.
    """
    if "number" in tree:
        return Fraction(tree["number"])
    if "name" in tree:
        return known[tree["name"]]
    if "symbol" in tree:
        return tree["symbol"]
    if "items" in tree:
        return tuple(tree["items"])
    values = [evaluate(argument, known) for argument in tree["args"]]
    if tree["op"] == "not":
        return not values[0]
    if tree["op"] == "-" and len(values) == 1:
        return -values[0]
    return reduce(_OPERATIONS[tree["op"]], values)


def known_value(text: str) -> Any:
    """A known quantity as the registration spells it: "0.05", "10 USD", "[timing, schema]", or a name."""
    if text.startswith("["):
        return tuple(text.strip("[]").split(", ")) if text != "[]" else ()
    number = text.split(" ")[0]
    return Fraction(number) if number[:1].isdigit() or number[:1] == "-" else text
