"""What is found out from a registration, kept beside what was asked of it: it holds for all that answer alike."""

from __future__ import annotations

from dcp_lang.memory import Memory
from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.sema.model import MissingFieldError, TypedRegistration

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any, TypeAlias

    from dcp_lang.language.values import Material
    from dcp_lang.sema.model import Ask, Question
    from dcp_lang.sema.plan import Plan

    #: What was seen, and what was found out from it.
    Case: TypeAlias = tuple["Seen", Any]

#: How many cases of one thing are remembered.
_CASES = 2


class Seen(Record):
    """The fields asked for with their values, those that had none, and the other questions with their answers."""

    values: dict[str, Any]
    absent: frozenset[str]
    answers: dict[Question, Any]

    def holds(self, reg: TypedRegistration) -> bool:
        """Whether every question has the answer that it had. A field's type has one class of numbers: 1 is no 1.0."""
        return (
            self.values.items() <= reg.values.items()
            and reg.values.keys().isdisjoint(self.absent)
            and all(reg.answer(question) == then for question, then in self.answers.items())
        )


def united(all_seen: list[Seen]) -> Seen:
    """What was seen of one registration, all together."""
    values, answers = dict[str, "Any"](), dict["Question", "Any"]()
    for seen in all_seen:
        values |= seen.values
        answers |= seen.answers
    return Seen(values, frozenset[str]().union(*(seen.absent for seen in all_seen)), answers)


class Cases(Memory):
    """What was found out under some keys, the last cases of each first."""

    __slots__ = ()

    def find(self, key: Hashable, reg: TypedRegistration) -> Case | None:
        """What was found out from a registration that answers alike."""
        cases: list[Case] = self.get(key, [])
        for case in cases:
            if case[0].holds(reg):
                return case
        return None

    def add(self, key: Hashable, case: Case, weight: int = 1) -> None:
        """Keep a case, whose key has such a weight, and forget the oldest of many."""
        self.keep(key, [case, *self.get(key, [])[: _CASES - 1]], weight)


class Witness(TypedRegistration):
    """A registration that notes what it is asked and what it answers.

    Whoever looks behind the questions, at its entries or its source, has seen all of it: that is not remembered.
    """

    def __init__(self, reg: TypedRegistration) -> None:
        self._reg = reg
        self._values: dict[str, Any] = {}
        self._absent: set[str] = set()
        self._noted: dict[Question, Any] = {}
        self._is_open = False

    def seen(self) -> Seen | None:
        """What was asked and answered; None where it cannot be noted."""
        return None if self._is_open else Seen(self._values, frozenset(self._absent), self._noted)

    def note(self, ask: Ask, about: str = "") -> Any:
        """The answer to a question, which is noted."""
        answer = self._noted[ask, about] = self._reg.answer((ask, about))
        return answer

    def has(self, path: str) -> bool:
        return self._value(path) is not None

    def value(self, path: str) -> Any:
        value = self._value(path)
        if value is None:
            raise MissingFieldError(path)
        return value

    def _value(self, path: str) -> Any:
        value = self._reg.values.get(path)
        if value is None:
            self._absent.add(path)
        else:
            self._values[path] = value
        return value

    def declared(self, path: str) -> bool:
        return bool(self.note(TypedRegistration.declared, path))

    def expects(self, path: str) -> bool:
        return bool(self.note(TypedRegistration.expects, path))

    def under(self, prefix: str) -> dict[str, Any]:
        found: dict[str, Any] = self.note(TypedRegistration.under, prefix)
        return found

    def materials(self) -> dict[str, Material]:
        found: dict[str, Material] = self.note(_materials)
        return found

    def mentions(self, section: str) -> bool:
        return bool(self.note(TypedRegistration.mentions, section))

    def in_reading_order(self, prefix: str) -> list[str]:
        found: list[str] = self.note(TypedRegistration.in_reading_order, prefix)
        return found

    @property
    def grade(self) -> str:
        return str(self.note(_grade))

    @property
    def plan(self) -> Plan:  # type: ignore[override]
        """The plan, whose totals ask as its reader does."""
        self.note(_sizes)
        return self._reg.plan.asked_of(self)

    def __getattr__(self, name: str) -> Any:
        self._is_open = True
        return getattr(self._reg, name)


def _grade(reg: TypedRegistration, _: str) -> str:
    return reg.resolved.grade


def _materials(reg: TypedRegistration, _: str) -> dict[str, Material]:
    return reg.materials()


def _sizes(reg: TypedRegistration, _: str) -> Any:
    return reg.plan.sizes
