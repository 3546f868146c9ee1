"""Reading a text in one call."""

from __future__ import annotations

from typing import NamedTuple

from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.source import SourceFile
from dcp_lang.syntax import ast, parse


class Read(NamedTuple):
    """A tree, its source, and all findings in reading order."""

    file: ast.File
    source: SourceFile
    found: list[Diagnostic]

    @property
    def codes(self) -> list[str]:
        return [diagnostic.code for diagnostic in self.found]


def read(text: str) -> Read:
    sink = Sink()
    source = SourceFile("test.dcp", text)
    return Read(parse(source, sink), source, sink.sorted())


def sound(text: str) -> ast.File:
    """The tree of a text that has no fault."""
    result = read(text)
    assert not result.found, [d.message for d in result.found]
    return result.file


def value(text: str) -> ast.Expr:
    """The value of a field `x`."""
    (field,) = sound(f"x = {text}").statements
    assert isinstance(field, ast.Field)
    return field.value


def applied(result: Read) -> str:
    """The text after all fixes."""
    edits = [edit for d in result.found if d.fix for edit in d.fix.edits]
    text = result.source.text
    for edit in sorted(edits, key=lambda e: e.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text
