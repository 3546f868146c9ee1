"""SymPy as an independent peer: where a condition on one unknown holds, and which truth values it takes.

Slow, and on some cubics for seconds: only small conditions are given to it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from operator import add, mul, sub, truediv
from typing import Any

import sympy
from sympy.solvers.inequalities import solve_univariate_inequality

from dcp_lang.sema.residual import Stretch
from dcp_lang.sema.terms import ARITHMETIC, Num, Op, Ref, Term, with_values
from dcp_lang.sema.truth import UndefinedError


def truths_of(term: Term, unknown: Ref) -> set[bool]:
    """The truth values that a condition takes over its one unknown; none when it was not decided.

    Raises `UndefinedError` when a divisor may be 0.
    """
    where = _truth_set(with_values(term), unknown)
    if where is None:
        return set()
    return {
        truth for truth, part in ((True, where), (False, _box(unknown) - where)) if part != sympy.S.EmptySet
    }


def solve_symbolic(term: Term, unknown: Ref) -> list[Stretch] | None:
    """Where a condition on one unknown holds; None when it was not solved, or not in rational numbers."""
    try:
        holds = _truth_set(term, unknown)
    except UndefinedError:
        return None
    parts = holds.args if isinstance(holds, sympy.Union) else (holds,)
    stretches = [s for part in parts for s in _stretches(part)]
    return None if None in stretches or not stretches else sorted(s for s in stretches if s is not None)


def _stretches(part: Any) -> list[Stretch | None]:
    if isinstance(part, sympy.Interval):
        ends = (_rational(part.start), _rational(part.end))
        if None not in ends:
            return [Stretch(*ends, bool(part.left_open), bool(part.right_open))]  # type: ignore[arg-type]
        return [None]
    if isinstance(part, sympy.FiniteSet):
        points = [_rational(value) for value in part]
        return [None if p is None else Stretch(p, p, False, False) for p in points]
    return [None]


def _rational(value: Any) -> Fraction | None:
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else None


# The set on which a condition holds
# ---------------------------------------------------------------------------


def _box(unknown: Ref) -> Any:
    return sympy.Interval(_exact(unknown.low), _exact(unknown.high))


def _truth_set(term: Term, unknown: Ref) -> Any:
    """The subset of the unknown's interval on which a condition holds, or None when SymPy cannot tell."""
    try:
        return _subset(term, unknown, _box(unknown))
    except NotImplementedError:
        return None


def _subset(term: Term, unknown: Ref, box: Any) -> Any:
    match term:
        case Op("and", args):
            return reduce(sympy.Intersection, (_subset(a, unknown, box) for a in args), box)
        case Op("or", args):
            return reduce(sympy.Union, (_subset(a, unknown, box) for a in args), sympy.S.EmptySet)
        case Op("not", (a,)):
            return box - _subset(a, unknown, box)
        case Op(op, (a, b)):
            return _solution(op, _expression(Op("-", (a, b))), unknown, box)
    raise NotImplementedError


def _solution(op: str, difference: Any, unknown: Ref, box: Any) -> Any:
    """Where `difference op 0` holds; undefined anywhere on the box means undefined."""
    symbol = _symbol(unknown.name)
    top, bottom = sympy.fraction(sympy.together(difference))
    if sympy.solveset(bottom, symbol, box) != sympy.S.EmptySet:
        raise UndefinedError
    if op in ("==", "!="):
        equal = sympy.solveset(top, symbol, box)
        return equal if op == "==" else box - equal
    relation = sympy.Rel(sympy.expand(top * bottom), 0, op)
    if relation in (sympy.true, sympy.false):
        return box if relation == sympy.true else sympy.S.EmptySet
    return solve_univariate_inequality(relation, symbol, relational=False, domain=box)


def _exact(value: Fraction) -> Any:
    return sympy.Rational(value.numerator, value.denominator)


def _symbol(name: str) -> Any:
    return sympy.Symbol(name, real=True)


def _expression(term: Term) -> Any:
    """A numeric term, evaluated as SymPy likes."""
    match term:
        case Num(value):
            return _exact(value)
        case Ref(name):
            return _symbol(name)
        case Op("-", (a,)):
            return -_expression(a)
        case Op(op, args) if op in ARITHMETIC:
            return reduce(_OPERATIONS[op], map(_expression, args))
    raise NotImplementedError


_OPERATIONS: dict[str, Any] = {"+": add, "-": sub, "*": mul, "/": truediv}
