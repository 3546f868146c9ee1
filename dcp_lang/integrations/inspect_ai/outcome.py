"""How an Inspect sample counts: the registered mapping of errors and limits to the kernel's outcomes."""

from __future__ import annotations

from typing import Any

from dcp_lang.integrations.inspect_ai.logs import Found

#: What the verifier says of an episode without a scored artifact.
_EMPTY: dict[str, Any] = {
    "validity": "unresolved",
    "artifact_hash": "",
    "per_unit": [],
    "unit_ids": [],
    "utility": None,
}


def ending(found: Found, document: dict[str, Any]) -> str:
    """The row of the registered table that an episode falls under; `scored` for one that ended by itself.

    A limit is no error: what stands in the workspace when turns, time or money are spent is the artifact.
    """
    sample = found.sample
    asked = set(sample.model_usage) if sample else set()
    if found.models - set(document["accepted"]) or asked - {document["model"]}:
        return "another model"
    if sample is not None and sample.model_fallbacks:
        return "another model"
    stopped = sample is None or sample.error is not None or sample.invalidation is not None
    if stopped or (sample is not None and sample.error_retries):
        return "error after an assistant message" if found.acted else "error before any assistant message"
    return "scored"


def outcome(found: Found, document: dict[str, Any], score: dict[str, Any] | None) -> dict[str, Any]:
    """The evaluation of one episode: the verifier's (`score`), or an empty one with the outcome of the table."""
    row = ending(found, document)
    if row != "scored":
        return _EMPTY | {"outcome": document["outcomes"][row], "reason": row}
    assert score is not None, "every episode that ended by itself is scored"
    if found.planned.phase == "positive_control":
        return _EMPTY | score | {"outcome": "artifact" if score["mean"] else "model_failure"}
    name = "artifact" if score["outcome"] == "artifact" else "no artifact"
    return score | {"outcome": document["outcomes"][name]}
