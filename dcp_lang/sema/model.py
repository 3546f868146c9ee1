"""What the passes of `sema` hand on: Resolved (names known), then TypedRegistration (values known, nothing
missing).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dcp_lang.language.fields import EVIDENCE, REQUIRED, find_field
from dcp_lang.language.values import Amount, Choice, Material, Value
from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from dcp_lang.language.fields import FieldSpec
    from dcp_lang.sema.plan import Plan
    from dcp_lang.sema.profile import Profile

    T = TypeVar("T")
    Ask = Callable[["TypedRegistration", str], Any]
    #: What is asked of a registration but for the value of a field: how, and about what.
    Question = tuple[Ask, str]


class Declared(Record):
    """A field as declared: its row, its own path, what stands right of the equals sign, and where."""

    spec: FieldSpec
    path: str
    expr: ast.Expr
    span: Span
    head_span: Span


class Part(Record):
    """What one statement declares: fields by path, and of each block its head and its whole extent."""

    fields: dict[str, Declared]
    sections: dict[str, Span]
    extents: dict[str, Span]


class Resolved(Record):
    """One registration with every name known; `sections` maps the path of each block to its head.

    `parts` are the fields once more, as the sound statements declare them; what they are is remembered by them.
    """

    source: SourceFile
    edition: int
    name: str
    grade: str
    span: Span
    fields: dict[str, Declared]
    parts: tuple[Part, ...]
    sections: dict[str, Span]
    requires: tuple[ast.Require, ...]
    allows: tuple[ast.Allow, ...]
    profiles: tuple[Profile, ...]
    complete: bool


class MissingFieldError(LookupError):
    """A field has no value because it is at fault itself (already reported), or was never declared."""


class Entry(Record):
    """A field's value, its origin (`declared`, `default`, `profile`, `computed`) and where it stands."""

    value: Value
    origin: str
    span: Span


class TypedRegistration:
    """The fields of a registration with their values. Rules and emitters read only this.

    The accessors name the type that the field table promises, and raise `MissingFieldError` where there is no
    value: a rule that needs a faulty field is then silent. Emitters get a registration only when it is
    complete.
    """

    def __init__(self, resolved: Resolved, entries: Mapping[str, Entry], complete: bool) -> None:
        self.resolved = resolved
        self.entries = dict(entries)
        self.values = {path: entry.value for path, entry in self.entries.items()}
        self.complete = complete
        self.plan: Plan
        self._answers: dict[Question, Any] = {}

    def compute(self, path: str, value: Value) -> None:
        """Give a value to a field that was left to the compiler; no question has been answered yet."""
        self.entries[path] = Entry(value, "computed", self.entries[path].span)
        self.values[path] = value

    def drop(self, path: str) -> None:
        """Take a field away that its grade has no use for."""
        del self.entries[path], self.values[path]

    def answer(self, question: Question) -> Any:
        """The answer to a question but for the value of a field, found out once."""
        answers = self._answers
        if question not in answers:
            ask, about = question
            answers[question] = ask(self, about)
        return answers[question]

    @property
    def source(self) -> SourceFile:
        return self.resolved.source

    @property
    def name(self) -> str:
        return self.resolved.name

    @property
    def grade(self) -> str:
        return self.resolved.grade

    @property
    def is_evidence(self) -> bool:
        return self.grade == "evidence"

    @property
    def is_prospective(self) -> bool:
        return self.choice("mode").name == "prospective"

    @property
    def is_exhaustive(self) -> bool:
        return self.choice("task.population").name == "exhaustive"

    def has(self, path: str) -> bool:
        """Whether the field has a value."""
        return path in self.values

    def expects(self, path: str) -> bool:
        """Whether the field should have a value: where it has none, a fault is already reported."""
        spec = find_field(path)
        wanted = (REQUIRED, EVIDENCE) if self.is_evidence else (REQUIRED,)
        return path in self.resolved.fields or (spec is not None and spec.presence in wanted)

    def span(self, path: str) -> Span:
        """Where the field stands, or else the head of its section, or the registration's."""
        if path in self.entries:
            return self.entries[path].span
        section = path.rpartition(".")[0]
        return self.resolved.sections.get(section, self.resolved.span)

    def mentions(self, section: str) -> bool:
        """Whether the author wrote a block, or a field in it, sound or not."""
        resolved = self.resolved
        return section in resolved.sections or bool(_below(tuple(resolved.fields), section + "."))

    def place_of(self, section: str) -> Span:
        """Where a block that the author wrote begins, or a field in it that stands by itself."""
        resolved = self.resolved
        fields = [resolved.fields[path].span for path, _ in _below(tuple(resolved.fields), section + ".")]
        return resolved.sections.get(section) or fields[0]

    def declared(self, path: str) -> bool:
        """Whether the author wrote the field."""
        return path in self.entries and self.entries[path].origin == "declared"

    def value(self, path: str) -> Value:
        """The value of a field; raises `MissingFieldError`."""
        if path not in self.values:
            raise MissingFieldError(path)
        return self.values[path]

    def _as(self, path: str, kind: type[T]) -> T:
        value = self.value(path)
        if not isinstance(value, kind):
            raise MissingFieldError(path)
        return value

    def number(self, path: str) -> Fraction:
        """An exact number (counts too)."""
        value = self.value(path)
        return Fraction(value) if isinstance(value, int) else self._as(path, Fraction)

    def count(self, path: str) -> int:
        """A whole number."""
        return self._as(path, int)

    def text(self, path: str) -> str:
        """A text."""
        return self._as(path, str)

    def choice(self, path: str) -> Choice:
        """A choice with its arguments."""
        return self._as(path, Choice)

    def amount(self, path: str) -> Amount:
        """A quantity in base units."""
        return self._as(path, Amount)

    def items(self, path: str) -> tuple[Value, ...]:
        """A list."""
        return self._as(path, tuple)

    def under(self, prefix: str) -> dict[str, Value]:
        """The fields of a section that have a value, by last name, in table order."""
        values = self.values
        return {name: values[path] for path, name in _below(tuple(values), prefix + ".")}

    def in_reading_order(self, prefix: str) -> list[str]:
        """The paths of the fields of a section that have a value, the first that the author wrote first."""
        paths = [path for path, _ in _below(tuple(self.entries), prefix + ".")]
        return sorted(paths, key=lambda path: self.entries[path].span.start)

    def materials(self) -> dict[str, Material]:
        """Every committed file, folder or digest by path of its field."""
        return {path: value for path, value in self.values.items() if isinstance(value, Material)}


@lru_cache(maxsize=64)
def _below(paths: tuple[str, ...], start: str) -> list[tuple[str, str]]:
    """The paths with some start, each with its rest; the paths of a thousand like registrations are the same."""
    return [(path, path[len(start) :]) for path in paths if path.startswith(start)]
