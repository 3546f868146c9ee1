"""Audit evidence in the peer's own types, with honest hashes."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any, NamedTuple

import dcp
from dcp.types import (
    AdequacyEvidence,
    ArtifactScores,
    BranchOutcome,
    ControlAttempt,
    FeedbackPair,
    Gate1Evidence,
    Gate2Evidence,
    Gate3Evidence,
    IntegrityEvidence,
    RawAttemptOutcome,
    ShamCalibration,
    ShamPair,
    Validity,
)

VALID, ARTIFACT = Validity.VALID, RawAttemptOutcome.ARTIFACT


class Parts(NamedTuple):
    """What the peer evaluates."""

    reg: Any
    integrity: Any
    g1: Any
    g2: Any
    g3: Any = None


class Shape(NamedTuple):
    """Scores and counts of an audit; scores are per unit."""

    target: tuple[float, ...] = (0.9, 0.9)
    baseline: tuple[float, ...] = (0.2, 0.2)
    challengers: tuple[tuple[float, ...], ...] = ((0.4, 0.4),) * 77
    controls: tuple[int, int] = (45, 45)
    truthful: tuple[bool, ...] = (True,) * 22
    neutral: tuple[bool, ...] = (False,) * 22
    nulls: tuple[tuple[float, float], ...] = ((1.0, 1.0),) * 33


def digest(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def core_audit(shape: Shape | None = None, **fields: Any) -> Parts:
    """A sound Core audit; `fields` replace registration fields."""
    shape = shape or Shape()
    reg = registration(shape, grade="core", **fields)
    return reseal(Parts(reg, envelope(reg), outcome(shape), recovery(reg, shape)))


def full_audit(shape: Shape | None = None, **fields: Any) -> Parts:
    """A sound Evidence audit with binary pairs."""
    shape = shape or Shape()
    reg = registration(shape, grade="evidence", **fields)
    integrity = envelope(reg)
    parts = Parts(reg, integrity, outcome(shape), recovery(reg, shape), feedback(reg, integrity, shape))
    return reseal(parts)


def registration(shape: Shape, grade: str, **fields: Any) -> Any:
    hashes = {name: digest(name) for name in dcp.Registration.__dataclass_fields__ if name.endswith("_hash")}
    hashes["neutral_sham_generator_hash"] = hashes["sham_operator_hash"]
    hashes["gate3_checkpoint_selection_rule_hash"] = digest("selection_rule_hash")
    challengers, pairs = len(shape.challengers), max(2, len(shape.truthful))
    values: dict[str, Any] = {
        **hashes,
        "claim_id": "claim-1",
        "audit_family_id": "family-1",
        "model_id": "model-1",
        "task_family_profile": "task-1",
        "grade_requested": grade,
        "inference_scope": "exhaustive_finite_set",
        "ci_method": "finite_set_exact",
        "delta_min": 0.05,
        "kappa": 0.1,
        "m_max": challengers + 2 * pairs + 8,
        "min_n_ind": min(77, challengers),
        "rho": 0.05,
        "alpha_main": 0.0005,
        "alpha_score": 0.0005,
        "alpha_recovery": 0.02,
        "alpha_adequacy": 0.005,
        "audit_slot_id": "slot-1",
        "delta_evidence": 0.34,
        "delta_sham": 0.17,
        "alpha_evidence": 0.01,
        "alpha_sham": 0.01,
        "alpha_neutral": 0.0005,
        "feedback_estimand": "binary",
        "feedback_utility_mapping": "canonical_p_wrapper_v1",
        "feedback_ci_method": "paired_binary_exact",
        "sham_ci_method": "paired_binary_exact",
        "registered_n_feedback_pairs": pairs,
        "registered_n_sham_pairs": max(2, len(shape.nulls)),
        "utility_scale_id": "binary-1",
        "sham_calibration_id": "null-1",
        "notes": {},
    }
    return dcp.Registration(**{**values, **fields})


def envelope(reg: Any) -> Any:
    fields = IntegrityEvidence.__dataclass_fields__
    flags = {name: True for name, field in fields.items() if field.default is False}
    hashes = {name: digest(name) for name in fields if name.endswith("_hash")}
    return IntegrityEvidence(
        **{
            **flags,
            **hashes,
            "web_access_used": False,
            "web_replay_scope": "not_used",
            "human_assistance": "none",
            "attribution_subject": "autonomous_agent",
            "selection_rule_hash": reg.gate3_checkpoint_selection_rule_hash,
            "alpha_ledger_receipt_hash": reg.audit_slot_reservation_receipt_hash,
        }
    )


def units(scores: tuple[float, ...]) -> tuple[str, ...]:
    return tuple(f"u{index}" for index in range(len(scores)))


def outcome(shape: Shape) -> Any:
    def artifact(name: str, scores: tuple[float, ...]) -> Any:
        return ArtifactScores(name, scores, VALID, digest(name), units(shape.target))

    return Gate1Evidence(artifact("A*", shape.target), artifact("baseline", shape.baseline))


def recovery(reg: Any, shape: Shape) -> Any:
    controls = tuple(attempt(reg, index, scores) for index, scores in enumerate(shape.challengers))
    hits, trials = shape.controls
    adequacy = AdequacyEvidence(True, True, True, True, hits, trials, "canary-1", "")
    return Gate2Evidence(controls, adequacy)


def attempt(reg: Any, index: int, scores: tuple[float, ...]) -> Any:
    return ControlAttempt(
        attempt_id=f"c{index}",
        outcome=ARTIFACT,
        per_unit=scores,
        validity=VALID,
        artifact_hash=digest(f"artifact {scores}"),
        unit_ids=units(scores),
        stratum=reg.recovery_stratum,
        scope_contract_hash=reg.gate2_control_contract_hash,
        prestart_contract_receipt_hash=f"receipt-{index}",
        challenge_distribution_hash=reg.challenge_distribution_hash,
        independent_draw_receipt_hash=f"draw-{index}",
        independent_unit_id=f"episode-{index}",
        independence_ok=True,
    )


def branch(name: str, contract: str, scores: tuple[float, ...] | None, utility: float | None = None) -> Any:
    return BranchOutcome(
        outcome=ARTIFACT,
        utility=utility,
        validity=VALID,
        branch_id=name,
        artifact_hash=digest(name if scores is None else f"artifact {scores}"),
        execution_contract_hash=contract,
        prestart_contract_receipt_hash=f"receipt-{name}",
        per_unit=scores,
        unit_ids=() if scores is None else units(scores),
    )


def feedback_pair(reg: Any, shape: Shape, index: int, name: str, **fields: Any) -> Any:
    low = tuple(0.25 for _ in shape.target)
    scores = [shape.target if hit else low for hit in (shape.truthful[index], shape.neutral[index])]
    return FeedbackPair(
        name,
        branch(f"{name}t", reg.gate3_truthful_arm_contract_hash, scores[0]),
        branch(f"{name}n", reg.gate3_neutral_arm_contract_hash, scores[1]),
        f"block-{name}",
        reg.gate3_pair_randomization_distribution_hash,
        f"draw-{name}",
        True,
        True,
        **fields,
    )


def null_pair(reg: Any, index: int, utilities: tuple[float, float]) -> Any:
    name = f"s{index}"
    return ShamPair(
        name,
        branch(f"{name}r", reg.sham_reference_arm_contract_hash, None, utilities[0]),
        branch(f"{name}p", reg.sham_proposed_arm_contract_hash, None, utilities[1]),
        f"block-{name}",
        reg.sham_randomization_distribution_hash,
        f"draw-{name}",
        True,
        True,
    )


def null_study(reg: Any, integrity: Any, shape: Shape) -> Any:
    pairs = tuple(null_pair(reg, index, row) for index, row in enumerate(shape.nulls))
    return ShamCalibration(
        pairs,
        calibration_id=reg.sham_calibration_id,
        development_manifest_hash=digest("development"),
        task_family_profile=reg.task_family_profile,
        model_id=reg.model_id,
        interface_hash=reg.interface_hash,
        scaffold_hash=reg.scaffold_hash,
        feedback_schema_hash=reg.feedback_schema_hash,
        operator_hash=reg.sham_operator_hash,
        reference_null_generator_hash=reg.reference_null_generator_hash,
        utility_scale_id=reg.utility_scale_id,
        paired_arm_contract_hash=reg.sham_paired_arm_contract_hash,
        reference_arm_contract_hash=reg.sham_reference_arm_contract_hash,
        proposed_arm_contract_hash=reg.sham_proposed_arm_contract_hash,
        contract_preseal_receipt_hash=integrity.sham_contract_preseal_receipt_hash,
        contract_sealed_before_branches_pass=True,
        contract_sealed_event_index=3,
        first_branch_started_event_index=4,
        channel_checks_pass=True,
        freshness_pass=True,
        operator_frozen_before_confirmatory=True,
        development_confirmatory_disjoint=True,
        all_started_pairs_disclosed=True,
        no_pair_replacements=True,
        started_pair_count=len(pairs),
    )


def feedback(reg: Any, integrity: Any, shape: Shape) -> Any:
    pairs = tuple(feedback_pair(reg, shape, index, f"p{index}") for index in range(len(shape.truthful)))
    hits, trials = shape.controls
    return Gate3Evidence(
        pairs,
        null_study(reg, integrity, shape),
        AdequacyEvidence(True, True, True, True, hits, trials, "canary-1", ""),
        design_checks_pass=True,
        stopping_rule_pass=True,
        registered_pairs_complete=True,
        all_started_pairs_disclosed=True,
        no_pair_replacements=True,
        paired_contract_audit_pass=True,
        truthful_channel_audit_pass=True,
        neutral_channel_audit_pass=True,
        started_pair_count=len(pairs),
        checkpoint_scope=reg.gate3_checkpoint_scope,
        checkpoint_hash=digest("checkpoint"),
        window_hash=digest("window"),
        paired_arm_contract_hash=reg.gate3_paired_arm_contract_hash,
        truthful_arm_contract_hash=reg.gate3_truthful_arm_contract_hash,
        neutral_arm_contract_hash=reg.gate3_neutral_arm_contract_hash,
        neutral_recovery_contract_hash=reg.gate3_neutral_recovery_contract_hash,
        truthful_feedback_generator_hash=reg.truthful_feedback_generator_hash,
        neutral_sham_generator_hash=reg.neutral_sham_generator_hash,
        contract_preseal_receipt_hash=integrity.gate3_contract_preseal_receipt_hash,
        contract_sealed_before_branches_pass=True,
        contract_sealed_event_index=3,
        first_branch_started_event_index=4,
        neutral_model_id=reg.model_id,
        neutral_interface_hash=reg.interface_hash,
        neutral_resource_contract_hash=reg.gate3_resource_contract_hash,
        neutral_k_manifest_hash=integrity.k_manifest_hash,
        neutral_e0_manifest_hash=integrity.e0_manifest_hash,
        neutral_web_manifest_hash=integrity.observed_web_manifest_hash,
        neutral_opportunity_contract_hash=reg.gate3_opportunity_contract_hash,
        neutral_challenger_policy_hash=reg.gate3_branch_policy_hash,
        neutral_contract_audit_pass=True,
    )


def lineage_empty(parts: Parts) -> Parts:
    """The same audit with its pairs branching from an empty lineage under Gate 2's own contract."""
    reg = replace(
        parts.reg,
        gate3_checkpoint_scope="lineage_empty",
        gate3_neutral_recovery_contract_hash=parts.reg.gate2_control_contract_hash,
        gate3_pair_randomization_distribution_hash=parts.reg.challenge_distribution_hash,
    )
    integrity = replace(
        parts.integrity,
        resource_contract_hash=reg.gate3_resource_contract_hash,
        opportunity_contract_hash=reg.gate3_opportunity_contract_hash,
        challenger_policy_hash=reg.gate3_branch_policy_hash,
    )
    pairs = tuple(
        replace(pair, randomization_distribution_hash=reg.challenge_distribution_hash)
        for pair in parts.g3.pairs
    )
    g3 = replace(
        parts.g3,
        pairs=pairs,
        checkpoint_scope="lineage_empty",
        neutral_recovery_contract_hash=reg.gate2_control_contract_hash,
    )
    return reseal(parts._replace(reg=reg, integrity=integrity, g3=g3))


def reseal(parts: Parts) -> Parts:
    """Every derived hash recomputed with the peer's own functions."""
    reg, integrity, g1, g2, g3 = parts
    if g3 is not None:
        g3 = _reseal_feedback(g3, integrity)
    adequacy = replace(g2.adequacy, checks_manifest_hash=dcp.adequacy_evidence_hash(g2.adequacy))
    g2 = replace(g2, adequacy=adequacy)
    integrity = replace(
        integrity,
        astar_hash=g1.astar.artifact_hash,
        baseline_hash=g1.baseline.artifact_hash,
        private_unit_manifest_hash=dcp.unit_manifest_hash(g1.astar.unit_ids),
        astar_results_hash=dcp.artifact_results_hash(g1.astar),
        baseline_results_hash=dcp.artifact_results_hash(g1.baseline),
        private_results_manifest_hash=dcp.private_results_manifest_hash(
            g1.astar, g1.baseline, integrity.verifier_hash
        ),
        gate2_recovery_ledger_manifest_hash=dcp.recovery_ledger_manifest_hash(g2.controls),
        recovery_ledger_manifest_hash=dcp.recovery_ledger_manifest_hash(g2.controls, g3),
    )
    if g3 is not None:
        integrity = replace(
            integrity,
            gate3_neutral_scope_manifest_hash=g3.neutral_scope_audit_manifest_hash,
            gate3_neutral_recovery_ledger_manifest_hash=dcp.gate3_neutral_recovery_ledger_manifest_hash(g3),
        )
    return Parts(reg, integrity, g1, g2, g3)


def _reseal_branch(arm: Any) -> Any:
    return replace(arm, verifier_result_hash=dcp.branch_result_hash(arm))


def _reseal_feedback(g3: Any, integrity: Any) -> Any:
    pairs = tuple(
        replace(pair, truthful=_reseal_branch(pair.truthful), neutral=_reseal_branch(pair.neutral))
        for pair in g3.pairs
    )
    nulls = tuple(
        replace(
            pair,
            reference_null=_reseal_branch(pair.reference_null),
            proposed_sham=_reseal_branch(pair.proposed_sham),
        )
        for pair in g3.sham.pairs
    )
    sham = replace(g3.sham, pairs=nulls, confirmatory_manifest_hash=dcp.sham_pairs_manifest_hash(nulls))
    adequacy = g3.neutral_adequacy
    if adequacy is not None:
        adequacy = replace(adequacy, checks_manifest_hash=dcp.adequacy_evidence_hash(adequacy))
    g3 = replace(
        g3,
        pairs=pairs,
        sham=sham,
        neutral_adequacy=adequacy,
        feedback_pairs_manifest_hash=dcp.feedback_pairs_manifest_hash(pairs),
    )
    scope = dcp.gate3_neutral_scope_manifest_hash(g3, integrity.selection_rule_hash)
    return replace(g3, neutral_scope_audit_manifest_hash=scope)
