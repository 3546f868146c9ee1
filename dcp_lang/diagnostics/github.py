"""Findings as workflow commands of GitHub Actions, which show them beside the changed lines.

Format and escapes: "Workflow commands for GitHub Actions" and the toolkit's own ``command.ts``: ``%`` and LF
are encoded everywhere, ``:`` and ``,`` in properties too, so that no text of the source can start a command.
"""

from __future__ import annotations

from collections.abc import Sequence

from dcp_lang.diagnostics.cells import show
from dcp_lang.diagnostics.model import Diagnostic

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render_github(diagnostics: Sequence[Diagnostic]) -> str:
    """One workflow command per finding, a line each."""
    return "".join(f"{_command(d)}\n" for d in diagnostics)


def _command(d: Diagnostic) -> str:
    start, end = d.source.position(d.span.start), d.source.position(d.span.end)
    properties: dict[str, object] = {"file": d.source.name, "line": start.line, "endLine": end.line}
    if start.line == end.line:  # columns are refused beside different lines
        properties |= {"col": start.column, "endColumn": end.column}
    properties["title"] = f"{d.code} {d.name}"
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    text = "\n".join([d.message, *([f"help: {d.help}"] if d.help else ())])
    return f"::{_COMMANDS[d.severity]} {listed}::{_data(text)}"


def _data(text: str) -> str:
    lines = (show(line) for line in text.replace("%", "%25").split("\n"))
    return "%0A".join(lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
