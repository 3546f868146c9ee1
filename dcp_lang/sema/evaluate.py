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
            faults.not_constant("this is not a number", expr.span, "write a number, a quantity, or arithmetic on them")
            return None


def _quantity(expr: ast.Quantity, faults: Faults) -> Fraction | Amount | None:
    unit = find_unit(expr.unit.text)
    if unit is None:
        faults.unknown("unit", expr.unit.text, expr.unit.span, unit_words())
        return None
    return Amount(expr.number.value * unit.factor, unit.base)


def _negate(value: Fraction | Amount | None) -> Fraction | Amount | None:
    return Amount(-value.number, value.unit) if isinstance(value, Amount) else None if value is None else -value


def _arithmetic(
    operator: str, a: Fraction | Amount, b: Fraction | Amount, expr: ast.Binary, faults: Faults
) -> Fraction | Amount | None:
    x, unit_a = (a.number, a.unit) if isinstance(a, Amount) else (a, "")
    y, unit_b = (b.number, b.unit) if isinstance(b, Amount) else (b, "")
    if operator in "+-":
        if unit_a != unit_b:
            faults.units(
                f"`{operator}` needs one unit on both sides: have {unit_a or 'a plain number'} and "
                f"{unit_b or 'a plain number'}", expr.span, "express both in the same unit",
            )  # fmt: skip
            return None
        return _with(x + y if operator == "+" else x - y, unit_a)
    if operator == "*":
        if unit_a and unit_b:
            faults.units(f"{unit_a} times {unit_b} has no meaning here", expr.span)
            return None
        return _with(x * y, unit_a or unit_b)
    return _divide(x, y, unit_a, unit_b, expr, faults)


def _divide(
    x: Fraction, y: Fraction, unit_a: str, unit_b: str, expr: ast.Binary, faults: Faults
) -> Fraction | Amount | None:
    if y == 0:
        faults.not_constant("division by zero", expr.right.span)
        return None
    if unit_b and unit_a != unit_b:
        faults.units(f"{unit_a or 'a plain number'} divided by {unit_b} has no meaning here", expr.span)
        return None
    return _with(x / y, "" if unit_b else unit_a)


def _with(number: Fraction, unit: str) -> Fraction | Amount:
    return Amount(number, unit) if unit else number
