"""The truth of a condition: at one point exactly, or over the whole box by interval arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from dcp_lang.record import TYPE_CHECKING
from dcp_lang.sema.terms import ARITHMETIC, COMPARISONS, Items, Num, Op, Ref, Sym, Term

if TYPE_CHECKING:
    from typing import TypeAlias

Range: TypeAlias = "tuple[Fraction, Fraction]"

_COMPARE: dict[str, Callable[[Fraction | int, Fraction | int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class UndefinedError(ArithmeticError):
    """A quotient whose divisor is, or may be, zero."""


def plain(term: Term) -> Term:
    """A reference's value, where it has one."""
    return term.value if type(term) is Ref and term.value is not None else term


def holds(term: Term, point: Mapping[str, Fraction]) -> bool:
    """Whether a condition is true at a point that names every unknown; raises `UndefinedError`."""
    match term:
        case Op("and", args):
            return all(holds(a, point) for a in args)
        case Op("or", args):
            return any(holds(a, point) for a in args)
        case Op("not", (a,)):
            return not holds(a, point)
        case Op(op, (a, b)) if op in COMPARISONS and is_numeric(a):
            return _COMPARE[op](value_at(a, point), value_at(b, point))
        case Op(op, (a, b)):
            return _about_words(op, plain(a), plain(b))
    raise TypeError(f"not a condition: {term!r}")


def stands(op: str, difference: Fraction | int) -> bool:
    """Whether `a op b` is true, by a number that has the sign of b - a."""
    return _COMPARE[op](0, difference)


def is_numeric(term: Term) -> bool:
    """Whether a term is a number: known, unknown or computed."""
    known = plain(term)
    return term.op in ARITHMETIC if type(term) is Op else type(known) is Num or type(known) is Ref


def _about_words(op: str, a: Term, b: Term) -> bool:
    match op, a, b:
        case "in", Sym(name), Items(names):
            return name in names
        case "contains", Items(names), Sym(name):
            return name in names
        case "==" | "!=", Items(left), Items(right):
            return (sorted(left) == sorted(right)) == (op == "==")
        case "==" | "!=", Sym(), Sym():
            return (a == b) == (op == "==")
    raise TypeError(f"`{op}` does not compare {a!r} and {b!r}")


def _quotient(a: Fraction, b: Fraction) -> Fraction:
    if not b:
        raise UndefinedError
    return a / b


_ARITHMETIC: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _quotient,
}


def value_at(term: Term, point: Mapping[str, Fraction]) -> Fraction:
    """The value of a numeric term at a point that names every unknown; raises `UndefinedError`."""
    known = plain(term)
    if type(known) is Num:
        return known.value
    match term:
        case Ref(name, None):
            return point[name]
        case Op("-", (a,)):
            return -value_at(a, point)
        case Op(op, (first, *rest)):
            result = value_at(first, point)
            for other in rest:
                result = _ARITHMETIC[op](result, value_at(other, point))
            return result
    raise TypeError(f"not a number: {term!r}")


# Intervals


def value_range(term: Term, box: Mapping[str, Range] | None = None) -> Range:
    """An interval that holds every value of a numeric term over a box, by default that of the types.

    Exact where no unknown occurs twice, else it may be too wide; raises `UndefinedError`.
    """
    match plain(term):
        case Num(value):
            return value, value
        case Ref(name, None, low, high):
            return box[name] if box is not None else (low, high)
        case Op("-", (a,)):
            low, high = value_range(a, box)
            return -high, -low
        case Op(op, (first, *rest)):
            result = value_range(first, box)
            for other in rest:
                result = _combined(op, result, value_range(other, box))
            return result
    raise TypeError(f"not a number: {term!r}")


def _combined(op: str, a: Range, b: Range) -> Range:
    if op == "+":
        return a[0] + b[0], a[1] + b[1]
    if op == "-":
        return a[0] - b[1], a[1] - b[0]
    if op == "/":
        if b[0] <= 0 <= b[1]:
            raise UndefinedError
        b = (1 / b[1], 1 / b[0])
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def bounded(term: Term) -> bool | None:
    """The truth of a condition over the whole box as far as interval arithmetic tells; None: not decided."""
    match term:
        case Op("and", args):
            return _all(bounded(a) for a in args)
        case Op("or", args):
            return _not(_all(_not(bounded(a)) for a in args))
        case Op("not", (a,)):
            return _not(bounded(a))
        case Op(op, (a, b)) if op in COMPARISONS and is_numeric(a):
            return _compared(op, a, b)
        case _:
            return holds(term, {})


def _all(values: Iterable[bool | None]) -> bool | None:
    found = list(values)
    return False if False in found else None if None in found else True


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _compared(op: str, a: Term, b: Term) -> bool | None:
    """`a op b` from the range of b - a: every order relation is a sign of the difference."""
    try:
        low, high = value_range(Op("-", (b, a)))
    except UndefinedError:
        return None
    at_low, at_high = stands(op, low), stands(op, high)
    if op in ("==", "!="):
        apart = not low <= 0 <= high
        return at_low if apart or low == high else None
    return at_low if at_low == at_high else None
