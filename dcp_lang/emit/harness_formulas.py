"""The contracts of dcp-harness 0.1.1 that hold no nonce, as formulas over `compiled.json` and the committed files.

A formula is a document whose digest is the contract, with `{"$value": NAME}` where another value stands; a text is the
value itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dcp_lang.canonical import digest

#: What a formula may refer to: facts of a run, and what is computed on the way and is no contract itself.
INTERFACE, UNITS, CLASS = "interface_hash", "private_unit_manifest_hash", "adapter_class"
ADAPTER, MATERIALS = "adapter_identity_hash", "audit_materials_hash"
#: Never part of a workspace for dcp-harness.
_IGNORED = {".git", "__pycache__", ".pytest_cache"}

_Document = dict[str, Any]


def harness_formulas(plan: _Document, compiled_sha256: str, files: Mapping[str, bytes]) -> _Document:
    """Every contract of dcp-harness 0.1.1 that holds no nonce, by its key; a text is the value itself."""
    config, source = plan["config"], _manifest(plan["config"]["source_workspace"], files)
    materials = {role: entry["sha256"] for role, entry in plan["materials"].items()}
    return (
        {
            "schema": "dcp_harness_contract_set_v1",
            "model_id": config["agent"]["model"],
            "source_manifest_hash": source["manifest_hash"],
            MATERIALS: _audit_materials(materials),
            ADAPTER: _adapter_identity(plan, compiled_sha256, _audit_materials(materials)),
            "k_manifest_hash": _seal("K", source),
            "e0_manifest_hash": _seal("E0", {"source": source, "adapter": _of(ADAPTER)}),
            "p_hash": _seal("outcome", {"adapter": _of(ADAPTER), "private_units": _of(UNITS)}),
            "claim_family_manifest_hash": _seal("claim_family", {"claim_id": config["claim_id"]}),
        }
        | _material_contracts(materials)
        | _limits(config, _common(config, source))
        | _arms(config, _common(config, source))
    )


def _seal(label: str, value: Any) -> _Document:
    return {"contract": label, "value": value}


def _common(config: _Document, source: _Document) -> _Document:
    return {
        "claim_id": config["claim_id"],
        "model": config["agent"]["model"],
        "interface_hash": _of(INTERFACE),
        "source_manifest_hash": source["manifest_hash"],
        "adapter_identity_hash": _of(ADAPTER),
    }


def _adapter_identity(plan: _Document, compiled_sha256: str, materials: _Document) -> _Document:
    """What dcp-harness hashes of an adapter, with the digest of `compiled.json` that our mix-in adds."""
    return {
        "schema": "dcp_task_adapter_identity_v1",
        "locator": plan["config"]["task_adapter"],
        "source_hash": plan["adapter"]["sha256"],
        "audit_materials": materials,
        "audit_materials_hash": _of(MATERIALS),
        "class": _of(CLASS),
        "options_hash": hash_json(plan["config"]["task_options"]),
        "compiled_sha256": compiled_sha256,
    }


def _audit_materials(materials: Mapping[str, str]) -> _Document:
    return {
        "private_verifier_hash": materials["private_verifier"],
        "private_unit_manifest_hash": _of(UNITS),
        "baseline_policy_hash": materials["baseline_policy"],
        "truthful_feedback_policy_hash": materials["truthful_feedback_policy"],
        "neutral_feedback_policy_hash": materials["neutral_feedback_policy"],
        "sham_reference_policy_hash": materials["sham_reference_policy"],
    }


def _material_contracts(materials: Mapping[str, str]) -> _Document:
    return {
        "verifier_hash": materials["private_verifier"],
        "baseline_policy_hash": materials["baseline_policy"],
        "neutral_sham_generator_hash": materials["neutral_feedback_policy"],
        "sham_operator_hash": materials["neutral_feedback_policy"],
        "truthful_feedback_generator_hash": materials["truthful_feedback_policy"],
        "reference_null_generator_hash": materials["sham_reference_policy"],
    }


def _limits(config: _Document, common: _Document) -> _Document:
    """Resources, opportunities, challengers: what a session may do."""
    agent, audit = config["agent"], config["audit"]
    resource = {
        **common,
        "max_budget_usd_per_session": agent["max_budget_usd"],
        **{name: agent[name] for name in ("timeout_seconds", "memory_mb", "cpus")},
    }
    opportunity = _opportunity(config)
    challenger = {
        **common,
        "lineage": "withheld",
        "private_scores": "withheld_until_all_candidates_commit",
        "observed_web": "privileged_packet_plus_exact_replay",
        "episodes": audit["challenger_episodes"],
        "opportunity": opportunity,
    }
    draws = {"policy": challenger, "draws": "hmac_sha256_without_replacement_v1"}
    checkpoint = {"adapter": _of(ADAPTER), "scope": audit["checkpoint_scope"]}
    return {
        "resource_contract_hash": _seal("resource", resource),
        "opportunity_contract_hash": _seal("opportunity", opportunity),
        "selection_rule_hash": _seal("checkpoint_selection", checkpoint),
        "challenger_policy_hash": _seal("challenger_policy", challenger),
        "gate2_control_contract_hash": _seal("gate2_control", challenger),
        "challenge_distribution_hash": _seal("challenge_distribution", draws),
        "gate3_resource_contract_hash": _seal("gate3_resource", resource),
        "gate3_opportunity_contract_hash": _seal("gate3_opportunity", opportunity),
    }


def _opportunity(config: _Document) -> _Document:
    return {
        "max_turns": config["agent"]["max_turns"],
        "file_tools": ["Read", "Write", "Edit", "Glob", "Grep"],
        "action_channel": "dcp_action_v1",
    }


def _arms(config: _Document, common: _Document) -> _Document:
    """The arms of the feedback gate and of its null study."""
    arm = {
        **common,
        "checkpoint_scope": config["audit"]["checkpoint_scope"],
        "web": "frozen_observed_url_replay",
        "opportunity": _opportunity(config),
    }
    return {
        "scaffold_hash": _seal("scaffold", common),
        "feedback_schema_hash": _seal("feedback_schema", "dcp_observation_v1"),
        "gate3_paired_arm_contract_hash": _seal("gate3_common", arm),
        "gate3_truthful_arm_contract_hash": _seal("gate3_truthful", {**arm, "feedback": "truthful"}),
        "gate3_neutral_arm_contract_hash": _seal("gate3_neutral", {**arm, "feedback": "neutral_sham"}),
        "gate3_neutral_recovery_contract_hash": _seal("gate3_neutral_recovery", arm),
        "gate3_branch_policy_hash": _seal("gate3_policy", arm),
        "gate3_pair_randomization_distribution_hash": _seal(
            "feedback_pair_randomization", "hmac_sha256_order_v1"
        ),
        "sham_randomization_distribution_hash": _seal("sham_pair_randomization", "hmac_sha256_order_v1"),
        "sham_paired_arm_contract_hash": _seal("sham_common", arm),
        "sham_reference_arm_contract_hash": _seal("sham_reference", {**arm, "feedback": "reference_null"}),
        "sham_proposed_arm_contract_hash": _seal("sham_proposed", {**arm, "feedback": "neutral_sham"}),
    }


def _manifest(folder: str, files: Mapping[str, bytes]) -> _Document:
    """The workspace's manifest as dcp-harness takes it; copies of a build are never executable."""
    start = folder + "/"
    below = {path[len(start) :]: data for path, data in files.items() if path.startswith(start)}
    rows = [
        {"path": path, "size_bytes": len(data), "sha256": digest(data), "executable": False}
        for path, data in sorted(below.items())
        if not _IGNORED & set(path.split("/"))
    ]
    body: _Document = {"schema": "dcp_workspace_manifest_v1", "files": rows}
    return body | {"manifest_hash": hash_json(body)}


def hash_json(value: Any) -> str:
    """The digest as dcp-harness takes it: doubles as Python spells them, which RFC 8785 does not."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return digest(text.encode())


def _of(name: str) -> dict[str, str]:
    return {"$value": name}
