"""Fixes applied to source text: for ``check --fix`` and for the ``- / +`` lines of a finding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dcp_lang.diagnostics.model import Diagnostic, Edit, Fix
from dcp_lang.record import Record
from dcp_lang.source import SourceFile


class Fixed(Record):
    """A text with fixes applied, and the findings whose fixes were."""

    text: str
    applied: tuple[Diagnostic, ...]


class Change(Record):
    """Whole lines `old`, from line `number` (from 1), that become the lines `new`."""

    number: int
    old: tuple[str, ...]
    new: tuple[str, ...]


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` with edits applied; they must not overlap."""
    parts: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda e: e.span):
        parts += (text[position : edit.span.start], edit.text)
        position = edit.span.end
    return "".join((*parts, text[position:]))


def apply_fixes(source: SourceFile, diagnostics: Iterable[Diagnostic], *, unsafe: bool = False) -> Fixed:
    """Apply the safe fixes (all fixes when `unsafe`) of the findings in `source`.

    A fix is applied whole or not at all: one whose edits touch those of an earlier fix waits for the next
    run.
    """
    edits: list[Edit] = []
    applied: list[Diagnostic] = []
    for diagnostic in diagnostics:
        fix = diagnostic.fix
        if fix is None or diagnostic.source is not source or not (fix.safe or unsafe):
            continue
        if set(fix.edits) <= set(edits) or not _touch(fix, edits):
            edits += (edit for edit in fix.edits if edit not in edits)
            applied.append(diagnostic)
    return Fixed(apply_edits(source.text, edits), tuple(applied))


def changes(source: SourceFile, edits: Iterable[Edit]) -> list[Change]:
    """The lines that edits change, in order; edits on neighbouring lines are one change."""
    return [_change(source, group) for group in _groups(source, edits)]


def _touch(fix: Fix, edits: Sequence[Edit]) -> bool:
    return any(a.span.start <= b.span.end and b.span.start <= a.span.end for a in fix.edits for b in edits)


def _last_line(source: SourceFile, edit: Edit) -> int:
    return source.position(max(edit.span.start, edit.span.end - 1)).line


def _groups(source: SourceFile, edits: Iterable[Edit]) -> list[list[Edit]]:
    groups: list[list[Edit]] = []
    for edit in sorted(edits, key=lambda e: e.span):
        if groups and source.position(edit.span.start).line <= _last_line(source, groups[-1][-1]) + 1:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return groups


def _change(source: SourceFile, edits: Sequence[Edit]) -> Change:
    number, last = source.position(edits[0].span.start).line, _last_line(source, edits[-1])
    start = source.offset(number, 1)
    old, new = _block(source, start, last, edits)
    if old.endswith("\n") and new and not new.endswith("\n") and last < source.line_count:
        old, new = _block(source, start, last + 1, edits)  # the edit joins the next line to this one
    return _trimmed(number, _lines(old), _lines(new))


def _block(source: SourceFile, start: int, last: int, edits: Sequence[Edit]) -> tuple[str, str]:
    end = source.offset(last + 1, 1) if last < source.line_count else len(source.text)
    moved = (Edit(type(e.span)(e.span.start - start, e.span.end - start), e.text) for e in edits)
    old = source.text[start:end]
    return old, apply_edits(old, moved)


def _lines(block: str) -> list[str]:
    return block.removesuffix("\n").split("\n") if block else []


def _trimmed(number: int, old: Sequence[str], new: Sequence[str]) -> Change:
    """Leave out the lines at both ends that stay as they are."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Change(number + head, tuple(old[head : len(old) - tail]), tuple(new[head : len(new) - tail]))
