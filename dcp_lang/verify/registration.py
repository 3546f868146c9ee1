"""What the kernel demands of a registration: floors, caps, consistency, and that nothing is left unnamed.

The texts and their order are part of the peer's certificate format: a certificate records them, and replaying
it means finding the same ones. Where exact numbers and the kernel's doubles can part (sums of alphas,
products), the arithmetic decides; see `arithmetic`.
"""

import json
from collections.abc import Iterator

from dcp_lang.verify.arithmetic import Arithmetic
from dcp_lang.verify.checks import explicit, finite, integer, proportion, well_formed
from dcp_lang.verify.records import NO_REPLACEMENT, TRANSPORT_REPLACEMENT, Registration

#: Protocol floors and caps (paper, "Reference thresholds"; dcp-audit 0.4.2). Also printed in the findings.
RHO_CAP = ALPHA_CAP = 0.05
RECALL_FLOOR = 0.8
VALID_RATE_FLOOR = 0.5
FAILURE_RATE_CAP = 0.2

_EVIDENCE_TEXTS = (
    "scaffold_hash",
    "feedback_schema_hash",
    "sham_operator_hash",
    "utility_scale_id",
    "sham_calibration_id",
    "gate3_paired_arm_contract_hash",
    "gate3_truthful_arm_contract_hash",
    "gate3_neutral_arm_contract_hash",
    "gate3_neutral_recovery_contract_hash",
    "gate3_checkpoint_selection_rule_hash",
    "gate3_resource_contract_hash",
    "gate3_opportunity_contract_hash",
    "gate3_branch_policy_hash",
    "truthful_feedback_generator_hash",
    "neutral_sham_generator_hash",
    "gate3_pair_randomization_distribution_hash",
    "sham_randomization_distribution_hash",
    "sham_paired_arm_contract_hash",
    "sham_reference_arm_contract_hash",
    "sham_proposed_arm_contract_hash",
    "reference_null_generator_hash",
)
_SAMPLED = ("sampled_population", "bounded_empirical_bernstein")
_EXHAUSTIVE = ("exhaustive_finite_set", "finite_set_exact")
_PAIRED_BINARY = ("sampled_population", "paired_binary_exact")


def faults(reg: Registration, arith: Arithmetic) -> Iterator[str]:
    """Every reason why `reg` cannot carry a decision, in the order of the peer's record."""
    yield from _identity(reg)
    yield from _outcome(reg, arith)
    yield from _recovery(reg)
    yield from _rates(reg)
    yield from _error_budget(reg, arith)
    yield from _identifiers(reg, "audit_slot_id", "audit_slot_reservation_receipt_hash")
    if reg.wants_evidence:
        yield from _feedback(reg, arith)
    elif reg.necessity_claim_requested:
        yield "necessity_claim_requested requires grade_requested='evidence'"
    yield from _notes(reg)


def _texts(reg: Registration, *names: str) -> Iterator[str]:
    for name in names:
        if not explicit(getattr(reg, name)):
            yield f"{name} must be an explicit non-placeholder string"


def _identifiers(reg: Registration, *names: str) -> Iterator[str]:
    for name in names:
        value = getattr(reg, name)
        yield from _texts(reg, name)
        if isinstance(value, str) and value.strip() and not well_formed(value):
            yield f"{name} must be a canonical whitespace-free identifier"


def _identity(reg: Registration) -> Iterator[str]:
    yield from _identifiers(reg, "claim_id", "audit_family_id")
    yield from _texts(reg, "model_id", "interface_hash", "task_family_profile")
    if reg.grade_requested not in ("core", "evidence"):
        yield f"grade_requested must be core|evidence, got {reg.grade_requested!r}"
    if (reg.inference_scope, reg.ci_method) not in {_SAMPLED, _EXHAUSTIVE}:
        yield (
            "inference_scope/ci_method must be sampled_population/bounded_empirical_bernstein "
            "or exhaustive_finite_set/finite_set_exact"
        )
    if reg.score_range_id != "normalized_unit_interval_v1":
        yield "score_range_id must be normalized_unit_interval_v1"


def _outcome(reg: Registration, arith: Arithmetic) -> Iterator[str]:
    if not finite(reg.delta_min) or not reg.delta_min > 0:
        yield "delta_min must be finite and > 0"
    if not finite(reg.kappa) or not 0 <= reg.kappa < 1:
        yield "kappa must satisfy 0 <= kappa < 1"
    if finite(reg.delta_min) and finite(reg.kappa) and not 0 <= arith.epsilon < arith.number("delta_min"):
        yield "epsilon must satisfy 0 <= epsilon < delta_min"


def _recovery(reg: Registration) -> Iterator[str]:
    if not finite(reg.rho) or not 0 < reg.rho <= RHO_CAP:
        yield f"rho must satisfy 0 < rho <= {RHO_CAP}"
    if not integer(reg.m_max, 1):
        yield "m_max must be an integer >= 1"
    yield from _identifiers(reg, "recovery_stratum")
    yield from _texts(reg, "gate2_control_contract_hash", "challenge_distribution_hash")
    if not integer(reg.min_n_ind, 1):
        yield "min_n_ind must be an integer >= 1"
    if type(reg.necessity_claim_requested) is not bool:
        yield "necessity_claim_requested must be a boolean"


def _rates(reg: Registration) -> Iterator[str]:
    floors = {"positive_control_recall_min": RECALL_FLOOR, "min_valid_candidate_rate": VALID_RATE_FLOOR}
    caps = ("max_infrastructure_failure_rate", "max_model_failure_rate")
    violations = reg.max_execution_contract_violation_rate
    yield from _proportions(reg, *floors, *caps, "max_execution_contract_violation_rate")
    for name, floor in floors.items():
        yield from _floor(reg, name, floor)
    for name in caps:
        yield from _cap(reg, name)
    if finite(violations) and violations != 0:
        yield "max_execution_contract_violation_rate must be 0 in this kernel"


def _proportions(reg: Registration, *names: str) -> Iterator[str]:
    for name in names:
        if not proportion(getattr(reg, name)):
            yield f"{name} must be finite and in [0,1]"


def _floor(reg: Registration, name: str, floor: float) -> Iterator[str]:
    if finite(getattr(reg, name)) and getattr(reg, name) < floor:
        yield f"{name} cannot be below protocol floor {floor}"


def _cap(reg: Registration, name: str) -> Iterator[str]:
    if finite(getattr(reg, name)) and getattr(reg, name) > FAILURE_RATE_CAP:
        yield f"{name} cannot exceed protocol cap {FAILURE_RATE_CAP}"


def active_alphas(reg: Registration) -> tuple[str, ...]:
    """The alphas that the requested grade spends."""
    core = ("alpha_main", "alpha_score", "alpha_recovery", "alpha_adequacy")
    return (*core, "alpha_evidence", "alpha_sham", "alpha_neutral") if reg.wants_evidence else core


def _error_budget(reg: Registration, arith: Arithmetic) -> Iterator[str]:
    alphas = {name: getattr(reg, name) for name in active_alphas(reg)}
    if not finite(reg.alpha_total) or not 0 < reg.alpha_total <= ALPHA_CAP:
        yield f"alpha_total must satisfy 0 < alpha_total <= {ALPHA_CAP}"
    for name, alpha in alphas.items():
        if not finite(alpha) or not 0 < alpha < 1:
            yield f"{name} must be finite and in (0,1), got {alpha}"
    if all(map(finite, alphas.values())) and finite(reg.alpha_total) and arith.overspent(tuple(alphas)):
        spent = sum(alphas.values())
        yield f"sum(active alphas)={spent:.4f} exceeds alpha_total={reg.alpha_total:.4f}"
    if not finite(reg.family_alpha_total) or not 0 < reg.family_alpha_total <= ALPHA_CAP:
        yield f"family_alpha_total must satisfy 0 < family_alpha_total <= {ALPHA_CAP}"
    if not integer(reg.family_max_audits, 1):
        yield "family_max_audits must be an integer >= 1"
    elif finite(reg.alpha_total) and finite(reg.family_alpha_total) and arith.family_overspent():
        yield "alpha_total * family_max_audits exceeds family_alpha_total"


def _feedback(reg: Registration, arith: Arithmetic) -> Iterator[str]:
    evidence, sham = reg.delta_evidence, reg.delta_sham
    if not finite(evidence) or not evidence > 0:
        yield "delta_evidence must be finite and > 0 for evidence grade"
    if not finite(sham) or not finite(evidence) or not sham > 0 or not arith.band_fits():
        yield "delta_sham must satisfy 0 < delta_sham <= delta_evidence/2"
    if not finite(reg.rho_placebo) or not 0 < reg.rho_placebo <= RHO_CAP:
        yield f"rho_placebo must satisfy 0 < rho_placebo <= {RHO_CAP}"
    yield from _estimand(reg)
    for name in ("registered_n_feedback_pairs", "registered_n_sham_pairs"):
        if not integer(getattr(reg, name), 2):
            yield f"{name} must be an integer >= 2"
    yield from _replacements(reg, arith)
    if not finite(reg.worst_utility) or reg.worst_utility != 0:
        yield "normalized Gate-3 ITT requires worst_utility=0"
    yield from _texts(reg, *_EVIDENCE_TEXTS)
    if reg.neutral_sham_generator_hash != reg.sham_operator_hash:
        yield "target neutral-sham generator must equal the calibrated sham operator"
    if reg.gate3_checkpoint_scope not in {"lineage_empty", "lineage_prefix"}:
        yield "gate3_checkpoint_scope must be lineage_empty|lineage_prefix"
    caps = ("max_feedback_arm_model_failure_rate", "max_feedback_pair_infrastructure_rate")
    yield from _proportions(reg, "min_feedback_arm_valid_rate", *caps)
    yield from _floor(reg, "min_feedback_arm_valid_rate", VALID_RATE_FLOOR)
    for name in caps:
        yield from _cap(reg, name)


def _estimand(reg: Registration) -> Iterator[str]:
    feedback = (reg.feedback_inference_scope, reg.feedback_ci_method)
    sham = (reg.sham_inference_scope, reg.sham_ci_method)
    if reg.feedback_estimand not in ("continuous", "binary"):
        yield "feedback_estimand must be continuous|binary"
    elif reg.binary_feedback:
        if reg.feedback_utility_mapping != "canonical_p_wrapper_v1":
            yield "binary feedback requires canonical_p_wrapper_v1 mapping"
        for name, method in (("feedback", feedback), ("sham", sham)):
            if method != _PAIRED_BINARY:
                yield f"binary {name} requires sampled_population/paired_binary_exact"
    else:
        if reg.feedback_utility_mapping != "mean_normalized_private_units_v1":
            yield "continuous feedback requires mean_normalized_private_units_v1 mapping"
        for name, method in (("feedback", feedback), ("sham", sham)):
            if method != _SAMPLED:
                yield f"continuous {name} requires sampled_population/bounded_empirical_bernstein"


def _replacements(reg: Registration, arith: Arithmetic) -> Iterator[str]:
    policy, limits = (
        reg.gate3_pair_replacement_policy,
        {
            "feedback": ("max_feedback_pair_replacements", "max_feedback_pair_infrastructure_rate"),
            "sham": ("max_sham_pair_replacements", "max_infrastructure_failure_rate"),
        },
    )
    if policy not in {NO_REPLACEMENT, TRANSPORT_REPLACEMENT}:
        yield "gate3_pair_replacement_policy must be none|preaction_transport_pair_replacement_v1"
    for limit, _ in limits.values():
        if not integer(getattr(reg, limit), 0):
            yield f"{limit} must be an integer >= 0"
    if policy == NO_REPLACEMENT and any(getattr(reg, limit) != 0 for limit, _ in limits.values()):
        yield "replacement limits must be zero when replacement policy is none"
    for kind, (limit, rate) in limits.items():
        allowed = getattr(reg, limit)
        slots = getattr(reg, f"registered_n_{kind}_pairs")
        # The kernel skips the feedback cap under `none` only, the null cap under anything but transport.
        applies = policy != NO_REPLACEMENT if kind == "feedback" else policy == TRANSPORT_REPLACEMENT
        countable = applies and integer(allowed) and integer(slots) and finite(getattr(reg, rate))
        if countable and allowed > arith.replacement_cap(slots, rate):
            yield f"{limit} exceeds the registered {kind} infrastructure-attrition cap"


def _notes(reg: Registration) -> Iterator[str]:
    if not isinstance(reg.notes, dict):
        yield "notes must be a JSON object"
        return
    try:
        json.dumps(reg.notes, allow_nan=False)
    except (TypeError, ValueError, OverflowError):
        yield "notes must be strict-JSON serializable"
