"""Waivers: `allow CODE because "…"` takes a waivable finding out of the report and into the frozen
registration.
"""

from __future__ import annotations

from dcp_lang.diagnostics.model import Diagnostic, Label
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.record import Record
from dcp_lang.sema.model import Resolved
from dcp_lang.sema.rules import ALL_RULES
from dcp_lang.source import SourceFile
from dcp_lang.syntax import ast

REFUSED = Rule("E903", "waiver-refused", "error", "an `allow` names a finding that cannot be waived")
UNUSED = Rule("W901", "waiver-unused", "warning", "an `allow` waives nothing")
RULES = (REFUSED, UNUSED)

_WAIVABLE = frozenset(r.code for r in ALL_RULES if r.waivable or r.severity != "error")


class Waiver(Record):
    """A finding that the author waives, with the reason given."""

    code: str
    name: str
    message: str
    reason: str


def apply_waivers(
    found: list[Diagnostic], resolved: Resolved, source: SourceFile
) -> tuple[list[Diagnostic], list[Waiver]]:
    """What remains of the findings, in reading order, and what was waived."""
    refusing = next((p.name for p in resolved.profiles if not p.allows_waivers), "")
    kept, waived, extra = list(found), [], []
    for allow in resolved.allows:
        hits = [d for d in kept if d.code == allow.code.text]
        fault = _fault(allow, hits, refusing, source)
        if fault is not None:
            extra.append(fault)
            continue
        kept = [d for d in kept if d.code != allow.code.text]
        waived += [Waiver(d.code, d.name, d.message, allow.reason.value) for d in hits]
    order = sorted(
        [*kept, *extra], key=lambda d: (d.source.name, d.span.start, d.span.end, d.code, d.message)
    )
    return order, sorted(waived)


def _fault(allow: ast.Allow, hits: list[Diagnostic], refusing: str, source: SourceFile) -> Diagnostic | None:
    """Why an `allow` does not stand, or None when it does."""
    code = allow.code.text
    if refusing:
        message = f"the profile `{refusing}` forbids waivers"
        return REFUSED.found(source, allow.span, message, help="remove the `allow` and mend the finding")
    if not hits:
        message = f"nothing to allow: `{code}` is not reported"
        return UNUSED.found(source, allow.span, message, label="waives nothing", help="remove it")
    if code not in _WAIVABLE:
        labels = tuple(Label(d.span, "found here") for d in hits if d.source is source)
        message = f"`{code}` cannot be waived"
        return REFUSED.found(source, allow.span, message, labels=labels, help="mend the finding itself")
    return None
