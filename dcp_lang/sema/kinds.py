"""Kinds of terms: what an operator can join."""

from __future__ import annotations

from dcp_lang.sema.terms import ARITHMETIC, Items, Num, Op, Ref, Sym, Term

NUMBER, WORD, LIST, TRUTH = "a number", "a word", "a list", "a condition"


def kind_of(term: Term) -> str:
    """The kind of a term; an unknown is a number."""
    match term:
        case Ref(_, value):
            return NUMBER if value is None else kind_of(value)
        case Num():
            return NUMBER
        case Sym():
            return WORD
        case Items():
            return LIST
        case Op(op):
            return NUMBER if op in ARITHMETIC else TRUTH


def unit_of(term: Term) -> str:
    """The unit of a numeric term, empty for a plain number."""
    match term:
        case Num(_, unit) | Ref(_, Num(_, unit)):
            return unit
        case Op("*", (a, b)):
            return unit_of(a) or unit_of(b)
        case Op("/", (a, b)):
            return "" if unit_of(a) == unit_of(b) else unit_of(a)
        case Op(op, (first, *_)) if op in ARITHMETIC:
            return unit_of(first)
        case _:
            return ""
