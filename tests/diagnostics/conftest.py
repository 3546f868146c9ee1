"""Findings that exercise every part of a diagnostic."""

from __future__ import annotations

from typing import Any

import pytest

from dcp_lang.diagnostics.model import Diagnostic, Edit, Fix, Label
from dcp_lang.source import SourceFile, Span

SOURCE = """\
dcp 1
registration a : evidence {
  thresholds {
    δ_min = 0.5
    ε = 0.6
  }
  claim = "漢字 \x1b[31m é\u202e"
}
"""


def span_of(text: str, part: str) -> Span:
    """Where `part` first stands in `text`."""
    start = text.index(part)
    return Span(start, start + len(part))


def finding(source: SourceFile, part: str, **more: Any) -> Diagnostic:
    """A finding at the first place of `part`."""
    given = {"code": "E203", "name": "epsilon-not-below-delta-min", "severity": "error", "message": "wrong"}
    return Diagnostic(**(given | more), source=source, span=span_of(source.text, part))


@pytest.fixture
def findings() -> list[Diagnostic]:
    """Two files, three severities, secondary labels here and elsewhere, notes, help, both kinds of fix."""
    source = SourceFile("sub mit/registration.dcp", SOURCE)
    profile = SourceFile("authority.dcp", 'profile "a/1" {\n  require ε <= 5%\n}\n')
    return [
        finding(
            source,
            "0.6",
            message="`ε` must be below `δ_min`: have 0.6, need < 0.5",
            label="0.6",
            labels=(
                Label(span_of(SOURCE, "0.5"), "`δ_min` is 0.5"),
                Label(span_of(profile.text, "ε <= 5%"), "the authority's rule", profile),
            ),
            notes=("100% of nothing",),
            help="write `ε = 0.005`",
            fix=Fix("lower `ε`", (Edit(span_of(SOURCE, "0.6"), "0.005"),), safe=True),
        ),
        finding(
            source,
            "漢字",
            code="W604",
            name="odd-claim",
            severity="warning",
            message="odd | <b>claim</b>\x07",
        ),
        Diagnostic(
            "I901",
            "something-else",
            "info",
            "nothing to see",
            SourceFile("empty.dcp", ""),
            Span(0, 0),
            fix=Fix("add an edition", (Edit(Span(0, 0), "dcp 1\n"),)),
        ),
    ]
