"""Residuals: what is left of a condition once its known values are filled in, solved for an unknown.

`ε < x - score(b)` with ε = 1/200 and score(b) = 1/2 leaves `x > 101/200`. Linear conditions are solved
here, on exact rationals; the rest by the roots of polynomials (`univariate.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from dcp_lang.record import Record
from dcp_lang.sema.cells import boundaries, samples
from dcp_lang.sema.linear import Linear, linear
from dcp_lang.sema.signs import truths
from dcp_lang.sema.terms import (
    COMPARISONS,
    FALSE,
    LOGIC,
    TRUE,
    Num,
    Op,
    Ref,
    Term,
    all_of,
    number,
    unknowns,
    with_values,
)
from dcp_lang.sema.truth import holds

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Stretch(Record):
    """An interval of an unknown on which a condition holds, an open end excluded."""

    low: Fraction
    high: Fraction
    low_open: bool
    high_open: bool


# Remembered: the conditions, their evidence and the documents show the same.
@lru_cache(maxsize=8192)
def residual(term: Term) -> Term | None:
    """The condition solved for its unknown (x first), or None when nothing is unknown or it cannot be solved.

    Equivalent to the condition for every value of the unknowns within their types.
    """
    rest = folded(with_values(term))
    left = sorted(unknowns(rest), key=lambda r: r.name != "x")
    if not left:
        return None
    if len(left) == 1:
        return _solved_on_a_line(rest, left[0])
    return _solved_comparison(rest, left[0]) if isinstance(rest, Op) and rest.op in COMPARISONS else None


def folded(term: Term) -> Term:
    """The term with conditions on known values replaced by true or false, and these removed."""
    if not isinstance(term, Op) or term.op not in (*LOGIC, *COMPARISONS, "in", "contains"):
        return term
    if not unknowns(term):
        return TRUE if holds(term, {}) else FALSE
    if term.op not in ("and", "or"):
        return Op(term.op, tuple(folded(a) for a in term.args))
    neutral = TRUE if term.op == "and" else FALSE
    args = tuple(a for a in map(folded, term.args) if a != neutral)
    absorbing = FALSE if term.op == "and" else TRUE
    if absorbing in args:
        return absorbing
    return args[0] if len(args) == 1 else Op(term.op, args)


def _solved_comparison(term: Op, unknown: Ref) -> Term | None:
    """`a op b`, linear, as `unknown op' the rest`."""
    form = linear(Op("-", term.args))
    if form is None:
        return None
    factor = dict(form.coefficients)[unknown]
    own = Linear(Fraction(0), ((unknown, factor),))
    rest = form.less(own).scaled(-1 / factor)
    return Op(term.op if factor > 0 else _MIRRORED[term.op], (unknown, linear_term(rest)))


def linear_term(form: Linear) -> Term:
    """A linear form as a term: its unknowns first, then the constant."""
    result: Term | None = None
    for ref, c in form.coefficients:
        sized: Term = ref if abs(c) == 1 else Op("*", (number(abs(c)), ref))
        if result is None:
            result = sized if c > 0 else Op("-", (sized,))
        else:
            result = Op("+" if c > 0 else "-", (result, sized))
    if result is None:
        return number(form.constant)
    if form.constant == 0:
        return result
    return Op("+" if form.constant > 0 else "-", (result, number(abs(form.constant))))


def _solved_on_a_line(term: Term, unknown: Ref) -> Term | None:
    forms = boundaries(term)
    points = None if forms is None else samples(forms, [unknown])
    if forms is None or points is None:
        from dcp_lang.sema.univariate import solve  # only what is not linear needs it

        solved = solve(term, unknown)
        return None if solved is None else as_term(solved, unknown)
    found = sorted(zip([p[unknown.name] for p in points], truths(term, forms, points), strict=True))
    if len(found) == 1:
        return TRUE if found[0][1] else FALSE
    return as_term(stretches(found), unknown)


def stretches(marked: list[tuple[Fraction, bool]]) -> list[Stretch]:
    """The stretches of truth, from the truth at each mark and (every second point) between marks."""
    found: list[Stretch] = []
    for index in range(0, len(marked), 2):
        mark, at = marked[index]
        before = index > 0 and marked[index - 1][1]
        after = index + 1 < len(marked) and marked[index + 1][1]
        if before:
            found[-1] = found[-1]._replace(high=mark, high_open=not at)
        elif at:
            found.append(Stretch(mark, mark, False, False))
        if after and not (at and found and found[-1].high == mark):
            found.append(Stretch(mark, mark, True, True))
    return found


def as_term(found: Iterable[Stretch], unknown: Ref) -> Term:
    """The condition that an unknown lies on one of the stretches; what its type says anyway is left out."""
    parts = tuple(_within(s, unknown) for s in found)
    return parts[0] if len(parts) == 1 else Op("or", parts)


def _within(stretch: Stretch, unknown: Ref) -> Term:
    low, high, low_open, high_open = stretch
    if low == high:
        return Op("==", (unknown, Num(low)))
    ends: list[Term] = []
    if low > unknown.low or low_open:
        ends.append(Op(">" if low_open else ">=", (unknown, Num(low))))
    if high < unknown.high or high_open:
        ends.append(Op("<" if high_open else "<=", (unknown, Num(high))))
    return all_of(ends)
