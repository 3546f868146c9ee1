"""Conditions as terms: what `require` and the built-in rules are decided on, and what obligations are made
of.

A term is a number, a symbol, a list of symbols, a reference (with its value when it is known, else the
interval of its type), or an operation on terms. The same tree is written into the frozen JSON
(`docs/obligations.md`).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from typing import Any, TypeAlias


ZERO, ONE = Fraction(0), Fraction(1)


class Num(Record):
    """An exact number; `unit` is empty for a plain number."""

    value: Fraction
    unit: str = ""


class Sym(Record):
    """The name of a choice, a text, or a digest."""

    name: str


class Items(Record):
    """The names in a list, whose order says nothing."""

    names: tuple[str, ...]


class Ref(Record):
    """A named quantity: its value when it is known, else the closed interval that its type allows."""

    name: str
    value: Num | Sym | Items | None
    low: Fraction = ZERO
    high: Fraction = ONE


class Op(Record):
    """An operation: `+ - * /`, `< <= > >= == !=`, `in contains`, `and or not` (`and`, `or` may be empty)."""

    op: str
    args: tuple[Term, ...]


Term: TypeAlias = "Num | Sym | Items | Ref | Op"

ARITHMETIC = ("+", "-", "*", "/")
ORDERINGS = ("<", "<=", ">", ">=")
COMPARISONS = (*ORDERINGS, "==", "!=")
MEMBERSHIPS = ("in", "contains")
LOGIC = ("and", "or", "not")

TRUE, FALSE = Op("and", ()), Op("or", ())

_PRECEDENCE = {"or": 1, "and": 2, "not": 3, "+": 5, "-": 5, "*": 6, "/": 6} | dict.fromkeys(
    (*COMPARISONS, *MEMBERSHIPS), 4
)
_SIGN = 7


def number(value: Fraction | int | str, unit: str = "") -> Num:
    """A number term."""
    return Num(value if type(value) is Fraction else Fraction(value), unit)


def compare(left: Term, op: str, right: Term) -> Op:
    """A comparison."""
    return Op(op, (left, right))


def all_of(terms: Iterable[Term]) -> Term:
    """The conjunction of terms, one alone as it is."""
    found = tuple(terms)
    return found[0] if len(found) == 1 else Op("and", found)


def negation(term: Term) -> Term:
    """The negation of a condition."""
    return Op("not", (term,))


def references(term: Term) -> list[Ref]:
    """Every reference in a term, each once, in order."""
    found: dict[str, Ref] = {}
    rest = [term]
    while rest:
        part = rest.pop()
        if type(part) is Ref:
            found.setdefault(part.name, part)
        elif type(part) is Op:
            rest += reversed(part.args)
    return list(found.values())


def unknowns(term: Term) -> list[Ref]:
    """The references without a value."""
    return [r for r in references(term) if r.value is None]


def with_values(term: Term) -> Term:
    """The term with every known reference replaced by its value."""
    match term:
        case Ref(_, value) if value is not None:
            return value
        case Op(op, args):
            return Op(op, tuple(with_values(a) for a in args))
        case _:
            return term


# Kinds: what an operator can join

NUMBER, WORD, LIST, TRUTH = "a number", "a word", "a list", "a condition"


def kind_of(term: Term) -> str:
    """The kind of a term; an unknown is a number."""
    if type(term) is Op:
        return NUMBER if term.op in ARITHMETIC else TRUTH
    known = term.value if type(term) is Ref else term
    return WORD if type(known) is Sym else LIST if type(known) is Items else NUMBER


def unit_of(term: Term) -> str:
    """The unit of a numeric term, empty for a plain number."""
    known = term.value if type(term) is Ref else term
    if type(known) is Num:
        return known.unit
    match term:
        case Op("*", (a, b)):
            return unit_of(b) or unit_of(a)
        case Op("/", (a, b)):
            above = unit_of(a)
            return "" if above == unit_of(b) else above
        case Op(op, (*_, last)) if op in ARITHMETIC:
            # All terms of a sum agree, and the last is no sum itself unless brackets make it one.
            return unit_of(last)
        case _:
            return ""


# Text and JSON


def term_text(term: Term, outer: int = 0) -> str:
    """A term in the spelling of the language, with the fewest parentheses."""
    match term:
        case Num(value, unit):
            return _number_text(value, unit, outer)
        case Sym(name):
            return name
        case Items(names):
            return f"[{', '.join(names)}]"
        case Ref(name):
            return name
        case Op(op, args):
            return _operation_text(op, args, outer)


def _number_text(value: Fraction, unit: str, outer: int) -> str:
    text = f"{number_text(value)} {unit}".rstrip()
    own = _PRECEDENCE["/"] if "/" in text else _PRECEDENCE["+"] if value < 0 else _SIGN
    return f"({text})" if own < outer else text


def _operation_text(op: str, args: tuple[Term, ...], outer: int) -> str:
    own = _PRECEDENCE[op]
    if not args:
        return "true" if op == "and" else "false"
    if op == "not":
        text = f"not {term_text(args[0], own)}"
    elif len(args) == 1:
        own, text = _PRECEDENCE["+"], f"-{term_text(args[0], _SIGN)}"
    else:
        first, *rest = args
        left = own + 1 if op in COMPARISONS or op in MEMBERSHIPS else own
        text = f" {op} ".join([term_text(first, left), *(term_text(a, own + 1) for a in rest)])
    return f"({text})" if own < outer else text


def term_json(term: Term) -> dict[str, Any]:
    """A term as the expression tree that the frozen JSON carries."""
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
