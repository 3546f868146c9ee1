"""`runner/expected-contracts.json`: the contracts that a run of dcp-harness will seal, before there is a run.

dcp-harness 0.1.1 seals 38 values when an audit starts. Three of them hold the run's secret nonce. All others follow
from the configuration, the workspace, the adapter and the materials, but many also from two facts that the compiler
may not have: the agent's interface, and the ids of sealed private units. So the file has three parts: `expected`,
values that hold for every run; `formulas`, documents whose digest is the contract once the `facts` are filled in
where `{"$value": NAME}` stands; and `late`, what no one can know before the run. It is made from `compiled.json` and
the committed files alone, so it has the same bytes on every machine, and it is no part of `compiled.json`: the
contracts hold that file's digest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from dcp_lang.canonical import StrictJsonError, digest, load_strict

SCHEMA = "dcp-lang/expected-contracts/1"

INTERFACE, UNITS, CLASS = "interface_hash", "private_unit_manifest_hash", "adapter_class"
_FACTS = {
    INTERFACE: "the agent's interface identity, known when the agent is",
    UNITS: "the ids of the private units, sealed until the auditor puts them in place",
    CLASS: "the adapter's class, which is not defined under its own name in the adapter file",
}
_LATE = {
    "private_isolation_pass": "whether the agent attests that private files are out of its reach",
    "audit_slot_id": "it holds the run's secret nonce",
    "audit_slot_reservation_receipt_hash": "it holds the run's secret nonce",
    "audit_slot_registry_entry_hash": "it holds the run's secret nonce",
    "contract_set_hash": "it holds the run's secret nonce",
}
#: What is computed on the way and is no contract itself.
ADAPTER, MATERIALS = "adapter_identity_hash", "audit_materials_hash"
_INNER = (ADAPTER, MATERIALS, CLASS)
_IGNORED = {".git", "__pycache__", ".pytest_cache"}

_Document = dict[str, Any]


def expected_contracts(compiled: bytes, files: Mapping[str, bytes]) -> _Document:
    """The document, from the bytes of `compiled.json` and the committed files by their path below `runner/`."""
    plan = load_strict(compiled, canonical=False, floats=True, parse_float=float)
    formulas = _formulas(plan, digest(compiled), files)
    facts = _known_facts(plan, files)
    values = {name: resolve(name, formulas, facts) for name in formulas}
    known = {name: value for name, value in (values | facts).items() if value is not None}
    needed = {name: doc for name, doc in formulas.items() if values[name] is None}
    return {
        "schema": SCHEMA,
        "peer": f"dcp-harness {plan['peers']['dcp-harness']}",
        "expected": {name: value for name, value in known.items() if name not in _INNER},
        "facts": {name: why for name, why in _FACTS.items() if name not in facts},
        "formulas": {name: _filled(doc, known) for name, doc in needed.items()},
        "late": _LATE,
    }


def contracts_given(document: _Document, facts: Mapping[str, str]) -> dict[str, Any]:
    """The contracts that an `expected-contracts.json` foretells where `facts` are known; others are left out."""
    formulas, known = document["formulas"], {**document["expected"], **facts}
    values = known | {name: resolve(name, formulas, known) for name in formulas}
    return {name: value for name, value in values.items() if value is not None and name not in _INNER}


def resolve(name: str, formulas: Mapping[str, Any], facts: Mapping[str, Any]) -> Any:
    """The value of a name: a fact, or its formula filled in and hashed; None where a fact is missing."""
    if name in facts:
        return facts[name]
    if name not in formulas:
        return None
    formula = formulas[name]
    if not isinstance(formula, dict):
        return formula
    needs = {need: resolve(need, formulas, facts) for need in _needs(formula)}
    return None if None in needs.values() else _hash_json(_filled(formula, needs))


def _needs(value: Any) -> set[str]:
    """The names that a formula refers to."""
    match value:
        case {"$value": str(name)}:
            return {name}
        case dict():
            return set().union(*map(_needs, value.values()))
        case list():
            return set().union(*map(_needs, value))
        case _:
            return set()


def _filled(value: Any, known: Mapping[str, Any]) -> Any:
    """A formula with every known name replaced by its value."""
    match value:
        case {"$value": str(name)}:
            return known.get(name, value)
        case dict():
            return {key: _filled(item, known) for key, item in value.items()}
        case list():
            return [_filled(item, known) for item in value]
        case _:
            return value


def _hash_json(value: Any) -> str:
    """The digest as dcp-harness takes it: doubles as Python spells them, which RFC 8785 does not."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return digest(text.encode())


def _of(name: str) -> dict[str, str]:
    return {"$value": name}


# ---- the harness's formulas ------------------------------------------------------------------------------------


def _formulas(plan: _Document, compiled_sha256: str, files: Mapping[str, bytes]) -> _Document:
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
        "options_hash": _hash_json(plan["config"]["task_options"]),
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


# ---- what the compiler can see ---------------------------------------------------------------------------------


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
    return body | {"manifest_hash": _hash_json(body)}


def _known_facts(plan: _Document, files: Mapping[str, bytes]) -> dict[str, str]:
    """The facts that the committed files hold."""
    facts = {}
    units = _unit_ids(files.get(plan["materials"]["private_units"].get("path", "")))
    if units is not None:
        facts[UNITS] = _hash_json({"unit_ids": units}).removeprefix("sha256:")
    name = plan["config"]["task_adapter"].rpartition(":")[2]
    if re.search(rf"^class {name}\b".encode(), files[plan["adapter"]["path"]], re.MULTILINE):
        facts[CLASS] = f"dcp_task_adapter_{plan['adapter']['sha256'][7:23]}.{name}"
    return facts


def _unit_ids(data: bytes | None) -> list[str] | None:
    """The unit ids of a committed list; None where it is sealed, or no list of texts."""
    if data is None:
        return None
    try:
        ids = load_strict(data, canonical=False)
    except StrictJsonError:
        return None
    return ids if isinstance(ids, list) and all(isinstance(unit, str) for unit in ids) else None
