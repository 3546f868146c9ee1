"""The Inspect AI target: `inspect.json`, what one audit needs there, and the short task file beside it.

Inspect is a way to act (`model.interface = other("…")`): the registered model is asked through Inspect's providers,
and its registered tools are functions on the files of an episode. Budgets are Inspect's own limits per sample. A
limit that Inspect checks after a call is passed by one call; the number of turns is not: the loop ends it.
"""

from __future__ import annotations

import json
from math import floor
from typing import Any

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.emit.kernel import kernel_registration
from dcp_lang.language.values import json_value
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import CONTROLS, NULL_PAIRS, PAIRS, RECOVERY

VERSION = "0.3.285"
SCHEMA = "dcp-lang/inspect/1"

INSPECT_TASK = '''"""Runs the compiled audit in Inspect AI: `python inspect_task.py --help`."""

from pathlib import Path

from inspect_ai import Task, task

from dcp_lang.integrations.inspect_ai import main, registered_stage

HOME = Path(__file__).parent


@task
def audit(stage: str = "main", logs: str = "logs") -> Task:
    """One stage of the audit: `main`, then `challenge`, then `pairs`."""
    return registered_stage(HOME, stage, Path(logs))


if __name__ == "__main__":
    raise SystemExit(main(HOME))
'''

#: The registered tools that exist in an episode's workspace; `finish` is always there.
TOOLS = ("read", "write", "edit", "glob", "grep", "experiment", "web")

#: How a sample ends, and the outcome that the kernel counts it as. The first row that applies decides.
OUTCOMES = {
    "another model": "execution_contract_violation",
    "error after an assistant message": "unresolved",
    "error before any assistant message": "infrastructure_invalid",
    "artifact": "artifact",
    "no artifact": "model_failure",
}

#: What the integrity envelope names by digest -> the declarations behind it.
_PARTS = {
    "p": ("task", "baseline", "thresholds"),
    "resources": ("budget",),
    "selection": ("selection",),
    "known": ("information.known",),
    "given": ("information.given",),
    "web": ("information.web",),
    "opportunity": ("budget.session.turns", "model.tools"),
    "challenger_policy": ("policy.challenger",),
    "family": ("family", "errors"),
    "slot": ("slot", "id"),
}


def inspect_files(reg: TypedRegistration, registration_sha256: str) -> dict[str, bytes]:
    """The target's files below the output folder; they stand beside those of dcp-harness and use them."""
    document = json.dumps(
        inspect_document(reg, registration_sha256), indent=2, sort_keys=True, ensure_ascii=False
    )
    return {"runner/inspect.json": f"{document}\n".encode(), "runner/inspect_task.py": INSPECT_TASK.encode()}


def inspect_document(reg: TypedRegistration, registration_sha256: str) -> dict[str, Any]:
    """`inspect.json`: model, tools, limits and counts of the audit, and the kernel's registration in full."""
    return {
        "schema": SCHEMA,
        "inspect_ai": VERSION,
        "registration_sha256": registration_sha256,
        "model": reg.text("model.requested"),
        "accepted": [str(name) for name in reg.items("model.reported")],
        "tools": [str(name) for name in reg.items("model.tools")],
        "limits": {who: _limits(reg, who) for who in ("session", "challenger")},
        "counts": _counts(reg),
        "outcomes": OUTCOMES,
        "contracts": {name: _part(reg, paths) for name, paths in _PARTS.items()},
        "kernel": kernel_registration(reg, registration_sha256),
    }


def _limits(reg: TypedRegistration, who: str) -> dict[str, Any]:
    """Inspect's limits of one sample; a challenger has the session's where it declares none of its own."""

    def path(name: str) -> str:
        own = f"budget.{who}.{name}"
        return own if reg.has(own) else f"budget.session.{name}"

    return {
        "turn_limit": reg.count(path("turns")),
        "time_limit": max(1, floor(reg.amount(path("time")).number)),
        "cost_limit": floor(reg.amount(path("cost")).number * 10**6) / 10**6,
    }


def _counts(reg: TypedRegistration) -> dict[str, int]:
    evidence = reg.is_evidence
    return {
        "challengers": reg.count(RECOVERY),
        "positive_controls": reg.count(CONTROLS),
        "feedback_pairs": reg.count(PAIRS) if evidence else 0,
        "null_pairs": reg.count(NULL_PAIRS) if evidence else 0,
    }


def _part(reg: TypedRegistration, paths: tuple[str, ...]) -> str:
    """The digest of all declarations at or below `paths`."""
    terms = {
        name: json_value(entry.value)
        for name, entry in reg.entries.items()
        if any(name == path or name.startswith(f"{path}.") for path in paths)
    }
    return digest(canonical_bytes(terms))
