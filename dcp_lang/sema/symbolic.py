"""SymPy: what is not linear is decided and solved with it, and formulas are printed.

Built from our own terms with exact numbers, never from strings. Importing this module imports SymPy, which
costs more than a whole check: it is imported only when something is left over. Sizes are capped before SymPy
is called, so that nothing hangs.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from html import escape
from operator import add, mul, sub, truediv
from typing import Any

import sympy
from sympy.printing.mathml import mathml
from sympy.solvers.inequalities import solve_univariate_inequality

from dcp_lang.sema.residual import Stretch, folded
from dcp_lang.sema.terms import (
    ARITHMETIC,
    COMPARISONS,
    Items,
    Num,
    Op,
    Ref,
    Sym,
    Term,
    term_text,
    unknowns,
    with_values,
)
from dcp_lang.sema.truth import UndefinedError

#: The budget of one condition: operations, degree in the unknown, digits of a number.
MAX_OPERATIONS, MAX_DEGREE, MAX_DIGITS = 64, 8, 40

_RELATIONS = {
    "<": sympy.Lt,
    "<=": sympy.Le,
    ">": sympy.Gt,
    ">=": sympy.Ge,
    "==": sympy.Eq,
    "!=": sympy.Ne,
}


def truths_of(term: Term) -> set[bool]:
    """The truth values that a condition takes over its one unknown; none when it was not decided.

    Raises `UndefinedError` when a divisor may be 0.
    """
    rest = folded(with_values(term))
    found = unknowns(rest)
    if len(found) != 1 or not _within_budget(rest):
        return set()
    where = _truth_set(rest, found[0])
    if where is None:
        return set()
    return {
        truth for truth, part in ((True, where), (False, _box(found[0]) - where)) if part != sympy.S.EmptySet
    }


def solve_symbolic(term: Term, unknown: Ref) -> list[Stretch] | None:
    """Where a condition on one unknown holds; None when it was not solved, or not in rational numbers."""
    try:
        holds = _truth_set(term, unknown) if _within_budget(term) else None
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
    relation = _RELATIONS[op](sympy.expand(top * bottom), 0)
    if relation in (sympy.true, sympy.false):
        return box if relation == sympy.true else sympy.S.EmptySet
    return solve_univariate_inequality(relation, symbol, relational=False, domain=box)


def _within_budget(term: Term) -> bool:
    operations, degree, digits = _size(term)
    return operations <= MAX_OPERATIONS and degree <= MAX_DEGREE and digits <= MAX_DIGITS


def _size(term: Term) -> tuple[int, int, int]:
    """Operations, degree in the unknowns (at most), digits of the longest number."""
    match term:
        case Num(value):
            return 0, 0, len(str(value.numerator)) + len(str(value.denominator))
        case Op(op, args):
            operations, degrees, digits = zip(*map(_size, args), strict=True) if args else ((0,), (0,), (0,))
            degree = sum(degrees) if op in ("*", "/", *COMPARISONS) else max(degrees)
            return 1 + sum(operations), degree, max(digits)
        case _:
            return 0, 1, 0


# Terms as SymPy expressions
# -----------------------------------------------------------------------------------


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


# Formulas

#: Names as LaTeX; any other name is set as text.
_LATEX = {
    "x": "x",
    "score(b)": r"\mathrm{score}(b)",
    "epsilon": r"\varepsilon",
    "delta_min": r"\delta_{\min}",
    "rho": r"\rho",
    "delta_evidence": r"\delta_{\mathrm{evidence}}",
    "delta_sham": r"\delta_{\mathrm{sham}}",
    "rho_placebo": r"\rho_{\mathrm{placebo}}",
}
_LATEX_SPECIAL = {ord(c): rf"\{c}" for c in "&%$#_{}"} | {
    ord("\\"): r"\textbackslash{}",
    ord("~"): r"\textasciitilde{}",
    ord("^"): r"\textasciicircum{}",
}


def formula(term: Term, form: str) -> str:
    """A condition as `text`, `latex` or presentation `mathml`, in the order in which it is written.

    Raises `KeyError` for another form.
    """
    return {"text": term_text, "latex": _latex, "mathml": _mathml}[form](term)


def _latex(term: Term) -> str:
    if isinstance(term, Op) and _is_junction(term) and term.args:
        parts = [rf"\left({_latex(a)}\right)" if _is_junction(a) else _latex(a) for a in term.args]
        return (r" \wedge " if term.op == "and" else r" \vee ").join(parts)
    words = {name: sympy.Symbol(name) for name in _words(term)}
    names = {s: _LATEX.get(n) or rf"\text{{{n.translate(_LATEX_SPECIAL)}}}" for n, s in words.items()}
    return str(sympy.latex(_written(term), order="none", symbol_names=names))


def _mathml(term: Term) -> str:
    """SymPy writes names and the sign `<` as they are: escaped names and one replacement mend it."""
    if isinstance(term, Op) and _is_junction(term) and term.args:
        parts = [f"<mo>(</mo>{_mathml(a)}<mo>)</mo>" if _is_junction(a) else _mathml(a) for a in term.args]
        sign = "∧" if term.op == "and" else "∨"
        return f"<mrow>{f'<mo>{sign}</mo>'.join(parts)}</mrow>"
    text = str(mathml(_written(term, escape), printer="presentation", order="none"))
    return text.replace("<mo><</mo>", "<mo>&lt;</mo>").replace("<mo>></mo>", "<mo>&gt;</mo>")


def _is_junction(term: Term) -> bool:
    """Whether a term is an `and` or an `or`: SymPy would sort its parts, so they are joined here."""
    return isinstance(term, Op) and term.op in ("and", "or")


def _words(term: Term) -> set[str]:
    match term:
        case Op(_, args):
            return {w for a in args for w in _words(a)}
        case Items(names):
            return set(names)
        case Ref(name) | Sym(name):
            return {name}
        case _:
            return set()


def _written(term: Term, spell: Callable[[str], str] = str) -> Any:
    """A term as an unevaluated SymPy expression: printed as it is written, not as SymPy would simplify it."""
    match term:
        case Num(value, ""):
            return _exact(value)
        case Num(value, unit):
            return sympy.Mul(_exact(value), sympy.Symbol(spell(unit)), evaluate=False)
        case Ref(name) | Sym(name):
            return sympy.Symbol(spell(name))
        case Items(names):
            return sympy.FiniteSet(*(sympy.Symbol(spell(n)) for n in names))
        case Op("not", (Op(op, args),)) if op in COMPARISONS:
            return _written(Op(_CONTRARY[op], args), spell)
        case Op("contains", (items, item)):
            return _written(Op("in", (item, items)), spell)
        case Op(op, args):
            return _unevaluated(op, [_written(a, spell) for a in args])


def _unevaluated(op: str, args: list[Any]) -> Any:
    match op, args:
        case "-", [a]:
            return sympy.Mul(-1, a, evaluate=False)
        case "-", [a, b]:
            return sympy.Add(a, sympy.Mul(-1, b, evaluate=False), evaluate=False)
        case "/", [a, b]:
            return sympy.Mul(a, sympy.Pow(b, -1, evaluate=False), evaluate=False)
        case "not", [a]:
            return sympy.Not(a, evaluate=False)
        case "in", [a, b]:
            return sympy.Contains(a, b, evaluate=False)
        case _:
            return _N_ARY[op](*args, evaluate=False)


_CONTRARY = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_N_ARY = {"+": sympy.Add, "*": sympy.Mul, "and": sympy.And, "or": sympy.Or, **_RELATIONS}
