"""Findings as SARIF 2.1.0 (OASIS standard, 27 March 2020), for viewers and code scanning.

Columns count code points (``columnKind``), and ends are exclusive, as everywhere in the compiler. The rules'
help is their page.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from dcp_lang import __version__
from dcp_lang.diagnostics.model import Diagnostic, Fix, Label
from dcp_lang.diagnostics.pages import Page, all_pages
from dcp_lang.source import SourceFile, Span

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def render_sarif(diagnostics: Sequence[Diagnostic]) -> str:
    """One SARIF log with one run; its rules are those that were broken, sorted by code."""
    found = {d.code: d for d in reversed(diagnostics)}
    codes = sorted(found)
    pages = {page.code: page for page in all_pages()} if found else {}
    rules = [_rule(found[code], pages.get(code)) for code in codes]
    places = {code: i for i, code in enumerate(codes)}
    run = {
        "tool": {"driver": {"name": "dcpc", "semanticVersion": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(d, places[d.code]) for d in diagnostics],
    }
    return json.dumps({"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(d: Diagnostic, page: Page | None) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": d.code,
        "name": "".join(word.capitalize() for word in d.name.split("-")),
        "defaultConfiguration": {"level": _LEVELS[d.severity]},
    }
    if page is not None:
        rule["shortDescription"] = {"text": page.summary}
        rule["help"] = {"text": page.text, "markdown": page.text}
    return rule


def _result(d: Diagnostic, rule_index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": d.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[d.severity],
        "message": {"text": _text(d)},
        "locations": [_location(d.source, d.span, d.label)],
    }
    if d.labels:
        result["relatedLocations"] = [_related(d.source, i, label) for i, label in enumerate(d.labels)]
    if d.fix:
        result["fixes"] = [_fix(d.source, d.fix)]
    return result


def _text(d: Diagnostic) -> str:
    return "\n".join((d.message, *d.notes, *([f"help: {d.help}"] if d.help else ())))


def _related(source: SourceFile, number: int, label: Label) -> dict[str, Any]:
    return {"id": number, **_location(label.source or source, label.span, label.text)}


def _location(source: SourceFile, span: Span, text: str) -> dict[str, Any]:
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": {"uri": _uri(source.name)}, "region": _region(source, span)}
    }
    if text:
        location["message"] = {"text": text}
    return location


def _fix(source: SourceFile, fix: Fix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(source, edit.span), "insertedContent": {"text": edit.text}}
        for edit in fix.edits
    ]
    change = {"artifactLocation": {"uri": _uri(source.name)}, "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}


def _region(source: SourceFile, span: Span) -> dict[str, int]:
    start, end = source.position(span.start), source.position(span.end)
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "charOffset": span.start,
        "charLength": span.end - span.start,
    }


def _uri(name: str) -> str:
    """A file name as a URI reference; what is not allowed in one is percent-encoded."""
    path = quote(name.replace(os.sep, "/"), errors="surrogatepass")
    return f"file://{path}" if path.startswith("/") else path
