"""The contracts: the documents whose digests fill the kernel's `*_hash` fields.

Each contract is a small JSON document made from the registration alone, so anyone can recompute its digest. A run
of dcp-harness makes contracts of its own; these are what the registration itself promises.
"""

from __future__ import annotations

from typing import Any

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.language.values import json_value
from dcp_lang.sema.model import TypedRegistration

SCHEMA = "dcp-lang/contract/1"

#: contract name -> (kernel fields that hold its digest, sections and fields that it is made of)
_Table = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]

_CORE: _Table = {
    "interface": (("interface_hash",), ("model",)),
    "challenge-distribution": (
        ("challenge_distribution_hash",),
        (
            "gate.recovery.draws",
            "gate.recovery.episodes",
            "gate.recovery.best_of",
            "gate.recovery.web",
            "gate.recovery.stratum",
            "budget.session",
            "budget.challenger",
        ),
    ),
    "challenger-policy": (
        ("gate2_control_contract_hash",),
        (
            "policy.challenger",
            "information",
            "task",
            "baseline",
            "gate.recovery",
            "budget.session",
            "budget.challenger",
        ),
    ),
}
_ARM = (
    "model",
    "budget.session",
    "gate.feedback.checkpoint",
    "gate.feedback.scope",
    "gate.feedback.utility",
    "task.valid",
)
_FEEDBACK: _Table = {
    "scaffold": (("scaffold_hash",), ("task.adapter", "task.entry", "information", "selection")),
    "feedback-schema": (
        ("feedback_schema_hash",),
        (
            "policy.truthful.preserves",
            "policy.neutral.preserves",
            "policy.reference_null.preserves",
            "policy.challenger.preserves",
        ),
    ),
    "truthful-policy": (("truthful_feedback_generator_hash",), ("policy.truthful",)),
    "neutral-policy": (("neutral_sham_generator_hash", "sham_operator_hash"), ("policy.neutral",)),
    "reference-null-policy": (("reference_null_generator_hash",), ("policy.reference_null",)),
    "checkpoint-rule": (
        ("gate3_checkpoint_selection_rule_hash",),
        ("gate.feedback.checkpoint", "gate.feedback.scope"),
    ),
    "resource": (("gate3_resource_contract_hash",), ("budget.session", "model.interface")),
    "opportunity": (("gate3_opportunity_contract_hash",), ("budget.session.turns", "model.tools")),
    "branch-policy": (
        ("gate3_branch_policy_hash",),
        ("gate.feedback", "policy.truthful.sends", "policy.neutral.sends"),
    ),
    "paired-arm": (("gate3_paired_arm_contract_hash",), _ARM),
    "truthful-arm": (("gate3_truthful_arm_contract_hash",), (*_ARM, "policy.truthful")),
    "neutral-arm": (("gate3_neutral_arm_contract_hash",), (*_ARM, "policy.neutral")),
    "neutral-recovery": (
        ("gate3_neutral_recovery_contract_hash",),
        (*_ARM, "thresholds.rho_placebo", "gate.feedback.necessity"),
    ),
    "pair-randomization": (
        ("gate3_pair_randomization_distribution_hash",),
        ("gate.feedback.pairs", "gate.feedback.replacements", "gate.feedback.checkpoint"),
    ),
    "null-randomization": (
        ("sham_randomization_distribution_hash",),
        ("gate.feedback.null_pairs", "gate.feedback.replacements", "gate.feedback.null_tasks"),
    ),
    "null-paired-arm": (
        ("sham_paired_arm_contract_hash",),
        ("model", "budget.session", "gate.feedback.null_tasks"),
    ),
    "null-reference-arm": (
        ("sham_reference_arm_contract_hash",),
        ("model", "budget.session", "gate.feedback.null_tasks", "policy.reference_null"),
    ),
    "null-proposed-arm": (
        ("sham_proposed_arm_contract_hash",),
        ("model", "budget.session", "gate.feedback.null_tasks", "policy.neutral"),
    ),
}


def contracts(reg: TypedRegistration) -> dict[str, dict[str, Any]]:
    """Every contract of the registration's grade, by name."""
    table = _CORE | _FEEDBACK if reg.is_evidence else _CORE
    documents = {name: _document(reg, name, parts) for name, (_, parts) in table.items()}
    if not reg.has("slot"):
        documents["slot-reservation"] = _local_reservation(reg)
    return documents


def contract_digests(reg: TypedRegistration) -> dict[str, str]:
    """The digest of every contract, by name."""
    return {name: digest(canonical_bytes(doc)) for name, doc in contracts(reg).items()}


def hash_fields(reg: TypedRegistration) -> dict[str, str]:
    """The kernel's hash fields with their values."""
    digests = contract_digests(reg)
    table = _CORE | _FEEDBACK if reg.is_evidence else _CORE
    return {field: digests[name] for name, (fields, _) in table.items() for field in fields}


def slot(reg: TypedRegistration) -> tuple[str, str]:
    """The audit slot and the digest of its receipt: the authority's, or a local reservation marked as such."""
    if reg.has("slot"):
        given = reg.choice("slot")
        return given.argument("id"), given.argument("receipt")
    receipt = digest(canonical_bytes(_local_reservation(reg)))
    return f"local-{receipt[7:23]}", receipt


def _document(reg: TypedRegistration, name: str, parts: tuple[str, ...]) -> dict[str, Any]:
    terms: dict[str, Any] = {}
    for path, entry in reg.entries.items():
        if any(path == part or path.startswith(part + ".") for part in parts):
            terms[path] = json_value(entry.value)
    return {"schema": SCHEMA, "contract": name, "claim": reg.text("id"), "terms": terms}


def _local_reservation(reg: TypedRegistration) -> dict[str, Any]:
    """A reservation that nobody but the claimant has made; an authority's slot replaces it."""
    terms = {path: json_value(reg.value(path)) for path in ("family", "errors.total")}
    return {
        "schema": SCHEMA,
        "contract": "slot-reservation",
        "claim": reg.text("id"),
        "authority": "none: reserved locally by the claimant",
        "terms": terms,
    }
