"""Findings as plain lists and back: what the cache keeps and what one process hands another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dcp_lang.diagnostics.model import Diagnostic, Edit, Fix, Label
from dcp_lang.record import TYPE_CHECKING
from dcp_lang.source import SourceFile, Span

if TYPE_CHECKING:
    from typing import Any, TypeAlias

#: A finding: code, name and severity, then its other fields; sources by number.
Row: TypeAlias = "list[Any]"
#: A text that a finding points into other than the file's own bytes, which are number 0: its name, or None for the
#: file's, and the text; from number 1 on.
Other: TypeAlias = "list[str | None]"


def pack(found: Sequence[Diagnostic], own: SourceFile) -> tuple[list[Row], list[Other]]:
    """Findings without the text of the file that they are about, and the other texts that they point into."""
    numbers = {(own.name, own.text): 0}

    def number(source: SourceFile) -> int:
        return numbers.setdefault((source.name, source.text), len(numbers))

    rows = [_pack(d, number) for d in found]
    return rows, [[None if name == own.name else name, text] for name, text in list(numbers)[1:]]


def _pack(d: Diagnostic, number: Callable[[SourceFile], int]) -> Row:
    fix = [d.fix.title, [[*e.span, e.text] for e in d.fix.edits], d.fix.safe] if d.fix else None
    labels = [[*label.span, label.text, label.source and number(label.source)] for label in d.labels]
    said = [d.message, number(d.source), *d.span, d.label, labels, list(d.notes), d.help, fix]
    return [d.code, d.name, d.severity, *said]


def unpack(rows: Sequence[Row], own: SourceFile, others: Sequence[Other]) -> list[Diagnostic]:
    """The findings again."""
    sources = [own, *(SourceFile(own.name if name is None else name, text or "") for name, text in others)]
    return [_unpack(row, sources) for row in rows]


def _unpack(row: Row, sources: list[SourceFile]) -> Diagnostic:
    code, name, severity, message, source, start, end, label, labels, notes, help, fix = row
    return Diagnostic(
        code,
        name,
        severity,
        message,
        sources[source],
        Span(start, end),
        label,
        tuple(Label(Span(a, b), text, None if n is None else sources[n]) for a, b, text, n in labels),
        tuple(notes),
        help,
        _fix(fix) if fix else None,
    )


def _fix(row: Row) -> Fix:
    title, edits, safe = row
    return Fix(title, tuple(Edit(Span(a, b), text) for a, b, text in edits), safe)
