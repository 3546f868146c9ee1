"""The diagnostic: what was found, where, what is needed, and how to mend it.

A diagnostic is a plain immutable value. Passes append it to a `Sink`; renderers turn it into text, JSON,
SARIF or an editor's message. Wording follows one style: lower-case start, no final period, the source's own
words in backticks, always the numbers (have, need, a value that passes).
"""

from __future__ import annotations

from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.source import SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

Severity: TypeAlias = "Literal['error', 'warning', 'info']"

#: Most findings of one file that are shown; errors come before lints.
MOST_SHOWN = 500


class Label(Record):
    """A secondary place that helps to understand the finding; `source` when it is not the finding's own."""

    span: Span
    text: str
    source: SourceFile | None = None


class Edit(Record):
    """Replace the characters of `span` by `text` (an empty span inserts)."""

    span: Span
    text: str


class Fix(Record):
    """Edits that mend the finding; `safe` when they cannot change what the author meant."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


class Diagnostic(Record):
    """One finding, at `span` of `source`."""

    code: str
    name: str
    severity: Severity
    message: str
    source: SourceFile
    span: Span
    label: str = ""
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str = ""
    fix: Fix | None = None

    @property
    def is_error(self) -> bool:
        return self.severity == "error"


class Sink:
    """Collects the diagnostics of one run; `sorted` gives them in reading order without repeats."""

    def __init__(self) -> None:
        #: By what makes a finding another one: advice may be left out where it would not be shown.
        self._found: dict[tuple[str, str, SourceFile, Span], Diagnostic] = {}
        #: How often something was found, repeats counted.
        self.added = 0
        #: Where the first errors of a source start that cannot be waived, in order: as many as are shown at most.
        self.first: dict[SourceFile, list[int]] = {}

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep a finding; the same finding twice is kept once."""
        d = diagnostic
        self._found.setdefault((d.code, d.message, d.source, d.span), d)
        self.added += 1

    def __iter__(self) -> Iterator[Diagnostic]:
        """All findings as they came, without repeats."""
        return iter(self._found.values())

    @property
    def has_errors(self) -> bool:
        return any(d.is_error for d in self)

    def sorted(self) -> list[Diagnostic]:
        """All findings by file, position, code."""
        return sorted(self, key=lambda d: (d.source.name, d.span.start, d.span.end, d.code, d.message))
