"""Waivers: `allow CODE because "…"` takes a waivable finding out of the report and into the frozen registration."""

from __future__ import annotations

from typing import NamedTuple

from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import Resolved
from dcp_lang.sema.rules import ALL_RULES
from dcp_lang.source import SourceFile
from dcp_lang.syntax import ast

NOT_WAIVABLE = Rule("E903", "waiver-refused", "error", "an `allow` names a finding that cannot be waived")
UNUSED = Rule("W901", "waiver-unused", "warning", "an `allow` waives nothing")
RULES = (NOT_WAIVABLE, UNUSED)


class Waiver(NamedTuple):
    """A finding that the author waives, with the reason given."""

    code: str
    name: str
    message: str
    reason: str


def apply_waivers(
    found: list[Diagnostic], resolved: Resolved | None, source: SourceFile
) -> tuple[list[Diagnostic], list[Waiver]]:
    """What remains of the findings, and what was waived."""
    if resolved is None or not resolved.allows:
        return found, []
    refused = next((p for p in resolved.profiles if not p.waivers), None)
    kept, waived, extra = list(found), [], []
    for allow in resolved.allows:
        hits = [d for d in kept if allow.code.text in (d.code, d.name)]
        fault = _fault(allow, hits, refused.name if refused else "", source)
        if fault is not None:
            extra.append(fault)
            continue
        kept = [d for d in kept if d not in hits]
        waived += [Waiver(d.code, d.name, d.message, allow.reason.value) for d in hits]
    merged = sorted([*kept, *extra], key=lambda d: (d.source.name, d.span.start, d.span.end, d.code, d.message))
    return merged, sorted(waived)


def _fault(allow: ast.Allow, hits: list[Diagnostic], refused_by: str, source: SourceFile) -> Diagnostic | None:
    code = allow.code.text
    if refused_by:
        return NOT_WAIVABLE.found(source, allow.span, f"{refused_by} forbids waivers", help="remove the `allow` and mend the finding")
    if not hits:
        return UNUSED.found(source, allow.span, f"nothing to allow: `{code}` is not reported", help="remove it")
    waivable = {r.code for r in ALL_RULES if r.waivable or r.severity == "warning"}
    if any(d.code not in waivable for d in hits):
        return NOT_WAIVABLE.found(source, allow.span, f"`{code}` cannot be waived", help="mend the finding itself")
    return None
