"""`--what-if FIELD=VALUE`: the same registration with other values, without touching the file."""

from __future__ import annotations

from collections.abc import Sequence

import click

from dcp_lang.diagnostics.fixes import apply_edits
from dcp_lang.diagnostics.model import Edit
from dcp_lang.driver import Compilation
from dcp_lang.language.fields import FIELDS
from dcp_lang.language.names import resolve_name
from dcp_lang.source import SourceFile, Span


def what_if(compilation: Compilation, changes: Sequence[str]) -> Compilation:
    """The compilation of the source with each `FIELD=VALUE` put in the place of the declared value."""
    edits = [_edit(compilation, change) for change in changes]
    text = apply_edits(compilation.source.text, edits)
    return Compilation(SourceFile(compilation.source.name, text), compilation.workspace)


def _edit(compilation: Compilation, change: str) -> Edit:
    name, equals, value = (part.strip() for part in change.partition("="))
    if not equals or not value:
        raise click.UsageError(f"--what-if takes FIELD=VALUE, not `{change}`")
    return Edit(_value_span(compilation, _path(name)), f" {value}")


def _path(name: str) -> str:
    symbols = [spec.path for spec in FIELDS.values() if spec.symbol == name]
    paths = symbols or resolve_name(name)
    if len(paths) != 1:
        known = f"; say which of {', '.join(paths)}" if paths else ""
        raise click.UsageError(f"--what-if knows no single field `{name}`{known}")
    return paths[0]


def _value_span(compilation: Compilation, path: str) -> Span:
    """Where the value of a declared field stands: from behind its `=` to the end of the field."""
    analysis = compilation.analysis
    declared = analysis.registration.resolved.fields.get(path) if analysis else None
    if declared is None:
        raise click.UsageError(f"--what-if changes declared fields; `{path}` is not declared in the file")
    equals = compilation.source.text.find("=", declared.head_span.end, declared.span.end)
    start = equals + 1 if equals >= 0 else declared.span.start
    return Span(start, declared.span.end)
