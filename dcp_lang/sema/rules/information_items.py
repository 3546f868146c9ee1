"""E601: one item of information stands in one place: K, E0, W or L*."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import Choice, Material, Value
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

RULE = Rule("E601", "item-in-two-places", "error", "one item of information is declared in two places")
RULES = (RULE,)

ROLES = {
    "known": "a known component of both sides",
    "given": "present at the start",
    "web": "observed on the Web",
    "lineage": "withheld from challengers",
}


def check(reg: TypedRegistration, report: Report) -> None:
    """K, E0, W_obs and L* are disjoint (paper, information boundary): the same label or the same content is
    one item.
    """
    seen: dict[str, str] = {}
    items = (p for p in reg.in_reading_order("information") if p.count(".") == 2)
    for path in items:
        for key in _keys(path, reg.value(path)):
            first = seen.setdefault(key, path)
            if first != path:
                _twice(report, first, path)
                break


def _keys(path: str, value: Value) -> list[str]:
    """What identifies an item: its label, and its digest or text ("none" is no content)."""
    keys = [f"label {path.rpartition('.')[2]}"]
    match value:
        case Material():
            keys.append(f"digest {value.sha256}")
        case Choice("feedback" | "guidance", ((_, str(text)),)) | str(text) if text.lower() != "none":
            keys.append(f"text {' '.join(text.lower().split())}")
    return keys


def _twice(report: Report, first: str, second: str) -> None:
    (role, name), (other, twin) = (p.split(".")[1:] for p in (second, first))
    report.add(
        RULE,
        second,
        f"`{name}` in `{role}` is the same item as `{twin}` in `{other}`",
        label=ROLES[role],
        labels=report.declared_here(first),
        help="keep it in one place, under one label",
    )
