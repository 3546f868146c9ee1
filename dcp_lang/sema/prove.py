"""Deciding a condition: proved, refuted, deferred, or entailed by a gate that must pass anyway.

Known values are exact numbers; unknowns (x, a sealed score) range over the closed interval of their type.

* Boolean combinations of linear comparisons are decided completely: at one sample of every cell (`cells.py`).
* The rest is first bounded by interval arithmetic (`truth.py`), which never decides wrongly.
* What is then left and has one unknown is given to SymPy, within a budget (`symbolic.py`).
* What is still left is deferred, and its note says that it was not decided.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.record import Record
from dcp_lang.sema.cells import Point, boundaries, samples
from dcp_lang.sema.linear import linear
from dcp_lang.sema.terms import ORDERINGS, Op, Term, all_of, term_text, unknowns, with_values
from dcp_lang.sema.truth import UndefinedError, bounded, holds, is_numeric, value_range

PROVED, REFUTED, DEFERRED, ENTAILED = "proved", "refuted", "deferred", "entailed"
_STATUS = {
    frozenset({True}): PROVED,
    frozenset({False}): REFUTED,
    frozenset({True, False}): DEFERRED,
}


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


def decide(term: Term, gates: tuple[Gate, ...] = ()) -> Verdict:
    """The status of a condition for every value that the unknowns may take."""
    unknown = unknowns(term)
    if not unknown:
        margin = value_range(difference(term))[0] if _is_ordering(term) else None
        return Verdict(PROVED if holds(term, {}) else REFUTED, margin)
    forms = boundaries(term)
    points = None if forms is None else samples(forms, unknown)
    if forms is None or points is None:
        return _undecided(term, "not linear" if forms is None else "too many comparisons")
    status = _STATUS[frozenset(holds(term, point) for point in points)]
    if status == DEFERRED:
        return _entailed(term, gates) or Verdict(DEFERRED)
    return Verdict(status, _margin(term, points, min if status == PROVED else max))


def _undecided(term: Term, reason: str) -> Verdict:
    """What interval arithmetic or SymPy makes of a condition that samples cannot decide."""
    truth = bounded(term)
    try:
        truths = _symbolic_truths(term) if truth is None else {truth}
    except UndefinedError:
        return Verdict(DEFERRED, note="not decided: a divisor may be 0")
    if truths:
        return Verdict(_STATUS[frozenset(truths)])
    names = " and ".join(r.name for r in unknowns(term))
    return Verdict(DEFERRED, note=f"not decided: {reason} in {names}")


def _symbolic_truths(term: Term) -> set[bool]:
    from dcp_lang.sema.symbolic import truths_of  # SymPy: only what is left over needs it

    return truths_of(term)


def _entailed(term: Term, gates: tuple[Gate, ...]) -> Verdict | None:
    """Whether the condition holds wherever the gates do: first each gate alone, then all together."""
    for chosen in [*((g,) for g in gates), gates]:
        everything = all_of([term, *(g.guarantee for g in chosen)])
        points = samples(boundaries(everything) or [], unknowns(everything)) or []
        passing = [p for p in points if all(holds(g.guarantee, p) for g in chosen)]
        if passing and all(holds(term, p) for p in passing):
            return Verdict(ENTAILED, _margin(term, passing, min), " and ".join(g.name for g in chosen))
    return None


def _margin(term: Term, points: list[Point], extreme: Callable[..., Fraction]) -> Fraction | None:
    """The extreme of greater minus lesser side; a linear form takes it at a vertex, which is a sample."""
    form = linear(difference(term)) if _is_ordering(term) else None
    return None if form is None else extreme(form.at(p) for p in points)


def _is_ordering(term: Term) -> bool:
    return isinstance(term, Op) and term.op in ORDERINGS and is_numeric(term.args[0])


def difference(term: Term) -> Term:
    """What an ordering wants positive: right minus left of `<`, left minus right of `>`."""
    assert isinstance(term, Op)
    a, b = term.args
    return Op("-", (a, b) if term.op.startswith(">") else (b, a))


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
