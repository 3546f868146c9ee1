"""Formulas, printed with SymPy in the order in which they are written.

Importing this module imports SymPy, which costs more than a whole check: only what shows formulas imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from html import escape
from typing import Any

import sympy
from sympy.printing.mathml import mathml

from dcp_lang.sema.terms import COMPARISONS, Items, Num, Op, Ref, Sym, Term, term_text

_RELATIONS = {
    "<": sympy.Lt,
    "<=": sympy.Le,
    ">": sympy.Gt,
    ">=": sympy.Ge,
    "==": sympy.Eq,
    "!=": sympy.Ne,
}


def _exact(value: Fraction) -> Any:
    return sympy.Rational(value.numerator, value.denominator)


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
