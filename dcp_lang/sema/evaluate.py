"""Constant expressions: from a tree to an exact number or quantity, with dimensions checked.

`evaluate` returns None after reporting, so that one fault is one finding: a None is never reported again.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dcp_lang.language.units import find_unit, unit_words
from dcp_lang.language.values import Amount
from dcp_lang.sema.faults import Faults
from dcp_lang.syntax import ast

#: What a name stands for: a number, a quantity, or None when its own fault is already reported.
Lookup = Callable[[ast.Name], Fraction | Amount | None]

#: How a number without a unit is called.
PLAIN = "a plain number"


def evaluate(expr: ast.Expr, lookup: Lookup, faults: Faults) -> Fraction | Amount | None:
    """The exact value of an arithmetic expression; counts of nouns become `Amount(n, "episodes")`."""
    match expr:
        case ast.Number(value):
            return value
        case ast.Quantity():
            return _quantity(expr, faults)
        case ast.Name():
            return lookup(expr)
        case ast.Unary("-", operand):
            return _negate(evaluate(operand, lookup, faults))
        case ast.Binary(operator, left, right) if operator in "+-*/":
            a, b = evaluate(left, lookup, faults), evaluate(right, lookup, faults)
            return None if a is None or b is None else _arithmetic(operator, a, b, expr, faults)
        case _:
            faults.no_value(
                "this is not a number", expr.span, "write a number, a quantity, or arithmetic on them"
            )
            return None


def _quantity(expr: ast.Quantity, faults: Faults) -> Fraction | Amount | None:
    unit = find_unit(expr.unit.text)
    if unit is None:
        faults.unknown("unit", expr.unit.text, expr.unit.span, unit_words())
        return None
    return Amount(expr.number.value * unit.factor, unit.base)


def _negate(value: Fraction | Amount | None) -> Fraction | Amount | None:
    if value is None:
        return None
    number, unit = _parts(value)
    return _with(-number, unit)


def _arithmetic(
    operator: str, a: Fraction | Amount, b: Fraction | Amount, expr: ast.Binary, faults: Faults
) -> Fraction | Amount | None:
    (x, unit_a), (y, unit_b) = _parts(a), _parts(b)
    if operator in "+-":
        if unit_a != unit_b:
            faults.units(disagreement(operator, unit_a, unit_b), expr.span, "express both in the same unit")
            return None
        return _with(x + y if operator == "+" else x - y, unit_a)
    if operator == "*":
        if unit_a and unit_b:
            faults.units(f"{unit_a} times {unit_b} has no meaning here", expr.span)
            return None
        return _with(x * y, unit_a or unit_b)
    if y == 0:
        faults.no_value("division by zero", expr.right.span, "divide by a number that is not 0")
        return None
    if unit_b and unit_a != unit_b:
        faults.units(f"{unit_a or PLAIN} divided by {unit_b} has no meaning here", expr.span)
        return None
    return _with(x / y, "" if unit_b else unit_a)


def disagreement(operator: str, left: str, right: str) -> str:
    """What is wrong when the two sides of an operator have different units."""
    return f"`{operator}` needs one unit on both sides: have {left or PLAIN} and {right or PLAIN}"


def _parts(value: Fraction | Amount) -> tuple[Fraction, str]:
    return value if isinstance(value, Amount) else (value, "")


def _with(number: Fraction, unit: str) -> Fraction | Amount:
    return Amount(number, unit) if unit else number
