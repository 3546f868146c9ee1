"""What a rule makes of the same values is not found out again.

A rule is a function of what it asks of the registration. While it runs, its questions and their answers are noted; it
need not run where every question has the same answer as then. So one of a thousand like submissions costs what is new
in it, and so does a keystroke in an editor. Only silence is remembered: a rule that finds something runs each time,
since findings have places.
"""

from __future__ import annotations

from collections.abc import Callable

from dcp_lang.memory import Memory
from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.sema.model import MissingFieldError, TypedRegistration
from dcp_lang.sema.plan import Plan
from dcp_lang.sema.report import Condition, Report

if TYPE_CHECKING:
    from typing import Any

    from dcp_lang.language.values import Material

    Ask = Callable[[TypedRegistration, str], Any]
    Rule = Callable[[TypedRegistration, Report], None]
    #: A rule itself, or whose condition it is and its text.
    Key = Rule | tuple[str, str]

#: How many cases of a rule are remembered.
_CASES = 3


class _Case(Record):
    """The fields asked for with their values (None for none), the other questions with their answers, and what was
    decided at which cost.
    """

    values: dict[str, Any]
    answers: dict[tuple[Ask, str], Any]
    gates: Any
    conditions: tuple[Condition, ...]
    steps: int

    def holds(self, reg: TypedRegistration, report: Report) -> bool:
        """Whether every question has the answer that it had."""
        entries = reg.entries
        for path, then in self.values.items():
            entry = entries.get(path)
            now = None if entry is None else entry[0]
            if now is not then and (now.__class__ is not then.__class__ or now != then):
                return False
        for (ask, about), then in self.answers.items():
            if ask(reg, about) != then:
                return False
        return self.gates is None or self.gates == report.gates


#: The cases of each rule and of each condition, the last one first; a condition weighs as much as its text.
_known = Memory(2**18)


def apply(key: Key | None, rule: Rule, report: Report) -> None:
    """Apply a rule, or do what it did where it was asked the same; `key` says which rule it is, None forgets."""
    cases: list[_Case] = _known.get(key, [])
    for known in cases:
        if known.holds(report.reg, report):
            report.effort.spend(known.steps)
            report.conditions += known.conditions
            return
    case = _run(rule, report)
    if case is not None and key is not None:
        _known.keep(key, [case, *cases[: _CASES - 1]], len(key[1]) if isinstance(key, tuple) else 1)


def _run(rule: Rule, report: Report) -> _Case | None:
    """Apply a rule; none where it asked what cannot be noted, or found something."""
    witness, decided, found, left = (
        _Witness(report.reg),
        len(report.conditions),
        report.sink.added,
        report.effort.left,
    )
    report.asked_gates = False
    _try(rule, witness, report)
    if witness.is_open or report.sink.added > found:
        return None
    gates = report.gates if report.asked_gates else None
    return _Case(
        witness.values, witness.answers, gates, tuple(report.conditions[decided:]), left - report.effort.left
    )


def _try(rule: Rule, reg: TypedRegistration, report: Report) -> None:
    """Apply a rule, which ends where a field that it asks for is at fault."""
    try:
        rule(reg, report)
    except MissingFieldError:
        return


class _Witness(TypedRegistration):
    """A registration that notes what it is asked and what it answers.

    Whoever looks behind the questions, at its entries or its source, has seen all of it: that is not remembered.
    """

    def __init__(self, reg: TypedRegistration) -> None:
        self._reg = reg
        self.values: dict[str, Any] = {}
        self.answers: dict[tuple[Ask, str], Any] = {}
        self.is_open = False

    def _note(self, ask: Ask, about: str = "") -> Any:
        answer = self.answers[ask, about] = ask(self._reg, about)
        return answer

    def has(self, path: str) -> bool:
        return self._value(path) is not None

    def value(self, path: str) -> Any:
        value = self._value(path)
        if value is None:
            raise MissingFieldError(path)
        return value

    def _value(self, path: str) -> Any:
        entry = self._reg.entries.get(path)
        value = self.values[path] = None if entry is None else entry.value
        return value

    def declared(self, path: str) -> bool:
        return bool(self._note(TypedRegistration.declared, path))

    def expects(self, path: str) -> bool:
        return bool(self._note(TypedRegistration.expects, path))

    def under(self, prefix: str) -> dict[str, Any]:
        found: dict[str, Any] = self._note(TypedRegistration.under, prefix)
        return found

    def materials(self) -> dict[str, Material]:
        found: dict[str, Material] = self._note(_materials)
        return found

    def mentions(self, section: str) -> bool:
        return bool(self._note(TypedRegistration.mentions, section))

    def in_reading_order(self, prefix: str) -> list[str]:
        found: list[str] = self._note(TypedRegistration.in_reading_order, prefix)
        return found

    @property
    def grade(self) -> str:
        return str(self._note(_grade))

    @property
    def plan(self) -> Plan:  # type: ignore[override]
        """The plan, whose totals ask as the rule does."""
        return Plan(self._note(_sizes), self)

    def __getattr__(self, name: str) -> Any:
        self.is_open = True
        return getattr(self._reg, name)


def _grade(reg: TypedRegistration, _: str) -> str:
    return reg.resolved.grade


def _materials(reg: TypedRegistration, _: str) -> dict[str, Material]:
    return reg.materials()


def _sizes(reg: TypedRegistration, _: str) -> Any:
    return reg.plan.sizes
