"""The kernel projection: the fields of dcp-audit's `Registration`, in its own doubles.

A derived file, never hashed as ours. Floats appear here because the peer's format has nothing else; each is the
double nearest to the exact number, except κ, which is rounded up so that the kernel's ε = κ · δ_min is never below
the declared ε. Fields of a gate that the grade does not ask for keep the kernel's defaults.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dcp_lang.emit.contracts import hash_fields, slot
from dcp_lang.language.fields import FIELDS
from dcp_lang.language.values import Choice, Value
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import CONTROLS, RECOVERY
from dcp_lang.stats.kernel_floats import kappa_for

_SCOPES = {
    "exhaustive": ("exhaustive_finite_set", "finite_set_exact"),
    "sampled": ("sampled_population", "bounded_empirical_bernstein"),
}
_UTILITIES = {
    "recovers": ("binary", "canonical_p_wrapper_v1", "paired_binary_exact"),
    "mean_score": ("continuous", "mean_normalized_private_units_v1", "bounded_empirical_bernstein"),
}
#: What the kernel's dataclass holds for Gate 3 when nothing is said; a Core registration says nothing.
_INACTIVE = {
    "delta_evidence": 0.05, "delta_sham": 0.02, "alpha_evidence": 0.005, "alpha_sham": 0.005, "alpha_neutral": 0.005,
    "registered_n_feedback_pairs": 2, "registered_n_sham_pairs": 2, "max_feedback_pair_replacements": 0,
    "max_sham_pair_replacements": 0, "necessity_claim_requested": False, "gate3_checkpoint_scope": "lineage_prefix",
    "min_feedback_arm_valid_rate": 0.8, "max_feedback_arm_model_failure_rate": 0.1,
    "max_feedback_pair_infrastructure_rate": 0.1, "sham_calibration_id": "", "utility_scale_id": "",
}  # fmt: skip
_HASH_FIELDS = (
    "scaffold_hash", "feedback_schema_hash", "sham_operator_hash", "gate3_paired_arm_contract_hash",
    "gate3_truthful_arm_contract_hash", "gate3_neutral_arm_contract_hash", "gate3_neutral_recovery_contract_hash",
    "gate3_checkpoint_selection_rule_hash", "gate3_resource_contract_hash", "gate3_opportunity_contract_hash",
    "gate3_branch_policy_hash", "truthful_feedback_generator_hash", "neutral_sham_generator_hash",
    "gate3_pair_randomization_distribution_hash", "sham_randomization_distribution_hash",
    "sham_paired_arm_contract_hash", "sham_reference_arm_contract_hash", "sham_proposed_arm_contract_hash",
    "reference_null_generator_hash",
)  # fmt: skip


def kernel_registration(reg: TypedRegistration, registration_sha256: str) -> dict[str, Any]:
    """All fields of `dcp.registration.Registration` (dcp-audit 0.4.2), each explicit."""
    fields = dict.fromkeys(_HASH_FIELDS, "") | _INACTIVE | _declared(reg) | _special(reg) | hash_fields(reg)
    fields["audit_slot_id"], fields["audit_slot_reservation_receipt_hash"] = slot(reg)
    fields["notes"] = notes(reg, registration_sha256)
    return dict(sorted(fields.items()))


def notes(reg: TypedRegistration, registration_sha256: str) -> dict[str, Any]:
    """What the kernel has no field for: our digest, and the numbers of challengers and positive controls."""
    return {
        "dcp_lang": {
            "registration": registration_sha256,
            "challengers": reg.count(RECOVERY),
            "positive_controls": reg.count(CONTROLS),
        }
    }


def _declared(reg: TypedRegistration) -> dict[str, Any]:
    rows = {p: s for p, s in FIELDS.items() if s.kernel and not s.kernel.endswith("_hash") and reg.has(p)}
    return {spec.kernel: kernel_value(reg.value(path)) for path, spec in rows.items()}


def kernel_value(value: Value) -> Any:
    """A value as the kernel spells it: the nearest double, a count, a text."""
    match value:
        case Fraction():
            return float(value)
        case Choice(name):
            return name
        case _:
            return value


def _special(reg: TypedRegistration) -> dict[str, Any]:
    """Fields whose spelling is the kernel's own."""
    population = reg.choice("task.population").name
    scope, method = _SCOPES[population]
    family = reg.choice("family")
    kappa = kappa_for(reg.number("thresholds.epsilon"), reg.number("thresholds.delta_min"))
    return {
        "audit_family_id": family.argument("id"),
        "family_max_audits": family.argument("audits"),
        "family_alpha_total": float(family.argument("alpha")),
        "grade_requested": reg.grade,
        "inference_scope": scope,
        "ci_method": method,
        "score_range_id": "normalized_unit_interval_v1",
        "kappa": kappa,
        "min_n_ind": reg.plan.size(RECOVERY).kernel_least,
        "max_execution_contract_violation_rate": 0.0,
        "worst_utility": 0.0,
    } | _feedback(reg)


def _feedback(reg: TypedRegistration) -> dict[str, Any]:
    utility = reg.choice("gate.feedback.utility").name if reg.is_evidence else "mean_score"
    estimand, mapping, method = _UTILITIES[utility]
    fields = {
        "feedback_estimand": estimand,
        "feedback_utility_mapping": mapping,
        "feedback_inference_scope": "sampled_population",
        "feedback_ci_method": method,
        "sham_inference_scope": "sampled_population",
        "sham_ci_method": method,
        "gate3_pair_replacement_policy": _replacement_policy(reg),
    }
    if not reg.is_evidence:
        return fields
    return fields | {
        "utility_scale_id": mapping,
        "sham_calibration_id": _calibration(reg),
        "necessity_claim_requested": reg.choice("gate.feedback.necessity").name == "claimed",
    }


def _calibration(reg: TypedRegistration) -> str:
    declared = "gate.feedback.calibration"
    return reg.text(declared) if reg.has(declared) else f"{reg.text('id')}-null"


def _replacement_policy(reg: TypedRegistration) -> str:
    limits = [f"gate.feedback.replacements.{n}" for n in ("pairs", "null_pairs")]
    used = reg.is_evidence and any(reg.count(p) for p in limits)
    return "preaction_transport_pair_replacement_v1" if used else "none"
