"""Findings as plain lists and back: what the cache keeps and what one process hands another."""

from __future__ import annotations

from typing import Any

from dcp_lang.diagnostics.model import Diagnostic, Edit, Fix, Label
from dcp_lang.source import SourceFile, Span


def pack(found: list[Diagnostic]) -> list[Any] | None:
    """Findings without their text; None when one of them speaks of a second file."""
    if any(label.source is not None for d in found for label in d.labels):
        return None
    return [_pack(d) for d in found]


def _pack(d: Diagnostic) -> list[Any]:
    fix = [d.fix.title, [[*e.span, e.text] for e in d.fix.edits], d.fix.safe] if d.fix else None
    labels = [[*label.span, label.text] for label in d.labels]
    return [d.code, d.name, d.severity, d.message, *d.span, d.label, labels, list(d.notes), d.help, fix]


def unpack(rows: list[Any], source: SourceFile) -> list[Diagnostic]:
    """The findings again, at their places in `source`."""
    return [_unpack(row, source) for row in rows]


def _unpack(row: list[Any], source: SourceFile) -> Diagnostic:
    code, name, severity, message, start, end, label, labels, notes, help, fix = row
    return Diagnostic(
        code,
        name,
        severity,
        message,
        source,
        Span(start, end),
        label,
        tuple(Label(Span(a, b), text) for a, b, text in labels),
        tuple(notes),
        help,
        _fix(fix) if fix else None,
    )


def _fix(row: list[Any]) -> Fix:
    title, edits, safe = row
    return Fix(title, tuple(Edit(Span(a, b), text) for a, b, text in edits), safe)
