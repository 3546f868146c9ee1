"""Kernel evidence from an audit's episodes: outcome, recovery and integrity (dcp-audit 0.4.2)."""

from __future__ import annotations

from typing import Any

from dcp import (
    IntegrityEvidence,
    adequacy_evidence_hash,
    artifact_results_hash,
    private_results_manifest_hash,
    unit_manifest_hash,
)
from dcp.registration import Registration
from dcp.types import (
    AdequacyEvidence,
    ArtifactScores,
    ControlAttempt,
    Gate1Evidence,
    Gate2Evidence,
    RawAttemptOutcome,
    Validity,
)
from dcp_harness.util import hash_json

from dcp_lang.integrations.inspect_ai.results import Result, Results

#: The task-neutral channel check that the positive controls are, as the harness names it.
CALIBRATION = "dcp-task-neutral-channel-v1"


def gate1(results: Results) -> Gate1Evidence:
    """Target and baseline, scored by one verifier."""
    main = results.main.evaluation
    return Gate1Evidence(_artifact("A*", main), _artifact("baseline", main["baseline"]))


def _artifact(name: str, evaluation: dict[str, Any]) -> ArtifactScores:
    return ArtifactScores(
        name=name,
        per_unit=tuple(evaluation["per_unit"]),
        validity=Validity(evaluation["validity"]),
        artifact_hash=evaluation["artifact_hash"],
        unit_ids=tuple(evaluation["unit_ids"]),
    )


def gate2(results: Results, registration: Registration, attestations: dict[str, Any]) -> Gate2Evidence:
    """Every registered challenger, whatever became of it, and what the positive controls show."""
    controls = tuple(_control(row, registration) for row in results.of("challenge"))
    return Gate2Evidence(controls=controls, adequacy=_adequacy(results, attestations))


def _control(row: Result, registration: Registration) -> ControlAttempt:
    evaluation, outcome = row.evaluation, RawAttemptOutcome(row.evaluation["outcome"])
    return ControlAttempt(
        attempt_id=row.name,
        outcome=outcome,
        per_unit=tuple(evaluation["per_unit"]) if outcome is RawAttemptOutcome.ARTIFACT else None,
        validity=Validity(evaluation["validity"]),
        artifact_hash=evaluation["artifact_hash"],
        unit_ids=tuple(evaluation["unit_ids"]),
        stratum=registration.recovery_stratum,
        scope_contract_hash=registration.gate2_control_contract_hash,
        prestart_contract_receipt_hash=row.found.receipt,
        challenge_distribution_hash=registration.challenge_distribution_hash,
        independent_draw_receipt_hash=row.found.draw,
        independent_unit_id=row.name,
        independence_ok=True,
        infrastructure_outcome_independent=outcome is RawAttemptOutcome.INFRASTRUCTURE_INVALID,
    )


def _adequacy(results: Results, attestations: dict[str, Any]) -> AdequacyEvidence:
    controls = results.of("positive_control")
    sound = not results.provenance_faults()
    adequacy = AdequacyEvidence(
        matched_model_present=sound and any(row.found.models for row in results.of("challenge")),
        materials_readable=attestations["materials_readable"],
        opportunity_floor_met=attestations["opportunity_floor_met"],
        health_audit_pass=sound,
        positive_control_successes=sum(row.evaluation["outcome"] == "artifact" for row in controls),
        positive_control_trials=len(controls),
        calibration_id=CALIBRATION,
    )
    adequacy.checks_manifest_hash = adequacy_evidence_hash(adequacy)
    return adequacy


def integrity(
    results: Results, registration: Registration, attestations: dict[str, Any], outcome: Gate1Evidence
) -> IntegrityEvidence:
    """The envelope of a Core decision. Digests name the registered declarations; flags hold only if checked."""
    audit, contracts = results.audit, results.audit.plan.document["contracts"]
    verifier = audit.adapter.compiled.material_digest("private_verifier")
    violations = [
        r for r in results.of("challenge") if r.evaluation["outcome"] == "execution_contract_violation"
    ]
    return IntegrityEvidence(
        registration_frozen=bool(audit.seal),
        claim_frozen=bool(audit.seal),
        provenance_pass=not results.provenance_faults(),
        challenger_contract_pass=not violations,
        # The tools reach the files of one workspace, run nothing and connect to nothing.
        private_isolation_pass=True,
        familywise_budget_audit_pass=registration.family_max_audits == 1,
        **{name: attestations[name] for name in _DECLARED},
        astar_hash=outcome.astar.artifact_hash,
        baseline_hash=outcome.baseline.artifact_hash,
        verifier_hash=verifier,
        astar_results_hash=artifact_results_hash(outcome.astar),
        baseline_results_hash=artifact_results_hash(outcome.baseline),
        private_unit_manifest_hash=unit_manifest_hash(tuple(outcome.astar.unit_ids)),
        private_results_manifest_hash=private_results_manifest_hash(
            outcome.astar, outcome.baseline, verifier
        ),
        p_hash=contracts["p"],
        resource_contract_hash=contracts["resources"],
        # For pairs the kernel wants the rule that selects their checkpoint here.
        selection_rule_hash=registration.gate3_checkpoint_selection_rule_hash or contracts["selection"],
        k_manifest_hash=contracts["known"],
        e0_manifest_hash=contracts["given"],
        lineage_manifest_hash=hash_json(results.main.found.record),
        challenger_policy_hash=contracts["challenger_policy"],
        opportunity_contract_hash=contracts["opportunity"],
        recovery_ledger_complete=True,
        claim_family_manifest_hash=contracts["family"],
        alpha_ledger_receipt_hash=registration.audit_slot_reservation_receipt_hash,
        audit_slot_registry_entry_hash=contracts["slot"],
        human_assistance=attestations.get("human_assistance", "none"),
        attribution_subject=attestations["attribution_subject"],
        **_web(results),
    )


def _web(results: Results) -> dict[str, Any]:
    """What the main run saw of the Web, by the digest of its frozen snapshot."""
    audit = results.audit
    if not audit.web.enabled:
        manifest = {"snapshot_id": audit.plan.document["contracts"]["web"], "request_count": 0}
    else:
        manifest = audit.freeze_web()
    used = manifest["request_count"] > 0
    return {
        "observed_web_manifest_hash": manifest["snapshot_id"],
        "web_access_used": used,
        "web_replay_scope": "observed_request_response_frozen" if used else "not_used",
    }


_DECLARED = (
    "iterative_lineage_eligible",
    "lineage_dataflow_audit_pass",
    "symmetric_verifier_pass",
    "inference_assumptions_pass",
    "feedback_inference_assumptions_pass",
    "sham_inference_assumptions_pass",
)
