"""Stands in for `dcpc compile` until it emits the harness files itself: writes `runner/` for one case.

Digests are computed from the case's files; nothing here is typed by hand but the numbers of the registration.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dcp.registration import Registration
from dcp_harness.config import CONFIG_SCHEMA, load_config

from dcp_lang.integrations.compiled import SCHEMA, canonical_bytes, path_digest, sha256

_ALWAYS_BOUND = {
    "interface_hash": "interface_hash",
    "gate2_control_contract_hash": "gate2_control_contract_hash",
    "challenge_distribution_hash": "challenge_distribution_hash",
    "audit_slot_id": "audit_slot_id",
    "audit_slot_reservation_receipt_hash": "audit_slot_reservation_receipt_hash",
}
_BOUND_FOR_EVIDENCE = {
    name: name
    for name in (
        "scaffold_hash",
        "feedback_schema_hash",
        "sham_operator_hash",
        "neutral_sham_generator_hash",
        "truthful_feedback_generator_hash",
        "reference_null_generator_hash",
        "gate3_paired_arm_contract_hash",
        "gate3_truthful_arm_contract_hash",
        "gate3_neutral_arm_contract_hash",
        "gate3_neutral_recovery_contract_hash",
        "gate3_resource_contract_hash",
        "gate3_opportunity_contract_hash",
        "gate3_branch_policy_hash",
        "gate3_pair_randomization_distribution_hash",
        "sham_randomization_distribution_hash",
        "sham_paired_arm_contract_hash",
        "sham_reference_arm_contract_hash",
        "sham_proposed_arm_contract_hash",
    )
} | {"gate3_checkpoint_selection_rule_hash": "selection_rule_hash"}

ATTESTED = dict.fromkeys(
    (
        "iterative_lineage_eligible",
        "lineage_dataflow_audit_pass",
        "symmetric_verifier_pass",
        "inference_assumptions_pass",
        "feedback_inference_assumptions_pass",
        "sham_inference_assumptions_pass",
        "materials_readable",
        "opportunity_floor_met",
        "paired_contract_audit_pass",
        "truthful_channel_audit_pass",
        "neutral_channel_audit_pass",
        "sham_channel_checks_pass",
        "sham_freshness_pass",
        "sham_operator_frozen_before_confirmatory",
        "sham_development_confirmatory_disjoint",
    ),
    True,
)

RUN_AUDIT = '''"""Runs the audit that was compiled beside this file."""

from pathlib import Path

from dcp_lang.integrations.dcp_harness import main

if __name__ == "__main__":
    raise SystemExit(main(config=Path(__file__).with_name("dcp-harness.json")))
'''


def compile_case(
    case: Path,
    out: Path,
    *,
    kernel: dict[str, Any],
    audit: dict[str, Any],
    model: str,
    max_turns: int,
    adapter: str = "task.py:Task",
    web: dict[str, Any] | None = None,
    materials: dict[str, str],
    policies: dict[str, Any],
    checkpoint: dict[str, Any],
) -> Path:
    """Write `out/runner/` for the case folder `case` and return the path of its `dcp-harness.json`.

    `kernel` holds the kernel fields that differ from their default, `materials` maps a role to a path in the
    case folder or to `policy:NAME`.
    """
    runner = out / "runner"
    runner.mkdir(parents=True, exist_ok=True)
    config_path = runner / "dcp-harness.json"
    config = {
        "schema": CONFIG_SCHEMA,
        "claim_id": kernel["claim_id"],
        "source_workspace": os.path.relpath(case / "workspace", runner),
        "task_adapter": os.path.relpath(case, runner) + "/" + adapter,
        "task_options": {"compiled": os.path.relpath(runner / "compiled.json", case)},
        "agent": {
            "model": model,
            "accepted_model_ids": [model],
            "container_image": "none: scripted agent",
            "max_turns": max_turns,
        },
        "web": web or {"enabled": False},
        "audit": audit,
    }
    _write(config_path, config)
    public = load_config(config_path).public_dict()
    _write(config_path, public)
    bind = _ALWAYS_BOUND | (_BOUND_FOR_EVIDENCE if audit["grade"] == "evidence" else {})
    notes = {name: public["audit"][name] for name in ("challenger_episodes", "positive_control_episodes")}
    fixed = _defaults() | {"model_id": model, "grade_requested": audit["grade"], "notes": notes} | kernel
    document = {
        "schema": SCHEMA,
        "peers": {"dcp-audit": "0.4.2", "dcp-harness": "0.1.1"},
        "registration_sha256": sha256(canonical_bytes(kernel)),
        "source_sha256": sha256(canonical_bytes(kernel)),
        "fixed": {name: value for name, value in fixed.items() if name not in bind},
        "bind": bind,
        "config": public,
        "adapter": {"path": adapter.split(":")[0], "sha256": path_digest(case / adapter.split(":")[0])},
        "materials": {role: _material(case, place, policies) for role, place in materials.items()},
        "checkpoint": checkpoint,
        "policies": policies,
        "attestations": {
            **ATTESTED,
            "sham_development_manifest_hash": sha256(canonical_bytes(["development", kernel["claim_id"]])),
        },
    }
    _write(runner / "compiled.json", document)
    (runner / "run_audit.py").write_text(RUN_AUDIT, encoding="utf-8")
    return config_path


def _defaults() -> dict[str, Any]:
    """The kernel's defaults, written out: a compiled registration leaves none silent."""
    return asdict(Registration(claim_id=""))


def _material(case: Path, place: str, policies: dict[str, Any]) -> dict[str, str | None]:
    if place.startswith("sealed:"):
        return {"sha256": path_digest(case / place.removeprefix("sealed:"))}
    if place == "enclosed":
        return {"sha256": None}
    if place.startswith("policy:"):
        name = place.removeprefix("policy:")
        return {"policy": name, "sha256": sha256(canonical_bytes(policies[name]))}
    return {"path": place, "sha256": path_digest(case / place)}


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n", encoding="utf-8")
