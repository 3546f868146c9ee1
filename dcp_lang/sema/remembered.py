"""What a rule makes of the same values is not found out again.

A rule is a function of what it asks of the registration. While it runs, its questions and their answers are noted; it
need not run where every question has the same answer as then. So one of a thousand like submissions costs what is new
in it, and so does a keystroke in an editor. Only silence is remembered: a rule that finds something runs each time,
since findings have places.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.sema.model import MissingFieldError, TypedRegistration
from dcp_lang.sema.report import Condition, Report, gate_guarantees
from dcp_lang.sema.witness import Cases, Seen, Witness

if TYPE_CHECKING:
    Rule = Callable[[TypedRegistration, Report], None]
    #: A rule itself, or whose condition it is and its text.
    Key = Rule | tuple[str, str]


class _Done(Record):
    """What a rule decided, and at which cost."""

    conditions: tuple[Condition, ...]
    steps: int


#: The cases of each rule and of each condition; a condition weighs as much as its text.
_known = Cases(2**18)


def apply(key: Key | None, rule: Rule, report: Report) -> None:
    """Apply a rule, or do what it did where it was asked the same; `key` says which rule it is, None forgets."""
    known: _Done | None = _known.find(key, report.reg)
    if known:
        if known.steps:
            report.effort.spend(known.steps)
        report.conditions += known.conditions
        return
    seen, done = _run(rule, report)
    if seen is not None and key is not None:
        _known.add(key, seen, done, len(key[1]) if isinstance(key, tuple) else 1)


def _run(rule: Rule, report: Report) -> tuple[Seen | None, _Done]:
    """Apply a rule; nothing was seen where it asked what cannot be noted, or found something."""
    witness, decided = Witness(report.reg), len(report.conditions)
    found, left = report.sink.added, report.effort.left
    report.asked_gates = False
    with suppress(MissingFieldError):
        rule(witness, report)
    if report.asked_gates:
        witness.note(gate_guarantees)
    seen = None if report.sink.added > found else witness.seen()
    return seen, _Done(tuple(report.conditions[decided:]), left - report.effort.left)
