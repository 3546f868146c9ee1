"""Waivers: `allow CODE because "…"` takes a waivable finding out of the report and into the frozen
registration.
"""

from __future__ import annotations

from itertools import islice

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

#: Most places that are shown of a finding that cannot be waived.
_SHOWN = 10

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
    by_code: dict[str, list[Diagnostic]] = {}
    for diagnostic in found:
        by_code.setdefault(diagnostic.code, []).append(diagnostic)
    waived, extra = [], []
    for allow in resolved.allows:
        hits = by_code.get(allow.code.text, [])
        fault = _fault(allow, hits, refusing, source)
        if fault is not None:
            extra.append(fault)
            continue
        del by_code[allow.code.text]
        waived += [Waiver(d.code, d.name, d.message, allow.reason.value) for d in hits]
    kept = [d for d in found if d.code in by_code]
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
        here = (d for d in hits if d.source is source)
        labels = tuple(Label(d.span, "found here") for d in islice(here, _SHOWN))
        message = f"`{code}` cannot be waived"
        return REFUSED.found(source, allow.span, message, labels=labels, help="mend the finding itself")
    return None
