"""Deciding a condition: proved, refuted, deferred, or entailed by a gate that must pass anyway.

Known values are exact numbers; unknowns (x, a sealed score) range over the closed interval of their type.

* Boolean combinations of linear comparisons are decided completely: at one sample of every cell (`cells.py`).
* The rest is first bounded by interval arithmetic (`truth.py`), which never decides wrongly.
* What is then left and has one unknown is cut at the roots of its polynomials, within a budget (`univariate.py`).
* What is still left is deferred, and its note says that it was not decided.
"""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.sema.linear import Linear, linear
from dcp_lang.sema.terms import (
    COMPARISONS,
    ORDERINGS,
    TRUE,
    Op,
    Ref,
    Term,
    all_of,
    term_text,
    unknowns,
    with_values,
)
from dcp_lang.sema.truth import UndefinedError, bounded, holds, is_numeric, value_at

if TYPE_CHECKING:
    from typing import TypeGuard

    from dcp_lang.sema.cells import Point
    from dcp_lang.stats.search import Effort

PROVED, REFUTED, DEFERRED, ENTAILED = "proved", "refuted", "deferred", "entailed"
_STATUS = {
    frozenset({True}): PROVED,
    frozenset({False}): REFUTED,
    frozenset({True, False}): DEFERRED,
}
#: What is allowed for each operation of a condition that is not linear.
_SYMBOLIC_STEPS = 4_000


class Gate(Record):
    """What a gate guarantees when it passes: a linear condition, closed, on the unknowns."""

    name: str
    guarantee: Term


class Verdict(Record):
    """A status and what it rests on.

    `margin` is the least (when refuted: the greatest) value of the greater minus the lesser side of one
    comparison, over all values that the unknowns may take; `gate` names the gate that entails the condition;
    `note` says why a condition could not be decided.
    """

    status: str
    margin: Fraction | None = None
    gate: str = ""
    note: str = ""


def decide(term: Term, gates: tuple[Gate, ...] = (), effort: Effort | None = None) -> Verdict:
    """The status of a condition for every value that the unknowns may take.

    Its work is taken off an effort before it is begun: `EffortError` where that has not as many steps left.
    """
    unknown = unknowns(term)
    forms = _forms(term, unknown)
    if effort is not None:
        effort.spend(_steps(term, unknown, forms))
    if not unknown:
        return _known(term)
    if forms is None:
        return _undecided(term, "not linear")
    return _ordered(term, forms[0], gates) if _is_ordering(term) else _sampled(term, unknown, forms, gates)


def _forms(term: Term, unknown: list[Ref]) -> list[Linear] | None:
    """The forms that bound the cells of its unknowns; None where one is not linear."""
    if not unknown:
        return []
    if _is_ordering(term):
        form = linear(difference(term))
        return None if form is None else [form]
    from dcp_lang.sema.cells import boundaries  # few conditions on what is unknown are no plain ordering

    return boundaries(term)


def _sampled(term: Term, unknown: list[Ref], forms: list[Linear], gates: tuple[Gate, ...]) -> Verdict:
    """A condition all of which is linear, by its truth in every cell."""
    from dcp_lang.sema.cells import samples
    from dcp_lang.sema.signs import truths

    points = samples(forms, unknown)
    if points is None:
        return _undecided(term, "too many comparisons")
    status = _STATUS[frozenset(truths(term, forms, points))]
    return (_entailed(term, forms, gates) or Verdict(DEFERRED)) if status == DEFERRED else Verdict(status)


def _known(term: Term) -> Verdict:
    """A condition without unknowns; no divisor is 0 (`E107` says so)."""
    if not _is_ordering(term):
        return Verdict(PROVED if holds(term, {}) else REFUTED)
    greater, lesser = _sides(term)
    margin = value_at(greater, {}) - value_at(lesser, {})
    return Verdict(PROVED if _suffices(term, margin) else REFUTED, margin)


def _ordered(term: Op, form: Linear, gates: tuple[Gate, ...]) -> Verdict:
    """One linear comparison: its form, which must be positive (or 0), is extreme at corners of the box."""
    if _suffices(term, low := form.minimum()):
        return Verdict(PROVED, low)
    if not _suffices(term, high := form.maximum()):
        return Verdict(REFUTED, high)
    for chosen in _choices(gates):
        least = _least(form, chosen)
        if least is not None and _suffices(term, least):
            return Verdict(ENTAILED, least, " and ".join(g.name for g in chosen))
    return Verdict(DEFERRED)


def _least(form: Linear, gates: tuple[Gate, ...]) -> Fraction | None:
    """The least value of a form wherever the gates pass; None where they pass nowhere."""
    match gates:
        case (Gate(_, Op("<=" | ">=") as guarantee),) if guard := linear(difference(guarantee)):
            return form.minimum_where(guard)
    return min((form.minimum(point) for point in _passing(gates)), default=None)


def _choices(gates: tuple[Gate, ...]) -> list[tuple[Gate, ...]]:
    """Each gate alone, then all together."""
    return [*((g,) for g in gates), gates] if len(gates) > 1 else [gates][: len(gates)]


def _suffices(term: Op, margin: Fraction) -> bool:
    """Whether the sides of an ordering stand in order when the greater exceeds the lesser by a margin."""
    sign = margin.numerator
    return sign > 0 or (sign == 0 and len(term.op) == 2)


def steps(term: Term) -> int:
    """About how much work deciding a condition is, in units of 4 µs: known before it is begun."""
    unknown = unknowns(term)
    return _steps(term, unknown, _forms(term, unknown))


def _steps(term: Term, unknown: list[Ref], forms: list[Linear] | None) -> int:
    """The same, where its unknowns and forms are known."""
    parts, comparisons, size = [term], 0, 0
    while parts:
        part = parts.pop()
        if type(part) is Op:
            size += 1
            comparisons += part.op in COMPARISONS
            parts += part.args
    if unknown and forms is None:
        return _SYMBOLIC_STEPS * size
    least = 5 + 24 * len(unknown) + size**2 // 10
    if not unknown or comparisons < 2:
        return least
    from dcp_lang.sema.cells import MAX_COMPARISONS

    cells: int = min(comparisons, MAX_COMPARISONS) ** (len(unknown) + 1)
    return least + 80 + 8 * cells


def _undecided(term: Term, reason: str) -> Verdict:
    """What interval arithmetic or the roots of its polynomials make of a condition that samples cannot decide."""
    truth = bounded(term)
    try:
        truths = _truths_by_roots(term) if truth is None else {truth}
    except UndefinedError:
        return Verdict(DEFERRED, note="not decided: a divisor may be 0")
    if truths:
        return Verdict(_STATUS[frozenset(truths)])
    names = " and ".join(r.name for r in unknowns(term))
    return Verdict(DEFERRED, note=f"not decided: {reason} in {names}")


def _truths_by_roots(term: Term) -> set[bool]:
    from dcp_lang.sema.univariate import truths_of  # only what is left over needs it

    return truths_of(term)


def _entailed(term: Term, forms: list[Linear], gates: tuple[Gate, ...]) -> Verdict | None:
    """Whether the condition holds wherever the gates do."""
    from dcp_lang.sema.signs import truths

    for chosen in _choices(gates):
        points = _passing(chosen, term, tuple(forms))
        if points and all(truths(term, forms, points)):
            return Verdict(ENTAILED, gate=" and ".join(g.name for g in chosen))
    return None


def _passing(gates: tuple[Gate, ...], term: Term = TRUE, forms: tuple[Linear, ...] = ()) -> list[Point]:
    """Samples at which the gates pass: every corner of where they do, and of every cell of another condition."""
    from dcp_lang.sema.cells import boundaries, samples
    from dcp_lang.sema.signs import truths

    premise = all_of(g.guarantee for g in gates)
    guards = boundaries(premise)
    if guards is None:
        return []
    points = samples([*forms, *guards], unknowns(Op("and", (term, premise)))) or []
    return [p for p, passes in zip(points, truths(premise, guards, points), strict=True) if passes]


def _is_ordering(term: Term) -> TypeGuard[Op]:
    return type(term) is Op and term.op in ORDERINGS and is_numeric(term.args[0])


def _sides(term: Op) -> tuple[Term, Term]:
    """The side of an ordering that should be the greater, and the lesser."""
    a, b = term.args
    return (a, b) if term.op[0] == ">" else (b, a)


def difference(term: Term) -> Term:
    """What an ordering wants positive: right minus left of `<`, left minus right of `>`."""
    assert isinstance(term, Op)
    return Op("-", _sides(term))


# Evidence


def evidence(term: Term, verdict: Verdict, gates: tuple[Gate, ...] = ()) -> str:
    """What the status rests on, in one line that needs no trust: the inequality, the residual or the gate."""
    shown = term_text(with_values(term))
    if verdict.status == ENTAILED:
        names = verdict.gate.split(" and ")
        premise = " and ".join(term_text(with_values(g.guarantee)) for g in gates if g.name in names)
        return f"{shown} wherever {premise} (gate {verdict.gate})"
    if verdict.status == DEFERRED:
        return verdict.note or shown
    if verdict.margin is not None and unknowns(term):
        bound = "at least" if verdict.status == PROVED else "at most"
        return f"{shown}: {term_text(with_values(difference(term)))} is {bound} {number_text(verdict.margin)}"
    return shown if verdict.status == PROVED else f"not ({shown})"
