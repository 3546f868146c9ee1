"""The dcp-harness target: its configuration, and `compiled.json` for the adapter mix-in.

`runner/` holds copies of all committed files, so it runs wherever it lies; sealed material is put at its
registered place by the auditor. dcp-harness limits money and time per turn: a session's budget is divided by its
turns, rounded down, so that a session never spends more than it was given.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.emit.kernel import kernel_registration
from dcp_lang.language.fields import ATTESTATIONS
from dcp_lang.language.values import Choice, Material, json_value
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import CONTROLS, NULL_PAIRS, PAIRS, RECOVERY

PEERS = {"dcp-audit": "0.4.2", "dcp-harness": "0.1.1"}
SCHEMA = "dcp-lang/harness/1"
_DEFAULT_BYTES = {"raw": 2_000_000, "delivered": 300_000, "timeout": 30}

#: Kernel fields that only a run can know, with the key of the harness's contract set that holds each.
_BIND_CORE = (
    "interface_hash",
    "gate2_control_contract_hash",
    "challenge_distribution_hash",
    "audit_slot_id",
    "audit_slot_reservation_receipt_hash",
)
_BIND_EVIDENCE = (
    "scaffold_hash", "feedback_schema_hash", "sham_operator_hash", "neutral_sham_generator_hash",
    "truthful_feedback_generator_hash", "reference_null_generator_hash", "gate3_paired_arm_contract_hash",
    "gate3_truthful_arm_contract_hash", "gate3_neutral_arm_contract_hash", "gate3_neutral_recovery_contract_hash",
    "gate3_resource_contract_hash", "gate3_opportunity_contract_hash", "gate3_branch_policy_hash",
    "gate3_pair_randomization_distribution_hash", "sham_randomization_distribution_hash",
    "sham_paired_arm_contract_hash", "sham_reference_arm_contract_hash", "sham_proposed_arm_contract_hash",
)  # fmt: skip


def harness_config(reg: TypedRegistration) -> dict[str, Any]:
    """`dcp-harness.json`: every key written out, none left to the harness's defaults."""
    return {
        "schema": "dcp_harness_config_v1",
        "claim_id": reg.text("id"),
        "source_workspace": workspace_path(reg),
        "task_adapter": f"{_adapter(reg).path}:{reg.text('task.entry')}",
        "task_options": {"compiled": "compiled.json"},
        "agent": _agent(reg),
        "web": _web(reg),
        "audit": _audit(reg),
    }


def _adapter(reg: TypedRegistration) -> Material:
    value = reg.value("task.adapter")
    assert isinstance(value, Material)
    return value


def workspace_path(reg: TypedRegistration) -> str:
    """The folder that the agent starts in: the first committed folder of E0, or an empty `workspace`."""
    given = (m for p, m in reg.materials().items() if p.startswith("information.given."))
    return next((m.path.rstrip("/") for m in given if m.kind == "folder"), "workspace")


def _agent(reg: TypedRegistration) -> dict[str, Any]:
    interface, turns = reg.choice("model.interface"), reg.count("budget.session.turns")
    is_claude = interface.name == "claude_code"
    return {
        "backend": "claude-code",
        "execution": interface.argument("execution").name if is_claude else "docker",
        "model": reg.text("model.requested"),
        "accepted_model_ids": [str(m) for m in reg.items("model.reported")],
        "claude_binary": "claude",
        "container_image": str(interface.get("image") or "") if is_claude else "none: another interface",
        "dotenv": ".env",
        "effort": interface.argument("effort").name if is_claude else "high",
        "max_budget_usd": _down(reg.amount("budget.session.cost").number / turns),
        "timeout_seconds": max(1, floor(reg.amount("budget.session.time").number / turns)),
        "max_turns": turns,
        "memory_mb": floor(reg.amount("budget.session.memory").number / 2**20),
        "cpus": _down(reg.number("budget.session.cpus")),
    }


def _down(value: Fraction) -> float:
    """The greatest double with at most six decimals that is not above a value: the runner never gets more."""
    return floor(value * 10**6) / 10**6


def _web(reg: TypedRegistration) -> dict[str, Any]:
    webs = (v for v in reg.under("information.web").values() if isinstance(v, Choice))
    hosts = [web for web in webs if web.name == "hosts"]
    first = hosts[0] if hosts else Choice("none")
    return {
        "enabled": bool(hosts),
        "allowed_hosts": sorted({str(h) for w in hosts for h in w.argument("allowed")}),
        "allow_subdomains": any(w.argument("subdomains").name == "yes" for w in hosts),
        "max_requests": sum(w.argument("at_most") for w in hosts) if hosts else 20,
        "max_redirects": first.get("redirects", 3),
        "max_raw_bytes": _whole(first, "raw"),
        "max_delivered_bytes": _whole(first, "delivered"),
        "timeout_seconds": _whole(first, "timeout"),
    }


def _whole(web: Choice, name: str) -> int:
    value = web.get(name)
    return floor(value.number) if value is not None else _DEFAULT_BYTES[name]


def _audit(reg: TypedRegistration) -> dict[str, Any]:
    evidence = reg.is_evidence
    return {
        "grade": reg.grade,
        "challenger_episodes": reg.count(RECOVERY),
        "positive_control_episodes": reg.count(CONTROLS),
        "feedback_pairs": reg.count(PAIRS) if evidence else 2,
        "sham_pairs": reg.count(NULL_PAIRS) if evidence else 2,
        "max_feedback_pair_replacements": reg.count("gate.feedback.replacements.pairs") if evidence else 0,
        "max_sham_pair_replacements": reg.count("gate.feedback.replacements.null_pairs") if evidence else 0,
        "checkpoint_scope": reg.choice("gate.feedback.scope").name if evidence else "lineage_prefix",
    }


def compiled(reg: TypedRegistration, registration_sha256: str, source_sha256: str) -> dict[str, Any]:
    """`compiled.json`: `fixed` and `bind` name every kernel field exactly once."""
    bind = {name: name for name in (_BIND_CORE + _BIND_EVIDENCE if reg.is_evidence else _BIND_CORE)}
    if reg.is_evidence:
        bind["gate3_checkpoint_selection_rule_hash"] = "selection_rule_hash"
    kernel = kernel_registration(reg, registration_sha256)
    return {
        "schema": SCHEMA,
        "peers": PEERS,
        "registration_sha256": registration_sha256,
        "source_sha256": source_sha256,
        "fixed": {k: v for k, v in kernel.items() if k not in bind},
        "bind": bind,
        "config": harness_config(reg),
        "adapter": {"path": _adapter(reg).path, "sha256": _adapter(reg).sha256},
        "materials": _materials(reg),
        "checkpoint": _checkpoint(reg),
        "policies": policies(reg),
        "attestations": _attestations(reg),
    }


def policies(reg: TypedRegistration) -> dict[str, Any]:
    """The declared feedback policies, by role."""
    names = ("truthful", "neutral", "reference_null", "challenger") if reg.is_evidence else ("challenger",)
    return {name: {k: json_value(v) for k, v in reg.under(f"policy.{name}").items()} for name in names}


def _materials(reg: TypedRegistration) -> dict[str, Any]:
    """The audit materials that the harness seals before the main run, each with its registered digest."""
    roles = {
        "private_verifier": "task.evaluator",
        "private_units": "task.units",
        "baseline_policy": "baseline.artifact",
        "truthful_feedback_policy": "policy.truthful.generator",
        "neutral_feedback_policy": "policy.neutral.generator",
        "sham_reference_policy": "policy.reference_null.generator",
    }
    return {role: _material(reg, role, path) for role, path in roles.items()}


def _material(reg: TypedRegistration, role: str, path: str) -> dict[str, Any]:
    if reg.has(path):
        value = reg.value(path)
        assert isinstance(value, Material)
        return {"path": value.path, "sha256": value.sha256} if value.path else {"sha256": value.sha256}
    declared, section = policies(reg), path.split(".")[1]
    name = section if section in declared else "challenger"
    return {"policy": name, "sha256": digest(canonical_bytes(declared[name]))}


def _checkpoint(reg: TypedRegistration) -> dict[str, Any]:
    if not reg.is_evidence:
        return {"rule": "start", "scope": "lineage_prefix"}
    rule = reg.choice("gate.feedback.checkpoint")
    event = {"event": rule.argument("event")} if rule.name == "after" else {}
    return {"rule": rule.name, **event, "scope": reg.choice("gate.feedback.scope").name}


def _attestations(reg: TypedRegistration) -> dict[str, Any]:
    listed = reg.items("attestations") if reg.has("attestations") else ()
    given = {choice.name for choice in listed if isinstance(choice, Choice)}
    row: dict[str, Any] = {name: name in given for name in ATTESTATIONS}
    development = reg.materials().get("gate.feedback.development")
    if development is not None:
        row["sham_development_manifest_hash"] = development.sha256
    return row | {"attribution_subject": reg.choice("subject").name}
