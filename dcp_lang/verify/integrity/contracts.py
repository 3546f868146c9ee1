"""Which contract a Gate-3 branch ran under, held against the registration and the integrity envelope."""

from typing import Any

from dcp_lang.verify.checks import integer
from dcp_lang.verify.records import Evidence, Feedback

#: Feedback field -> registration field that it must equal.
_NEUTRAL_REGISTERED = {
    "checkpoint_scope": "gate3_checkpoint_scope",
    "paired_arm_contract_hash": "gate3_paired_arm_contract_hash",
    "neutral_arm_contract_hash": "gate3_neutral_arm_contract_hash",
    "neutral_recovery_contract_hash": "gate3_neutral_recovery_contract_hash",
    "neutral_sham_generator_hash": "neutral_sham_generator_hash",
    "neutral_model_id": "model_id",
    "neutral_interface_hash": "interface_hash",
    "neutral_resource_contract_hash": "gate3_resource_contract_hash",
    "neutral_opportunity_contract_hash": "gate3_opportunity_contract_hash",
    "neutral_challenger_policy_hash": "gate3_branch_policy_hash",
}
_TRUTHFUL_REGISTERED = {
    "truthful_arm_contract_hash": "gate3_truthful_arm_contract_hash",
    "truthful_feedback_generator_hash": "truthful_feedback_generator_hash",
}
#: Feedback field -> envelope field that it must equal.
_NEUTRAL_BOUND = {
    "contract_preseal_receipt_hash": "gate3_contract_preseal_receipt_hash",
    "neutral_k_manifest_hash": "k_manifest_hash",
    "neutral_e0_manifest_hash": "e0_manifest_hash",
    "neutral_web_manifest_hash": "observed_web_manifest_hash",
}
#: Feedback field -> Gate 2's envelope field: only then may a neutral hit refute Core.
_GATE2_SCOPE = {
    "neutral_resource_contract_hash": "resource_contract_hash",
    "neutral_opportunity_contract_hash": "opportunity_contract_hash",
    "neutral_challenger_policy_hash": "challenger_policy_hash",
}


def _equal(left: Any, right: Any, names: dict[str, str]) -> bool:
    return all(getattr(left, mine) == getattr(right, theirs) for mine, theirs in names.items())


def sealed_first(record: Any) -> bool:
    """Whether the contract's event index lies before the first branch's; both must be integers."""
    sealed, started = record.contract_sealed_event_index, record.first_branch_started_event_index
    return integer(sealed) and integer(started) and sealed < started


def _presealed(evidence: Evidence, study: Feedback) -> bool:
    return (
        evidence.registration.gate3_checkpoint_selection_rule_hash == evidence.integrity.selection_rule_hash
        and study.neutral_channel_audit_pass is True
        and study.contract_sealed_before_branches_pass is True
        and sealed_first(study)
        and _equal(study, evidence.registration, _NEUTRAL_REGISTERED)
        and _equal(study, evidence.integrity, _NEUTRAL_BOUND)
    )


def neutral_holds(evidence: Evidence, study: Feedback) -> bool:
    """The neutral branch ran as registered; the truthful arm and the calibration do not matter here."""
    return study.neutral_audit is True and _presealed(evidence, study)


def paired_holds(evidence: Evidence, study: Feedback) -> bool:
    """Both branches ran as registered."""
    return (
        study.paired_contract_audit_pass is True
        and study.truthful_channel_audit_pass is True
        and _presealed(evidence, study)
        and _equal(study, evidence.registration, _TRUTHFUL_REGISTERED)
    )


def neutral_in_scope(evidence: Evidence, study: Feedback) -> bool:
    """A neutral branch from an empty lineage under Gate 2's own contract is a challenger by another name."""
    reg = evidence.registration
    return (
        neutral_holds(evidence, study)
        and study.checkpoint_scope == "lineage_empty"
        and study.neutral_recovery_contract_hash == reg.gate2_control_contract_hash
        and reg.gate3_pair_randomization_distribution_hash == reg.challenge_distribution_hash
        and _equal(study, evidence.integrity, _GATE2_SCOPE)
    )
