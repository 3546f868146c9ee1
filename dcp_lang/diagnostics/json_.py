"""Findings as JSON, in the form of ``diagnostics.schema.json``.

The output is ASCII: characters of the source that could steer a terminal arrive as escapes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dcp_lang.diagnostics.model import Diagnostic, Fix, Label
from dcp_lang.diagnostics.summary import Count
from dcp_lang.source import SourceFile, Span

SCHEMA = "dcp-lang/diagnostics/1"


def render_json(diagnostics: Sequence[Diagnostic]) -> str:
    """One JSON document: the findings in the order given, and their counts.

    Lines and columns count from 1, offsets from 0; all count characters (code points); ends are exclusive.
    """
    return "".join(json_pieces(diagnostics))


def json_pieces(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """The same document, a finding at a time: none is kept, however many there are."""
    count = Count()
    yield f'{{\n  "schema": {json.dumps(SCHEMA)},\n  "diagnostics": ['
    for d in diagnostics:
        yield ("," if count.findings else "") + _indented(
            "\n" + json.dumps(diagnostic_object(d), indent=2), 4
        )
        count.add(d)
    summary = _indented(json.dumps(count.summary()._asdict(), indent=2), 2)
    yield ("\n  " if count.findings else "") + f'],\n  "summary": {summary}\n}}\n'


def _indented(text: str, by: int) -> str:
    """JSON below other JSON; a line end in a string is an escape."""
    return text.replace("\n", "\n" + " " * by)


def diagnostic_object(d: Diagnostic) -> dict[str, Any]:
    """The JSON object of one finding."""
    return {
        "code": d.code,
        "name": d.name,
        "severity": d.severity,
        "message": d.message,
        "file": d.source.name,
        **_range(d.source, d.span),
        "label": d.label,
        "labels": [_label(d.source, label) for label in d.labels],
        "notes": list(d.notes),
        "help": d.help,
        "fix": _fix(d.source, d.fix) if d.fix else None,
    }


def _label(source: SourceFile, label: Label) -> dict[str, Any]:
    where = label.source or source
    return {"file": where.name, **_range(where, label.span), "text": label.text}


def _fix(source: SourceFile, fix: Fix) -> dict[str, Any]:
    edits = [{**_range(source, edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _range(source: SourceFile, span: Span) -> dict[str, Any]:
    return {"start": _point(source, span.start), "end": _point(source, span.end)}


def _point(source: SourceFile, offset: int) -> dict[str, int]:
    line, column = source.position(offset)
    return {"line": line, "column": column, "offset": offset}
