"""A comparison for people, for programs, and for a page of review."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dcp_lang.emit.diff.compare import Change
from dcp_lang.emit.diff.direction import IDENTITY, LOOSENING, PROSE, TIGHTENING
from dcp_lang.frozen import Registration

SCHEMA = "dcp-lang/diff/1"
#: What a reader must see first.
ORDER = (IDENTITY, LOOSENING, TIGHTENING, PROSE)
_WIDTH = 160


def diff_text(changes: Sequence[Change]) -> str:
    """One line for each change, gravest first; empty without changes."""
    width = max((len(c.path) for c in changes), default=0)
    return "".join(f"{c.kind:<10}  {c.path:<{width}}  {_step(c)}\n" for c in by_gravity(changes))


def diff_json(old: Registration, new: Registration, changes: Sequence[Change]) -> dict[str, Any]:
    """Ready for JSON; whole values, never shortened."""
    return {
        "schema": SCHEMA,
        "old": old.digest,
        "new": new.digest,
        "counts": {kind: sum(c.kind == kind for c in changes) for kind in ORDER},
        "changes": [
            {"path": c.path, "class": c.kind, "old": c.old, "new": c.new, "note": c.note}
            for c in by_gravity(changes)
        ],
    }


def diff_markdown(old: Registration, new: Registration, changes: Sequence[Change]) -> str:
    """A table, for a review or a pull request."""
    head = f"`{old.digest}` → `{new.digest}`\n\n"
    if not changes:
        return head + "No field differs.\n"
    rows = "".join(f"| {c.kind} | `{c.path}` | {_cell(_step(c))} |\n" for c in by_gravity(changes))
    return f"{head}| class | field | change |\n|---|---|---|\n{rows}"


def by_gravity(changes: Sequence[Change]) -> list[Change]:
    """Identity first, then loosening, tightening, prose; each in the order of the field table."""
    return sorted(changes, key=lambda change: ORDER.index(change.kind))


def _step(change: Change) -> str:
    old, new = (_short(v) if v else "(none)" for v in (change.old, change.new))
    step = old if change.old == change.new else f"{old} → {new}"
    return f"{step} ({change.note})" if change.note else step


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")
