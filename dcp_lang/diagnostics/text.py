"""Findings as text for people: message, code frame, notes, help and fix, then one line that sums up."""

from __future__ import annotations

from collections.abc import Sequence

from dcp_lang.diagnostics.cells import show, view
from dcp_lang.diagnostics.frame import Frame, Mark
from dcp_lang.diagnostics.model import Diagnostic, Fix
from dcp_lang.diagnostics.paint import Painter
from dcp_lang.diagnostics.summary import summarize
from dcp_lang.record import TYPE_CHECKING
from dcp_lang.source import SourceFile

if TYPE_CHECKING:
    from dcp_lang.diagnostics.fixes import Change

#: Findings shown in full; a file of noise must not scroll the first finding away.
LIMIT = 100

#: Columns of the text when no terminal says otherwise.
WIDTH = 100


def render_text(
    diagnostics: Sequence[Diagnostic], *, color: bool = False, width: int = WIDTH, limit: int = LIMIT
) -> str:
    """All findings in the order given, at most `limit` in full, and a summary; empty when there are none.

    `width` is the number of terminal columns: longer source lines are clipped around the span. Nothing of the
    source reaches the text unfiltered (see `cells`).
    """
    if not diagnostics:
        return ""
    findings = render_findings(diagnostics, color=color, width=width, limit=limit)
    return f"{findings}\n\n{_closing(diagnostics)}\n"


def render_findings(
    diagnostics: Sequence[Diagnostic], *, color: bool = False, width: int = WIDTH, limit: int = LIMIT
) -> str:
    """The findings alone, with an empty line between them and none at the end."""
    paint = Painter(color)
    parts = ["\n".join(_finding(d, width, paint)) for d in diagnostics[:limit]]
    if len(diagnostics) > limit:
        parts.append(f"… and {len(diagnostics) - limit} more")
    return "\n\n".join(parts)


def _closing(diagnostics: Sequence[Diagnostic]) -> str:
    code = next((d for d in diagnostics if d.is_error), diagnostics[0]).code
    fixable = sum(d.fix is not None and d.fix.safe for d in diagnostics)
    hints = [f'run "dcpc explain {code}" for more'] + ['"dcpc check --fix" to apply safe fixes'] * (
        fixable > 0
    )
    return f"{summarize(diagnostics)}; {' and '.join(hints)}"


def _finding(d: Diagnostic, width: int, paint: Painter) -> list[str]:
    changed = _changes(d.source, d.fix) if d.fix else []
    gutter = _gutter(d, changed)
    title = paint(f"{d.severity}[{d.code}]", d.severity) + paint(f": {show(d.message)}", "bold")
    rows = [title, *_frames(d, gutter, width, paint), *_remarks(d, gutter, paint)]
    if d.fix:
        rows += _fix(d.fix, changed, gutter, width, paint)
    return rows


def _changes(source: SourceFile, fix: Fix) -> list[Change]:
    from dcp_lang.diagnostics.fixes import changes  # most findings have no fix

    return changes(source, fix.edits)


def _gutter(d: Diagnostic, changed: Sequence[Change]) -> int:
    """Columns of the largest line number that the finding shows."""
    ends = [d.source.position(d.span.end).line]
    ends += [(label.source or d.source).position(label.span.end).line for label in d.labels]
    ends += [change.number + max(len(change.old), len(change.new)) - 1 for change in changed]
    return len(str(max(ends)))


def _frames(d: Diagnostic, gutter: int, width: int, paint: Painter) -> list[str]:
    marks: dict[SourceFile, list[Mark]] = {d.source: [Mark(d.span, d.label, "^", d.severity)]}
    for label in d.labels:
        secondary = Mark(label.span, label.text, "-", "secondary")
        marks.setdefault(label.source or d.source, []).append(secondary)
    rows: list[str] = []
    for source, found in marks.items():
        at = source.position(found[0].span.start)
        arrow = paint(" " * gutter + ("-->" if source is d.source else ":::"), "gutter")
        if rows:
            rows.append(paint(" " * gutter + " |", "gutter"))
        rows.append(f"{arrow} {show(source.name)}:{at.line}:{at.column}")
        if source.text:  # a file that is empty or could not be read has no line to show
            rows += Frame(source, found, gutter, width, paint).lines()
    return rows


def _remarks(d: Diagnostic, gutter: int, paint: Painter) -> list[str]:
    remarks = [("note", note) for note in d.notes] + [("help", d.help)] * bool(d.help)
    if d.label and not d.source.text:
        remarks.insert(0, ("note", d.label))
    rows = [paint(" " * gutter + " |", "gutter")] if (remarks or d.fix) and d.source.text else []
    for kind, text in remarks:
        first, *rest = text.split("\n")
        rows.append(f"{paint(' ' * gutter + ' =', 'gutter')} {paint(kind, 'bold')}: {show(first)}")
        rows += [" " * (gutter + len(kind) + 5) + show(line) for line in rest]
    return rows


def _fix(fix: Fix, changed: Sequence[Change], gutter: int, width: int, paint: Painter) -> list[str]:
    kind = "fix" if fix.safe else "possible fix"
    rows = [f"{paint(' ' * gutter + ' =', 'gutter')} {paint(kind, 'help')}: {show(fix.title)}"]
    for change in changed:
        for sign, lines, style in (("-", change.old, "removed"), ("+", change.new, "added")):
            for number, line in enumerate(lines, change.number):
                shown = view(line, *_difference(change, line), width - gutter - 3).text
                rows.append(
                    f"{paint(f'{number:>{gutter}}', 'gutter')} {paint(f'{sign} {shown}'.rstrip(), style)}"
                )
    return rows


def _difference(change: Change, line: str) -> tuple[int, int]:
    """Where a long changed line should be looked at: at the first character that differs."""
    if not (change.old and change.new):
        return 0, 0
    from bisect import bisect_left  # most findings have no fix

    other = change.new[0] if line == change.old[0] else change.old[0]
    shorter = range(min(len(line), len(other)))
    at = bisect_left(shorter, True, key=lambda i: line[: i + 1] != other[: i + 1])
    return at, at + 1
