"""Compilations for editing tests, and stretches of their text drawn below it."""

from __future__ import annotations

from pathlib import Path

from registrations import AnyFiles

from dcp_lang.driver import Compilation
from dcp_lang.source import SourceFile, Span
from dcp_lang.workspace import DiskWorkspace

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def compiled(text: str) -> Compilation:
    """A compilation of a text beside which every file exists."""
    return _checked(Compilation(SourceFile("registration.dcp", text), AnyFiles()))


def example(name: str, change: tuple[str, str] = ("", "")) -> Compilation:
    """An example of the repository, with one text in it replaced."""
    text = (EXAMPLES / name / "registration.dcp").read_text(encoding="utf-8")
    assert change[0] in text
    source = SourceFile("registration.dcp", text.replace(change[0], change[1], 1) if change[0] else text)
    return _checked(Compilation(source, DiskWorkspace(str(EXAMPLES / name))))


def _checked(compilation: Compilation) -> Compilation:
    assert compilation.diagnostics is not None
    return compilation


def at_mark(text: str, mark: str = "‸") -> tuple[str, int]:
    """A text without the mark that shows where the cursor is, and that place."""
    assert text.count(mark) == 1
    return text.replace(mark, ""), text.index(mark)


def drawn(compilation: Compilation, *spans: Span) -> str:
    """The lines that hold the spans, each with what it holds underlined."""
    source = compilation.source
    rows: list[str] = []
    for span in sorted(spans):
        line, column = source.position(span.start)
        rows += [source.line(line), " " * (column - 1) + "▔" * (span.end - span.start)]
    return "\n".join(row.rstrip() for row in rows)
