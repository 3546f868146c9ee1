"""Findings as GitHub-flavoured Markdown: a table of files, then the findings of each in full."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from dcp_lang.diagnostics.cells import show
from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.diagnostics.summary import plural, summarize
from dcp_lang.diagnostics.text import render_findings

# Spelled as character references, these cannot act as markup (CommonMark 0.31, section 2.5).
_MARKUP = {ord(char): f"&#{ord(char)};" for char in "\\`*_{}[]<>()#+!|~&@$:\"'"}


def render_markdown(diagnostics: Sequence[Diagnostic]) -> str:
    """A heading that sums up, a table with a row per finding, and the code frames folded away by file."""
    heading = f"### {str(summarize(diagnostics)).capitalize()}\n"
    if not diagnostics:
        return heading
    rows = ["| File | Line | Severity | Code | Finding |", "| --- | ---: | --- | --- | --- |"]
    rows += map(_row, diagnostics)
    details = (_details(name, list(found)) for name, found in groupby(diagnostics, lambda d: d.source.name))
    return "\n".join((heading, *rows, "", *details))


def _row(d: Diagnostic) -> str:
    line = d.source.position(d.span.start).line
    return f"| {_escape(d.source.name)} | {line} | {d.severity} | {d.code} | {_message(d.message)} |"


def _message(text: str) -> str:
    """The message with what stands in backticks set as code."""
    pieces = enumerate(text.split("`"))
    return "".join(f"<code>{_escape(p)}</code>" if i % 2 else _escape(p) for i, p in pieces)


def _escape(text: str) -> str:
    return show(text).translate(_MARKUP)


def _details(name: str, found: Sequence[Diagnostic]) -> str:
    text = render_findings(found)
    fence = "`" * max(3, 1 + max(map(len, _runs(text, "`")), default=0))
    summary = f"<summary>{_escape(name)}: {plural(len(found), 'finding')}</summary>"
    return f"<details>{summary}\n\n{fence}text\n{text}\n{fence}\n\n</details>\n"


def _runs(text: str, char: str) -> list[str]:
    return ["".join(run) for key, run in groupby(text) if key == char]
