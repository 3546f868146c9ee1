"""Conditions as terms: what `require` and the built-in rules are decided on, and what obligations are made of.

A term is a number, a symbol, a list of symbols, a reference (with its value when it is known, else the interval
of its type), or an operation on terms. The same tree is written into the frozen JSON.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from dcp_lang.canonical import number_text


class Num(NamedTuple):
    """An exact number; `unit` is empty for a plain number."""

    value: Fraction
    unit: str = ""


class Sym(NamedTuple):
    """The name of a choice, a truth value, or a text."""

    name: str


class Items(NamedTuple):
    """The names in a list."""

    names: tuple[str, ...]


class Ref(NamedTuple):
    """A named quantity: its value when it is known, else the closed interval that its type allows."""

    name: str
    value: Num | Sym | Items | None
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)


class Op(NamedTuple):
    """An operation: `+ - * /`, `< <= > >= == !=`, `in contains`, `and or not`."""

    op: str
    args: tuple[Term, ...]


Term: TypeAlias = "Num | Sym | Items | Ref | Op"

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_PRECEDENCE = {"or": 1, "and": 2, "not": 3, "in": 4, "contains": 4, "+": 5, "-": 5, "*": 6, "/": 6} | dict.fromkeys(
    COMPARISONS, 4
)


def number(value: Fraction | int | str, unit: str = "") -> Num:
    """A number term."""
    return Num(Fraction(value), unit)


def compare(left: Term, op: str, right: Term) -> Op:
    """A comparison."""
    return Op(op, (left, right))


def all_of(*terms: Term) -> Term:
    """The conjunction of terms."""
    return terms[0] if len(terms) == 1 else Op("and", terms)


def term_text(term: Term, outer: int = 0) -> str:
    """A term in the spelling of the language, with the fewest parentheses."""
    match term:
        case Num(value, unit):
            return f"{number_text(value)} {unit}".strip()
        case Sym(name):
            return name
        case Items(names):
            return f"[{', '.join(names)}]"
        case Ref(name):
            return name
        case Op(op, args):
            return _operation_text(op, args, outer)


def _operation_text(op: str, args: tuple[Term, ...], outer: int) -> str:
    own = _PRECEDENCE[op]
    if op == "not":
        text = f"not {term_text(args[0], own)}"
    elif len(args) == 1:
        text = f"-{term_text(args[0], 7)}"
    else:
        first, *rest = args
        left = own if op not in COMPARISONS else own + 1
        text = f" {op} ".join([term_text(first, left), *(term_text(a, own + 1) for a in rest)])
    return f"({text})" if own < outer else text


def term_json(term: Term) -> dict[str, Any]:
    """A term as the expression tree that the frozen JSON carries (`docs/obligations.md`)."""
    match term:
        case Num(value, unit):
            return {"number": number_text(value)} | ({"unit": unit} if unit else {})
        case Sym(name):
            return {"symbol": name}
        case Items(names):
            return {"items": list(names)}
        case Ref(name):
            return {"name": name}
        case Op(op, args):
            return {"op": op, "args": [term_json(a) for a in args]}


def references(term: Term) -> list[Ref]:
    """Every reference in a term, each once, in order."""
    match term:
        case Ref():
            return [term]
        case Op(_, args):
            return list(dict.fromkeys(r for a in args for r in references(a)))
        case _:
            return []
