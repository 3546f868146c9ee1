"""The schemas of what tells about the targets: their limits, the contracts of a run, the Inspect configuration."""

from __future__ import annotations

from dcp_lang.emit import expected, inspect_task, targets
from dcp_lang.emit.schemas.types import DEFS, Schema, record, reference, rows
from dcp_lang.emit.targets import LIMITS

_TEXTS = {"type": "object", "additionalProperties": reference("text")}
_FREE = {"type": "object"}


def targets_schema() -> Schema:
    """`runner/targets.json`: what each target cannot honour."""
    asked = record({"field": reference("text"), "registered": {}, "target": reference("text")})
    row = record(
        {
            "cannot": {"description": "What the registration asks for in vain."} | rows(asked),
            "always": {"description": "What the target does its own way."} | rows(reference("text")),
        }
    )
    members = {"schema": {"const": targets.SCHEMA}, "targets": record(dict.fromkeys(LIMITS, row))}
    return {"title": "dcp-lang targets", **record(members), "$defs": DEFS}


def expected_schema() -> Schema:
    """`runner/expected-contracts.json`: the contracts that a run of dcp-harness will seal."""
    members = {
        "schema": {"const": expected.SCHEMA},
        "peer": reference("text"),
        "expected": {"description": "Values that every run seals."} | _FREE,
        "facts": {"description": "What is not known yet, with the reason."} | _TEXTS,
        "formulas": {"description": 'Documents to be hashed, with {"$value": NAME} for facts.'} | _FREE,
        "late": {"description": "What only the run can tell, with the reason."} | _TEXTS,
    }
    return {"title": "dcp-lang expected contracts", **record(members), "$defs": DEFS}


def inspect_schema() -> Schema:
    """`runner/inspect.json`: what one audit needs in Inspect AI. Money is a double, as the peer wants it."""
    money = {"type": "number", "exclusiveMinimum": 0}
    limits = record({"turn_limit": reference("count"), "time_limit": reference("count"), "cost_limit": money})
    counts = ("challengers", "positive_controls", "feedback_pairs", "null_pairs")
    members = {
        "schema": {"const": inspect_task.SCHEMA},
        "inspect_ai": reference("text"),
        "registration_sha256": reference("digest"),
        "model": reference("text"),
        "accepted": rows(reference("text"), least=1),
        "tools": rows(reference("text")),
        "limits": record({"session": limits, "challenger": limits}, about="Limits of one sample."),
        "counts": record(dict.fromkeys(counts, reference("count"))),
        "outcomes": {"description": "How a sample ends, and what the kernel counts it as."} | _TEXTS,
        "contracts": {"type": "object", "additionalProperties": reference("digest")},
        "kernel": {"description": "The kernel's registration in full."} | _FREE,
    }
    return {"title": "dcp-lang Inspect configuration", **record(members), "$defs": DEFS}
