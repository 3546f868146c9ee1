"""Findings over many files as one page, for an authority that receives a folder of registrations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from dcp_lang.diagnostics.cells import show
from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.diagnostics.summary import summarize
from dcp_lang.diagnostics.text import render_findings
from dcp_lang.emit.document.environment import environment

_WIDTH = 110


def render_report(names: Sequence[str], diagnostics: Sequence[Diagnostic]) -> str:
    """One self-contained page: a line per file (`names` in order, clean ones too), then each finding with its code.

    Same files and findings, same bytes.
    """
    found: dict[str, list[Diagnostic]] = {name: [] for name in names}
    for d in diagnostics:
        if d.source.name in found:
            found[d.source.name].append(d)
    files = [_file(n, *named) for n, named in enumerate(found.items(), 1)]
    context = {
        "summary": str(summarize(diagnostics)) if diagnostics else "no findings",
        "files": files,
        "unsound": sum(file["errors"] > 0 for file in files),
        "rules": _rules(diagnostics),
    }
    return environment().get_template("check.html.j2").render(context)


def _file(number: int, name: str, found: Sequence[Diagnostic]) -> dict[str, Any]:
    summary = summarize(found)
    return {
        "number": number,
        "name": show(name),
        "errors": summary.errors,
        "warnings": summary.warnings,
        "notes": summary.infos,
        "findings": [_finding(d) for d in found],
    }


def _finding(d: Diagnostic) -> dict[str, Any]:
    title, _, frame = render_findings([d], width=_WIDTH).partition("\n")
    return {"severity": d.severity, "code": d.code, "name": d.name, "title": title, "frame": frame}


def _rules(diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """Every rule that found something, the most frequent first."""
    counts = Counter((d.code, d.name, d.severity) for d in diagnostics)
    files = Counter((code, name) for code, name, _ in {(d.code, d.name, d.source.name) for d in diagnostics})
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return [
        {"code": code, "name": name, "severity": severity, "count": count, "files": files[code, name]}
        for (code, name, severity), count in rows
    ]
