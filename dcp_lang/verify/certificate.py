"""The certificate that the kernel would write for this evidence, to hold the saved one against.

A certificate is redundant: everything in it follows from the other payloads. So it is rebuilt in the peer's
layout (dcp-audit 0.4.2) from the kernel's view of the gates, and `replay` compares the two value by value.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from dcp_lang.verify.certificate_fields import (
    ATTEMPT_FIELDS,
    ECHOED,
    ECHOED_BY_WITNESS,
    NULL_CONTRACT,
    NULL_ECHOED,
    PAIR_FIELDS,
    REPLACEMENT_FIELDS,
    SCOPE_FIELDS,
)
from dcp_lang.verify.digests import attempt_result
from dcp_lang.verify.gates.classify import Classified
from dcp_lang.verify.gates.feedback import Gate3
from dcp_lang.verify.gates.outcome import Gate1
from dcp_lang.verify.gates.pairs import ANALYSED, PairResult
from dcp_lang.verify.gates.recovery import RECOVERED, Search
from dcp_lang.verify.integrity.witness import NEUTRAL_SCOPE
from dcp_lang.verify.intervals import Interval
from dcp_lang.verify.judge import Judgement
from dcp_lang.verify.ladder import CERTIFIED, REFUTED
from dcp_lang.verify.records import NO_REPLACEMENT, Evidence, Feedback, NullStudy, Registration
from dcp_lang.verify.registration import active_alphas

#: `attempt_result` by the identity of the attempt, where it is known already.
Digests = Mapping[int, str]

#: What the certificate says of a Gate 3 that was not scored.
_BLANK = Feedback((), NullStudy((), started_pair_count=0), started_pair_count=0)


def certificate(evidence: Evidence, judged: Judgement, attempt_digests: Sequence[str]) -> dict[str, Any]:
    """The kernel's decision record for `judged`, which must be the kernel's view of `evidence`.

    `attempt_digests` are those of the challengers' attempts, in order (`integrity.Findings`).
    """
    known = dict(zip(map(id, evidence.recovery.controls), attempt_digests, strict=False))
    reg, gates = evidence.registration, judged.gates
    record = {
        "protocol": _protocol(reg, judged),
        "claim": _fields(reg, ("claim_id", "necessity_claim_requested")),
        "scope": _scope(reg),
        "registration": {
            "complete": not gates.registration_faults,
            "errors": gates.registration_faults,
            "frozen": _frozen(reg),
        },
        "integrity": _integrity(evidence, judged),
        "fields": _summary(evidence, judged),
        "validity": _validity(reg, gates.outcome),
        "no_feedback_recovery": _recovery(reg, gates.recovery, known),
        "verdict": _verdict(reg, judged),
    }
    if gates.feedback is not None and evidence.feedback is not None:
        record["feedback_test"] = _feedback(reg, gates.feedback, evidence.feedback)
    return record


def _fields(record: Any, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def _ends(interval: Interval | None) -> list[float | None]:
    return [None, None] if interval is None else [interval.lower, interval.upper]


def _mean(interval: Interval | None) -> float | None:
    return None if interval is None else interval.mean


def _protocol(reg: Registration, judged: Judgement) -> dict[str, Any]:
    gates = judged.gates
    core = not gates.registration_faults and not gates.core_faults
    veto = gates.feedback is not None and gates.feedback.neutral.status == RECOVERED
    complete = not gates.feedback_faults and (not reg.wants_evidence or gates.feedback is not None)
    incomplete = "complete_core_with_inconclusive_evidence" if core else "inconclusive_audit"
    return {
        "name": "DCP-v2",
        "implementation": "dcp-evaluation-core/0.4.2",
        "grade_requested": reg.grade_requested,
        "record_type": "complete_kernel_decision_record" if core and (veto or complete) else incomplete,
        "formal_certificate_issued": False,
        "registry_status": "pending_external_append_only_registry",
        "issuance_note": (
            "The audit slot and alpha were consumed before the confirmatory run. "
            "A protocol registry must verify that receipt and countersign this record."
        ),
    }


def _scope(reg: Registration) -> dict[str, Any]:
    scope = {
        **_fields(reg, SCOPE_FIELDS),
        "model": reg.model_id,
        "score_range": [0.0, 1.0],
        "epsilon": _epsilon(reg),
        "gate2_profile": "single_matched_stratum_v1",
        "alpha_allocation": _fields(reg, active_alphas(reg)),
    }
    if reg.gate3_pair_replacement_policy != NO_REPLACEMENT:
        scope |= _fields(reg, REPLACEMENT_FIELDS)
    return scope


def _epsilon(reg: Registration) -> float | None:
    try:
        return float(reg.kappa) * float(reg.delta_min)
    except (TypeError, ValueError, OverflowError):
        return None


def _frozen(reg: Registration) -> dict[str, Any]:
    """The registration; records without replacements predate their three fields and leave them out."""
    frozen = reg._asdict()
    limits = (reg.max_feedback_pair_replacements, reg.max_sham_pair_replacements)
    if reg.gate3_pair_replacement_policy == NO_REPLACEMENT and limits == (0, 0):
        for name in REPLACEMENT_FIELDS:
            del frozen[name]
    return frozen


def _integrity(evidence: Evidence, judged: Judgement) -> dict[str, Any]:
    gates = judged.gates
    return {
        "complete": not gates.core_faults,
        "errors": gates.core_faults,
        "gate3_complete": not gates.feedback_faults,
        "gate3_errors": gates.feedback_faults,
        "neutral_candidate_integrity_complete": not judged.neutral_faults,
        "neutral_candidate_errors": judged.neutral_faults,
        "neutral_ledger_integrity_complete": not judged.neutral_ledger_faults,
        "neutral_ledger_errors": judged.neutral_ledger_faults,
        "neutral_positive_witness_preserved": gates.feedback is not None
        and gates.feedback.neutral.status == RECOVERED,
        "evidence": evidence.integrity._asdict(),
    }


def _summary(evidence: Evidence, judged: Judgement) -> dict[str, Any]:
    gates = judged.gates
    gate3 = gates.feedback
    return {
        "result_validity": gates.outcome.result_validity,
        "no_feedback_recovery": gates.recovery.status,
        "feedback_effect": gate3.effect.status if gate3 else "not_tested",
        "sham_adequacy": gate3.calibration.status if gate3 else "not_tested",
        "neutral_recovery": gate3.neutral.status if gate3 else "not_tested",
        "initial_evidence_effect": "not_tested",
        "external_recovery": "not_assessed",
        "human_assistance": evidence.integrity.human_assistance,
        "attribution_subject": evidence.integrity.attribution_subject,
        "historical_novelty": "not_assessed",
    }


def _validity(reg: Registration, gate: Gate1) -> dict[str, Any]:
    return {
        "status": gate.result_validity,
        "astar_validity": gate.astar_validity,
        "baseline_validity": gate.baseline_validity,
        "x": gate.x,
        "effect_mean": _mean(gate.gain),
        "effect_ci": _ends(gate.gain),
        "delta_min": reg.delta_min,
        "epsilon": _epsilon(reg),
        "alpha_main": reg.alpha_main,
        "baseline_fails_p": gate.baseline_fails,
        "reason": gate.reason,
    }


def _recovery(reg: Registration, search: Search, digests: Digests) -> dict[str, Any]:
    best = search.best
    return {
        "status": search.status,
        **_search(reg, search, digests),
        "a_i": reg.alpha_score / reg.m_max if not search.inadmissible else None,
        "n_started": len(search.results),
        "n_evaluable": search.evaluable,
        "hit_admissibility_pass": not search.inadmissible,
        "hit_admissibility_reasons": list(search.inadmissible),
        "best_control_margin": _mean(best.gap) if best else None,
        "rho": reg.rho,
        "alpha_score": reg.alpha_score,
        "alpha_recovery": reg.alpha_recovery,
        "attempt_breakdown": dict(Counter(result.status for result in search.results)),
    }


def _search(reg: Registration, search: Search, digests: Digests) -> dict[str, Any]:
    """What the certificate says alike about the challengers' ledger and the neutral one."""
    adequacy = search.adequacy
    return {
        "adequacy_pass": adequacy.passes,
        "adequacy_reasons": adequacy.reasons,
        "positive_control": {
            "successes": adequacy.checks.positive_control_successes,
            "trials": adequacy.checks.positive_control_trials,
            "lcb": adequacy.recall.value if adequacy.recall else None,
            "alpha": reg.alpha_adequacy,
            "calibration_id": adequacy.checks.calibration_id,
            "manifest_hash": adequacy.checks.checks_manifest_hash,
        },
        "n_ind": search.n,
        "hits": search.hits,
        "admissible_hits": search.admissible_hits,
        "unresolved": search.unresolved,
        "p_upper": search.bound.value if search.bound else None,
        "attempts": [_attempt(result, digests) for result in search.results],
        "reason": search.reason,
    }


def _attempt(result: Classified, digests: Digests) -> dict[str, Any]:
    return {
        **_fields(result.attempt, ATTEMPT_FIELDS),
        "verifier_result_hash": digests.get(id(result.attempt)) or attempt_result(result.attempt),
        "status": result.status,
        "d_mean": _mean(result.gap),
        "adjusted_ci": _ends(result.gap),
        "counts_in_denominator": result.evaluable,
        "counts_in_n_ind": result.independent,
        "reason": result.reason,
    }


def _verdict(reg: Registration, judged: Judgement) -> dict[str, Any]:
    return {
        "core": judged.core.verdict,
        "evidence": judged.evidence.verdict,
        "core_inconclusive_class": judged.core.missing,
        "evidence_inconclusive_class": judged.evidence.missing,
        "statement": _statement(reg, judged),
        "reason": judged.reason,
    }


def _statement(reg: Registration, judged: Judgement) -> str:
    if judged.core.verdict == REFUTED:
        return "Within the frozen scope, the outcome-attribution claim is refuted."
    if judged.core.verdict != CERTIFIED:
        return "Within the frozen scope, the claim is inconclusive under the registered budget."
    text = (
        "Within the certificate's frozen scope, the result passed sealed validation and "
        "registered privileged no-feedback challengers did not recover it within the stated "
        f"probability/budget bound (rho={reg.rho})."
    )
    if judged.evidence.verdict == CERTIFIED:
        text += " Truthful feedback content showed a certified causal effect over a calibrated neutral sham."
        if reg.necessity_claim_requested:
            text += " Neutral branches also failed to recover the outcome within the registered bound."
    return text


def _feedback(reg: Registration, gate: Gate3, study: Feedback) -> dict[str, Any]:
    scored = study if gate.recorded == "all" else _BLANK
    witnessed = study if gate.recorded != "nothing" else _BLANK
    record = {
        **_fields(scored, ECHOED),
        **_fields(witnessed, ECHOED_BY_WITNESS),
        "neutral_scope_contract": _scope_contract(study) if gate.recorded != "nothing" else {},
        "neutral_in_gate2_scope": gate.in_scope,
        "estimand": reg.feedback_estimand,
        "utility_mapping": reg.feedback_utility_mapping,
        **_fields(reg, ("utility_scale_id", "sham_calibration_id")),
        **_calibration(reg, gate, scored),
        **_effect(reg, gate, len(study.pairs) if gate.recorded == "all" else 0),
        "neutral_recovery": {
            "status": gate.neutral.status,
            **_search(reg, gate.neutral, {}),
            **_fields(reg, ("rho_placebo", "alpha_neutral")),
        },
        "lineage_empty_hit_refutes_core": gate.refutes_core,
        "reason": gate.reason,
    }
    if type(study.neutral_contract_audit_pass) is bool:
        record["neutral_contract_audit_pass"] = study.neutral_contract_audit_pass
    return record


def _scope_contract(study: Feedback) -> dict[str, Any]:
    return {name.removeprefix("neutral_"): getattr(study, name) for name in NEUTRAL_SCOPE}


def _calibration(reg: Registration, gate: Gate3, scored: Feedback) -> dict[str, Any]:
    calibration, sham = gate.calibration, scored.sham
    return {
        "sham_contract": {
            **_fields(sham, NULL_CONTRACT),
            "proposed_sham_generator_hash": reg.sham_operator_hash,
        },
        "sham_adequacy": calibration.status,
        "sham_delta_null_mean": _mean(calibration.interval),
        "sham_delta_null_ci": _ends(calibration.interval),
        "sham_n": calibration.n,
        **{key: getattr(sham, name) for key, name in NULL_ECHOED.items()},
        **_fields(reg, ("delta_sham", "alpha_sham")),
        "sham_pair_records": [_pair(result, ("reference", "proposed")) for result in calibration.results],
    }


def _effect(reg: Registration, gate: Gate3, started: int) -> dict[str, Any]:
    effect, health = gate.effect, gate.effect.health
    return {
        "feedback_effect": effect.status,
        "effect_mean": _mean(effect.interval),
        "effect_ci": _ends(effect.interval),
        "n_pairs_started": started,
        "n_pairs_analyzed": effect.n,
        "pair_ids_analyzed": [item.pair.pair_id for item in effect.results if item.status == ANALYSED],
        "pair_records": [_feedback_pair(result) for result in effect.results],
        "pairs_unresolved": effect.unresolved,
        "pairs_infrastructure_excluded": effect.excluded,
        "branch_health": {
            "pass": health.passes,
            "reasons": health.reasons,
            "truthful_valid_rate": health.truthful_valid,
            "neutral_valid_rate": health.neutral_valid,
            "truthful_model_failure_rate": health.truthful_failed,
            "neutral_model_failure_rate": health.neutral_failed,
            "pair_infrastructure_failure_rate": health.lost,
        },
        **_fields(reg, ("delta_evidence", "alpha_evidence")),
    }


def _pair(result: PairResult, names: tuple[str, str], analysed: str = "") -> dict[str, Any]:
    record = {**_fields(result.pair, PAIR_FIELDS), "status": result.status, "reason": result.reason}
    for name, arm in zip(names, result.pair.arms, strict=True):
        record[f"{name}_branch_id"] = arm.branch_id
        record[f"{name}_result_hash"] = arm.verifier_result_hash
    if result.utilities is not None:
        record["difference"] = result.difference
        for name, utility in zip(names, result.utilities, strict=True):
            record[f"{name}_{analysed}utility"] = utility
    return record


def _feedback_pair(result: PairResult) -> dict[str, Any]:
    names = ("truthful", "neutral")
    record = _pair(result, names, "analysis_")
    for index, (name, arm) in enumerate(zip(names, result.pair.arms, strict=True)):
        record[f"{name}_artifact_hash"] = arm.artifact_hash
        record[f"{name}_raw_utility"] = arm.utility
        if result.classified is not None:
            record[f"{name}_p_classification"] = _classification(result.classified[index])
    return record


def _classification(result: Classified) -> dict[str, Any]:
    lower, upper = _ends(result.gap)
    return {
        "status": result.status,
        "d_mean": _mean(result.gap),
        "d_lcb": lower,
        "d_ucb": upper,
        "reason": result.reason,
    }
