"""What the page asks for, as JSON values. Places are offsets in UTF-16 code units, as the page's strings have them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from functools import lru_cache
from typing import Any

from dcp_lang.diagnostics.model import Diagnostic, Edit
from dcp_lang.driver import Compilation
from dcp_lang.editing.completion import complete
from dcp_lang.editing.fixes import QUICK, Action, actions, format_edit
from dcp_lang.editing.hints import hints
from dcp_lang.editing.hover import hover
from dcp_lang.source import Span


def check_answer(compilation: Compilation) -> dict[str, Any]:
    """Every finding with what can be done about it, and the hints."""
    text, offers = compilation.source.text, _offers(compilation)
    return {
        "findings": [_finding(compilation, d, offers[id(d)]) for d in compilation.diagnostics],
        "hints": [
            {"at": units(text, h.offset), "text": h.text, "tooltip": h.tooltip} for h in hints(compilation)
        ],
        "sound": compilation.is_sound,
    }


def complete_answer(compilation: Compilation, at: int) -> dict[str, Any]:
    """What may be written at a place."""
    text = compilation.source.text
    found = complete(compilation, characters(text, at))
    return {"from": units(text, found.span.start), "options": [s._asdict() for s in found.suggestions]}


def hover_answer(compilation: Compilation, at: int) -> dict[str, Any]:
    """What to say about a place; empty when there is nothing."""
    text = compilation.source.text
    found = hover(compilation, characters(text, at))
    return {} if found is None else {"text": found.text, **_place(text, found.span)}


def format_answer(compilation: Compilation) -> dict[str, Any]:
    """The edit that lays the text out, if it needs one and can be parsed."""
    edit = format_edit(compilation)
    return {"edits": _edits(compilation.source.text, (edit,)) if edit else []}


def plan_answer(compilation: Compilation) -> dict[str, Any]:
    """The plan and its curve, as soon as the sizes are known."""
    if compilation.analysis is None or not compilation.analysis.registration.plan.is_complete:
        return {}
    from dcp_lang.emit.plan import plan_report
    from dcp_lang.emit.plan_plot import plan_plot

    registration = compilation.analysis.registration
    return {"plan": plan_report(registration), "curve": plan_plot(registration).decode()}


def document_answer(compilation: Compilation) -> dict[str, Any]:
    """The preregistration document of a registration without errors, as one page of HTML."""
    if compilation.analysis is None or not compilation.is_sound:
        return {}
    from dcp_lang.canonical import canonical_bytes, digest
    from dcp_lang.emit.document import Document
    from dcp_lang.emit.registration import frozen_registration

    frozen = frozen_registration(compilation.analysis, compilation.waivers)
    sha256 = digest(canonical_bytes(frozen))
    return {"html": Document(frozen, sha256).html(), "sha256": sha256}


def units(text: str, offset: int) -> int:
    """An offset in characters as one in UTF-16 code units."""
    return offset + bisect_left(_wide(text), offset)


def characters(text: str, at: int) -> int:
    """An offset in UTF-16 code units as one in characters, held within the text; half of one counts as its start."""
    wide = _wide(text)
    before = bisect_right(range(len(wide)), at, key=lambda index: wide[index] + index + 2)
    is_half = before < len(wide) and at == wide[before] + before + 1
    return min(at - before - is_half, len(text))


@lru_cache(maxsize=4)
def _wide(text: str) -> tuple[int, ...]:
    """The offsets of the characters that take two code units."""
    if text.isascii():
        return ()
    return tuple(offset for offset, character in enumerate(text) if character >= "\U00010000")


def _finding(compilation: Compilation, found: Diagnostic, offers: list[Action]) -> dict[str, Any]:
    source = compilation.source
    is_own = found.source is source
    span = found.span if is_own else Span(0, 0)
    return {
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        "notes": list(found.notes),
        "help": found.help,
        "line": source.position(span.start).line if is_own else 0,
        "fixes": [
            {"title": a.title, "safe": a.is_safe, "edits": _edits(source.text, a.edits)} for a in offers
        ],
        **_place(source.text, span),
    }


def _offers(compilation: Compilation) -> defaultdict[int, list[Action]]:
    """What mends each finding, by its identity."""
    found: defaultdict[int, list[Action]] = defaultdict(list)
    for action in actions(compilation, Span(0, len(compilation.source.text))):
        if action.kind == QUICK:
            found[id(action.diagnostic)].append(action)
    return found


def _edits(text: str, edits: tuple[Edit, ...]) -> list[dict[str, Any]]:
    return [{**_place(text, edit.span), "insert": edit.text} for edit in edits]


def _place(text: str, span: Span) -> dict[str, int]:
    return {"from": units(text, span.start), "to": units(text, span.end)}
