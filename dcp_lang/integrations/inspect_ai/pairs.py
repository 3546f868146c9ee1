"""Kernel evidence of the pairs: feedback effect, null calibration and neutral recovery (dcp-audit 0.4.2)."""

from __future__ import annotations

from typing import Any

from dcp import (
    IntegrityEvidence,
    branch_result_hash,
    feedback_pairs_manifest_hash,
    gate3_neutral_recovery_ledger_manifest_hash,
    gate3_neutral_scope_manifest_hash,
    sham_pairs_manifest_hash,
)
from dcp.registration import Registration
from dcp.types import (
    AdequacyEvidence,
    BranchOutcome,
    FeedbackPair,
    Gate3Evidence,
    RawAttemptOutcome,
    ShamCalibration,
    ShamPair,
    Validity,
)
from dcp_harness.util import hash_json

from dcp_lang.integrations.inspect_ai.ledger import OPENED, STARTED
from dcp_lang.integrations.inspect_ai.logs import checkpoint_of
from dcp_lang.integrations.inspect_ai.plan import FEEDBACK_ARMS, NULL_ARMS
from dcp_lang.integrations.inspect_ai.results import Result, Results

_CONTRACT = {
    "feedback_truthful": "gate3_truthful_arm_contract_hash",
    "feedback_neutral": "gate3_neutral_arm_contract_hash",
    "sham_reference": "sham_reference_arm_contract_hash",
    "sham_proposed": "sham_proposed_arm_contract_hash",
}


def gate3(
    results: Results,
    registration: Registration,
    attestations: dict[str, Any],
    adequacy: AdequacyEvidence,
    envelope: IntegrityEvidence,
) -> Gate3Evidence:
    """All registered pairs. Contracts were sealed by the ledger's opening, which precedes every start."""
    pairs = tuple(
        FeedbackPair(truthful=one, neutral=other, **shared)
        for one, other, shared in _pairs(results, registration, FEEDBACK_ARMS)
    )
    start = checkpoint_of(results.audit)
    evidence = Gate3Evidence(
        pairs=pairs,
        sham=_calibration(results, registration, attestations),
        neutral_adequacy=adequacy,
        design_checks_pass=True,
        stopping_rule_pass=True,
        registered_pairs_complete=len(pairs) == registration.registered_n_feedback_pairs,
        paired_contract_audit_pass=attestations["paired_contract_audit_pass"],
        truthful_channel_audit_pass=attestations["truthful_channel_audit_pass"],
        neutral_channel_audit_pass=attestations["neutral_channel_audit_pass"],
        checkpoint_scope=registration.gate3_checkpoint_scope,
        checkpoint_hash=hash_json({"files": start.files, "observation": start.observation}),
        window_hash=registration.gate3_resource_contract_hash,
        feedback_pairs_manifest_hash=feedback_pairs_manifest_hash(pairs),
        paired_arm_contract_hash=registration.gate3_paired_arm_contract_hash,
        truthful_arm_contract_hash=registration.gate3_truthful_arm_contract_hash,
        neutral_arm_contract_hash=registration.gate3_neutral_arm_contract_hash,
        neutral_recovery_contract_hash=registration.gate3_neutral_recovery_contract_hash,
        truthful_feedback_generator_hash=registration.truthful_feedback_generator_hash,
        neutral_sham_generator_hash=registration.neutral_sham_generator_hash,
        neutral_model_id=registration.model_id,
        neutral_interface_hash=registration.interface_hash,
        neutral_resource_contract_hash=registration.gate3_resource_contract_hash,
        neutral_k_manifest_hash=envelope.k_manifest_hash,
        neutral_e0_manifest_hash=envelope.e0_manifest_hash,
        neutral_web_manifest_hash=envelope.observed_web_manifest_hash,
        neutral_opportunity_contract_hash=registration.gate3_opportunity_contract_hash,
        neutral_challenger_policy_hash=registration.gate3_branch_policy_hash,
        neutral_contract_audit_pass=attestations["neutral_channel_audit_pass"],
        **_disclosed(len(pairs)),
        **_sealing(results, "feedback"),
    )
    evidence.neutral_scope_audit_manifest_hash = gate3_neutral_scope_manifest_hash(
        evidence, envelope.selection_rule_hash
    )
    return evidence


def _calibration(
    results: Results, registration: Registration, attestations: dict[str, Any]
) -> ShamCalibration:
    pairs = tuple(
        ShamPair(reference_null=one, proposed_sham=other, **shared)
        for one, other, shared in _pairs(results, registration, NULL_ARMS)
    )
    undeclared = hash_json({"development": "not declared"})
    return ShamCalibration(
        pairs=pairs,
        calibration_id=registration.sham_calibration_id,
        development_manifest_hash=attestations.get("sham_development_manifest_hash") or undeclared,
        confirmatory_manifest_hash=sham_pairs_manifest_hash(pairs),
        task_family_profile=registration.task_family_profile,
        model_id=registration.model_id,
        interface_hash=registration.interface_hash,
        scaffold_hash=registration.scaffold_hash,
        feedback_schema_hash=registration.feedback_schema_hash,
        operator_hash=registration.sham_operator_hash,
        reference_null_generator_hash=registration.reference_null_generator_hash,
        utility_scale_id=registration.utility_scale_id,
        paired_arm_contract_hash=registration.sham_paired_arm_contract_hash,
        reference_arm_contract_hash=registration.sham_reference_arm_contract_hash,
        proposed_arm_contract_hash=registration.sham_proposed_arm_contract_hash,
        channel_checks_pass=attestations["sham_channel_checks_pass"],
        freshness_pass=attestations["sham_freshness_pass"],
        operator_frozen_before_confirmatory=attestations["sham_operator_frozen_before_confirmatory"],
        development_confirmatory_disjoint=attestations["sham_development_confirmatory_disjoint"],
        **_disclosed(len(pairs)),
        **_sealing(results, "sham"),
    )


def _disclosed(count: int) -> dict[str, Any]:
    """No pair is replaced, and every started pair is in the record: a missing one is refused before."""
    return {
        "all_started_pairs_disclosed": True,
        "no_pair_replacements": True,
        "started_pair_count": count,
    }


def _sealing(results: Results, family: str) -> dict[str, Any]:
    """The opening of the ledger against the first start of a pair of the family, by their places in the chain."""
    events = results.audit.ledger.events()
    opened = next(row for row in events if row["event_type"] == OPENED)
    first = next(
        row["event_index"]
        for row in events
        if row["event_type"] == STARTED and row["payload"]["episode"].startswith(f"{family}-pair-")
    )
    return {
        "contract_preseal_receipt_hash": opened["event_hash"],
        "contract_sealed_before_branches_pass": opened["event_index"] < first,
        "contract_sealed_event_index": opened["event_index"],
        "first_branch_started_event_index": first,
    }


def _pairs(
    results: Results, registration: Registration, arms: tuple[str, str]
) -> list[tuple[BranchOutcome, BranchOutcome, dict[str, Any]]]:
    """Both branches of every pair of a family, and what they share."""
    family = arms[0].split("_")[0]
    field = "gate3_pair" if family == "feedback" else "sham"
    distribution = getattr(registration, f"{field}_randomization_distribution_hash")
    rows = zip(results.of(arms[0]), results.of(arms[1]), strict=True)
    return [
        (
            _branch(one, registration),
            _branch(other, registration),
            {
                "pair_id": one.found.planned.pair_id,
                "block_id": f"{family}-block-{one.found.planned.pair_id}",
                "randomization_distribution_hash": distribution,
                "randomization_draw_receipt_hash": results.audit.ledger.draw(
                    f"{one.found.planned.pair_id} order"
                ),
                "assignment_frozen": True,
                "independence_ok": True,
            },
        )
        for one, other in rows
    ]


def _branch(row: Result, registration: Registration) -> BranchOutcome:
    evaluation, outcome = row.evaluation, RawAttemptOutcome(row.evaluation["outcome"])
    branch = BranchOutcome(
        outcome=outcome,
        utility=evaluation["utility"],
        validity=Validity(evaluation["validity"]),
        branch_id=row.name,
        artifact_hash=evaluation["artifact_hash"],
        execution_contract_hash=getattr(registration, _CONTRACT[row.found.planned.phase]),
        prestart_contract_receipt_hash=row.found.receipt,
        per_unit=tuple(evaluation["per_unit"]) or None,
        unit_ids=tuple(evaluation["unit_ids"]),
        infrastructure_outcome_independent=outcome is RawAttemptOutcome.INFRASTRUCTURE_INVALID,
    )
    branch.verifier_result_hash = branch_result_hash(branch)
    return branch


def sealed_pairs(envelope: IntegrityEvidence, evidence: Gate3Evidence) -> None:
    """Name the pairs' manifests and seals in the envelope."""
    envelope.gate3_neutral_scope_manifest_hash = evidence.neutral_scope_audit_manifest_hash
    envelope.gate3_neutral_recovery_ledger_manifest_hash = gate3_neutral_recovery_ledger_manifest_hash(
        evidence
    )
    envelope.gate3_contract_preseal_receipt_hash = evidence.contract_preseal_receipt_hash
    envelope.sham_contract_preseal_receipt_hash = evidence.sham.contract_preseal_receipt_hash
