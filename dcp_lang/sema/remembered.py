"""What a rule makes of the same values is not found out again.

A rule is a function of what it asks of the registration. While it runs, its questions and their answers are noted; it
need not run where every question has the same answer as then. So one of a thousand like submissions costs what is new
in it, and so does a keystroke in an editor. Only silence is remembered: a rule that finds something runs each time,
since findings have places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.sema.model import MissingFieldError, TypedRegistration
from dcp_lang.sema.report import Condition, Report, gate_guarantees
from dcp_lang.sema.witness import Cases, Seen, Witness, united

if TYPE_CHECKING:
    from dcp_lang.sema.witness import Case

    Rule = Callable[[TypedRegistration, Report], None]
    #: A rule itself, or whose condition it is and its text.
    Key = Rule | tuple[str, str]


class _Done(Record):
    """What a rule decided, and at which cost."""

    conditions: tuple[Condition, ...]
    steps: int


class _Steady(Record):
    """The rules of which the same case held twice running, which are asked about together; the last case of all."""

    seen: Seen
    cases: dict[Key, Case]
    last: dict[Key, Case]


#: The cases of each rule and of each condition, and the steady ones; a condition weighs as much as its text.
_known = Cases(2**18)
_STEADY = "steady"
#: Of so many keys the last case is remembered.
_MOST = 1000


def apply_all(rules: Iterable[Rule], report: Report) -> None:
    """Apply rules, or do what they did where they were asked the same."""
    steady: _Steady = _known.get(_STEADY) or _Steady(united([]), {}, {})
    if steady.seen.holds(report.reg):
        report.steady = steady.cases
    for rule in rules:
        apply(rule, rule, report)
    if report.found:
        _settle(steady, report.steady, report.found)


def _settle(steady: _Steady, held: dict[Key, Case], found: dict[Key, Case]) -> None:
    """Ask together from now on about what held together, and about what was found again."""
    cases = held | {key: case for key, case in found.items() if steady.last.get(key) is case}
    last = steady.last | found
    if len(last) > _MOST:
        cases, last = {}, {}
    seen = (
        steady.seen if cases.keys() == steady.cases.keys() else united([case[0] for case in cases.values()])
    )
    _known.keep(_STEADY, _Steady(seen, cases, last))


def apply(key: Key | None, rule: Rule, report: Report) -> None:
    """Apply one rule so; `key` says which it is, None forgets."""
    case = report.steady.get(key)
    if case is None and (case := _known.find(key, report.reg)):
        report.found[key] = case
    if case is not None:
        conditions, steps = case[1]
        if steps:
            report.effort.spend(steps)
        if conditions:
            report.conditions += conditions
        return
    seen, done = _run(rule, report)
    if seen is not None and key is not None:
        _known.add(key, (seen, done), len(key[1]) if isinstance(key, tuple) else 1)


def _run(rule: Rule, report: Report) -> tuple[Seen | None, _Done]:
    """Apply a rule; nothing was seen where it asked what cannot be noted, or found something."""
    witness, decided = Witness(report.reg), len(report.conditions)
    found, left = report.sink.added, report.effort.left
    report.asked_gates = False
    _try(rule, witness, report)
    if report.asked_gates:
        witness.note(gate_guarantees)
    seen = None if report.sink.added > found else witness.seen()
    return seen, _Done(tuple(report.conditions[decided:]), left - report.effort.left)


def _try(rule: Rule, reg: TypedRegistration, report: Report) -> None:
    """Apply a rule, which ends where a field that it asks for is at fault."""
    try:
        rule(reg, report)
    except MissingFieldError:
        return
