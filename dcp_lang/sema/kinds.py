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
            return unit_of(b) or unit_of(a)
        case Op("/", (a, b)):
            above = unit_of(a)
            return "" if above == unit_of(b) else above
        case Op(op, (*_, last)) if op in ARITHMETIC:
            # All terms of a sum agree, and the last is no sum itself unless brackets make it one.
            return unit_of(last)
        case _:
            return ""
