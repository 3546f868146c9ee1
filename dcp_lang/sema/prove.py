"""Deciding a condition: proved, refuted, deferred, or entailed by a gate that must pass anyway.

Known values are exact numbers; unknowns (x, a sealed score) range over the closed interval of their type. A
comparison of linear expressions is decided by the exact minimum and maximum of the difference over that box.
What is not linear is bounded by interval arithmetic, which may leave it deferred but never decides it wrongly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from dcp_lang.sema.terms import COMPARISONS, Items, Num, Op, Ref, Sym, Term, references

PROVED, REFUTED, DEFERRED, ENTAILED = "proved", "refuted", "deferred", "entailed"

_FLIP = {PROVED: REFUTED, REFUTED: PROVED}


class Linear(NamedTuple):
    """`constant + Σ coefficient · unknown`, coefficients never zero."""

    constant: Fraction
    coefficients: tuple[tuple[Ref, Fraction], ...] = ()

    def minimum(self) -> Fraction:
        """The least value over the box of the unknowns."""
        return self.constant + sum((c * (r.low if c > 0 else r.high) for r, c in self.coefficients), Fraction(0))

    def maximum(self) -> Fraction:
        """The greatest value over the box of the unknowns."""
        return self.constant + sum((c * (r.high if c > 0 else r.low) for r, c in self.coefficients), Fraction(0))


class Gate(NamedTuple):
    """What a gate guarantees when it passes: `difference >= 0`, and the gate's name."""

    name: str
    difference: Linear


class Verdict(NamedTuple):
    """A status and its evidence: the margin (least or greatest value of right - left), or the gate that implies it."""

    status: str
    margin: Fraction | None = None
    gate: str = ""


def linear(term: Term) -> Linear | None:
    """A term as a linear form, or None when it is not one (or not a number)."""
    match term:
        case Num(value):
            return Linear(value)
        case Ref(_, Num(value)):
            return Linear(value)
        case Ref(_, None):
            return Linear(Fraction(0), ((term, Fraction(1)),))
        case Op("+", (first, *rest)):
            total = linear(first)
            for item in rest:
                total = _combine(total, linear(item), 1)
            return total
        case Op("-", (a, b)):
            return _combine(linear(a), linear(b), -1)
        case Op("-", (a,)):
            return _combine(Linear(Fraction(0)), linear(a), -1)
        case Op("*" | "/" as op, (a, b)):
            return _scaled(op, linear(a), linear(b))
        case _:
            return None


def _combine(a: Linear | None, b: Linear | None, sign: int) -> Linear | None:
    if a is None or b is None:
        return None
    sums = dict(a.coefficients)
    for ref, c in b.coefficients:
        sums[ref] = sums.get(ref, Fraction(0)) + sign * c
    return Linear(a.constant + sign * b.constant, tuple((r, c) for r, c in sums.items() if c))


def _scaled(op: str, a: Linear | None, b: Linear | None) -> Linear | None:
    if a is None or b is None:
        return None
    if op == "/":
        factor = None if b.coefficients or b.constant == 0 else 1 / b.constant
        form = a
    elif b.coefficients and a.coefficients:
        return None
    else:
        form, factor = (a, b.constant) if not b.coefficients else (b, a.constant)
    if factor is None:
        return None
    return Linear(form.constant * factor, tuple((r, c * factor) for r, c in form.coefficients if c * factor))


def decide(term: Term, gates: tuple[Gate, ...] = ()) -> Verdict:
    """The status of a condition for every value that the unknowns may take."""
    match term:
        case Op(op, (a, b)) if op in COMPARISONS:
            return _compare(op, a, b, gates)
        case Op("and", args):
            return _all([decide(a, gates) for a in args])
        case Op("or", args):
            return _negated(_all([_negated(decide(a, gates)) for a in args]))
        case Op("not", (a,)):
            return _negated(decide(a))
        case Op("in", (a, b)):
            return _member(a, b)
        case Op("contains", (a, b)):
            return _member(b, a)
        case Ref(_, value) if value is not None:
            return decide(value)
        case Sym("true"):
            return Verdict(PROVED)
        case Sym("false"):
            return Verdict(REFUTED)
        case _:
            return Verdict(DEFERRED)


def _negated(verdict: Verdict) -> Verdict:
    return Verdict(_FLIP.get(verdict.status, DEFERRED), verdict.margin)


def _all(verdicts: list[Verdict]) -> Verdict:
    for status in (REFUTED, DEFERRED, ENTAILED):
        first = next((v for v in verdicts if v.status == status), None)
        if first:
            return first
    return Verdict(PROVED, min((v.margin for v in verdicts if v.margin is not None), default=None))


def _plain(term: Term) -> Term:
    return term.value if isinstance(term, Ref) and term.value is not None else term


def _member(item: Term, items: Term) -> Verdict:
    a, b = _plain(item), _plain(items)
    if isinstance(a, Sym) and isinstance(b, Items):
        return Verdict(PROVED if a.name in b.names else REFUTED)
    return Verdict(DEFERRED)


def _compare(op: str, a: Term, b: Term, gates: tuple[Gate, ...]) -> Verdict:
    left, right = _plain(a), _plain(b)
    if isinstance(left, (Sym, Items)) or isinstance(right, (Sym, Items)):
        if references(left) or references(right) or op not in ("==", "!="):
            return Verdict(DEFERRED)
        return Verdict(PROVED if (left == right) == (op == "==") else REFUTED)
    if op in (">", ">="):
        return _compare("<" if op == ">" else "<=", b, a, gates)
    difference = linear(Op("-", (b, a)))
    if difference is None:
        return Verdict(DEFERRED)
    verdict = _sign(op, difference.minimum(), difference.maximum())
    return _entailed(op, difference, gates) if verdict.status == DEFERRED else verdict


def _sign(op: str, low: Fraction, high: Fraction) -> Verdict:
    """Decide `difference op 0` from the exact range of right - left."""
    if op == "<":
        proved, refuted = low > 0, high <= 0
    elif op == "<=":
        proved, refuted = low >= 0, high < 0
    else:
        equal, apart = low == high == 0, not low <= 0 <= high
        proved, refuted = (equal, apart) if op == "==" else (apart, equal)
    if proved:
        return Verdict(PROVED, low)
    return Verdict(REFUTED, high) if refuted else Verdict(DEFERRED)


def _entailed(op: str, difference: Linear, gates: tuple[Gate, ...]) -> Verdict:
    """Whether a gate implies the condition: difference - λ · (what the gate keeps >= 0) stays positive, some λ >= 0."""
    for gate in gates:
        for _, scale in difference.coefficients:
            for ratio in {abs(scale / c) for _, c in gate.difference.coefficients}:
                rest = _combine(difference, _scaled("*", gate.difference, Linear(ratio)), -1)
                if rest is not None and (rest.minimum() > 0 or (op == "<=" and rest.minimum() == 0)):
                    return Verdict(ENTAILED, rest.minimum(), gate.name)
    return Verdict(DEFERRED)
