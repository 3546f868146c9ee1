"""Findings that block the feedback effect: the paired contract, the pairs, the null study, the budget."""

from collections.abc import Iterator, Sequence

from dcp_lang.verify import digests
from dcp_lang.verify.checks import MALFORMED, explicit, integer
from dcp_lang.verify.integrity import attempts, branches, contracts, envelope
from dcp_lang.verify.integrity.branches import Demand
from dcp_lang.verify.integrity.witness import NEUTRAL_SCOPE
from dcp_lang.verify.records import Evidence, Feedback, FeedbackPair, NullPair
from dcp_lang.verify.replacements import feedback_ledger, null_ledger

_STUDY_FLAGS = (
    "design_checks_pass",
    "stopping_rule_pass",
    "registered_pairs_complete",
    "all_started_pairs_disclosed",
    "no_pair_replacements",
    "paired_contract_audit_pass",
    "truthful_channel_audit_pass",
    "neutral_channel_audit_pass",
    "contract_sealed_before_branches_pass",
)
_STUDY_HASHES = (
    "checkpoint_hash",
    "window_hash",
    "feedback_pairs_manifest_hash",
    "paired_arm_contract_hash",
    "truthful_arm_contract_hash",
    "neutral_arm_contract_hash",
    "neutral_recovery_contract_hash",
    "truthful_feedback_generator_hash",
    "neutral_sham_generator_hash",
    "contract_preseal_receipt_hash",
    "neutral_scope_audit_manifest_hash",
)
_NULL_FLAGS = (
    "channel_checks_pass",
    "freshness_pass",
    "operator_frozen_before_confirmatory",
    "development_confirmatory_disjoint",
    "all_started_pairs_disclosed",
    "no_pair_replacements",
    "contract_sealed_before_branches_pass",
)
_NULL_TEXTS = (
    "calibration_id",
    "development_manifest_hash",
    "confirmatory_manifest_hash",
    "task_family_profile",
    "model_id",
    "interface_hash",
    "scaffold_hash",
    "feedback_schema_hash",
    "operator_hash",
    "reference_null_generator_hash",
    "utility_scale_id",
    "paired_arm_contract_hash",
    "reference_arm_contract_hash",
    "proposed_arm_contract_hash",
    "contract_preseal_receipt_hash",
)
#: Null-study field -> registration field, and how the finding names the contract.
_NULL_REGISTERED = {
    "paired_arm_contract_hash": ("sham_paired_arm_contract_hash", "paired-arm contract"),
    "reference_arm_contract_hash": ("sham_reference_arm_contract_hash", "reference-arm contract"),
    "proposed_arm_contract_hash": ("sham_proposed_arm_contract_hash", "proposed-arm contract"),
    "reference_null_generator_hash": ("reference_null_generator_hash", "reference-null generator"),
}


def faults(evidence: Evidence, study: Feedback, attempt_digests: Sequence[str]) -> Iterator[str]:
    """Every reason why the pairs cannot carry a feedback effect, in the order of the peer's record."""
    assumptions = ("feedback_inference_assumptions_pass", "sham_inference_assumptions_pass")
    yield from envelope.attested(evidence.integrity, assumptions)
    yield from _flags(study)
    yield from _checkpoint(evidence, study)
    yield from _seal(evidence, study)
    yield from _contract(evidence, study)
    yield from _adequacy(evidence, study)
    yield from _pairs(evidence, study)
    yield from _null_study(evidence, study)
    yield from _global(evidence, study, attempt_digests)


def _flags(study: Feedback) -> Iterator[str]:
    for name in _STUDY_FLAGS:
        if type(getattr(study, name)) is not bool:
            yield f"gate3.{name} must be a boolean"
    audit = study.neutral_contract_audit_pass
    if audit is not None and type(audit) is not bool:
        yield "gate3.neutral_contract_audit_pass must be a boolean"
    if audit is not None and audit is not True:
        yield "Gate 3 neutral contract audit failed"
    if study.all_started_pairs_disclosed is not True:
        yield "Gate 3 started-pair ledger is not complete"
    if study.contract_sealed_before_branches_pass is not True:
        yield "Gate 3 paired contract was not presealed"


def _checkpoint(evidence: Evidence, study: Feedback) -> Iterator[str]:
    if study.checkpoint_scope not in {"lineage_empty", "lineage_prefix"}:
        yield "Gate 3 checkpoint_scope must be lineage_empty|lineage_prefix"
    elif study.checkpoint_scope != evidence.registration.gate3_checkpoint_scope:
        yield "Gate 3 checkpoint_scope differs from frozen registration"
    if evidence.registration.gate3_checkpoint_selection_rule_hash != evidence.integrity.selection_rule_hash:
        yield "Gate 3 checkpoint selection rule differs from frozen integrity"
    yield from (f"Gate 3 {name} missing" for name in _STUDY_HASHES if not explicit(getattr(study, name)))


def _seal(evidence: Evidence, study: Feedback) -> Iterator[str]:
    receipt = evidence.integrity.gate3_contract_preseal_receipt_hash
    if not explicit(receipt):
        yield "Gate 3 frozen preseal receipt missing from integrity envelope"
    elif study.contract_preseal_receipt_hash != receipt:
        yield "Gate 3 preseal receipt differs from integrity envelope"
    for name in ("contract_sealed_event_index", "first_branch_started_event_index"):
        if not integer(getattr(study, name), 0):
            yield f"Gate 3 {name} must be a non-negative integer"
    if branches.sealed_late(study):
        yield "Gate 3 contract was not sealed before the first branch"


def _contract(evidence: Evidence, study: Feedback) -> Iterator[str]:
    audits = {
        "paired_contract_audit_pass": "paired contract",
        "truthful_channel_audit_pass": "truthful channel",
        "neutral_channel_audit_pass": "neutral channel",
    }
    for name, label in audits.items():
        if getattr(study, name) is not True:
            yield f"Gate 3 {label} audit failed"
    if not contracts.paired_holds(evidence, study):
        yield "Gate 3 paired contract differs from frozen registration"
    yield from (f"Gate 3 {name} missing" for name in NEUTRAL_SCOPE if not explicit(getattr(study, name)))


def _adequacy(evidence: Evidence, study: Feedback) -> Iterator[str]:
    own, main = study.neutral_adequacy, evidence.recovery.adequacy
    if own is None:
        return
    yield from attempts.adequacy(own, "gate3.neutral_adequacy")
    calibration = (own.calibration_id, own.checks_manifest_hash)
    if calibration != (main.calibration_id, main.checks_manifest_hash):
        yield "main/neutral adequacy must reuse the registered calibration or allocate separate alpha"


def _pairs(evidence: Evidence, study: Feedback) -> Iterator[str]:
    for index, pair in enumerate(study.pairs):
        yield from _pair(evidence, pair, f"gate3.pairs[{index}]")
    ledger = feedback_ledger(evidence.registration, study.pairs)
    yield from ledger.faults
    if study.no_pair_replacements is not (ledger.replacements == 0):
        yield "Gate 3 no_pair_replacements disagrees with disclosed ledger"
    if not integer(study.started_pair_count) or study.started_pair_count != len(study.pairs):
        yield "Gate 3 started_pair_count does not match disclosed pairs"
    yield from branches.repeated(study.pairs, "feedback")
    try:
        if digests.feedback_pairs_manifest(study.pairs) != study.feedback_pairs_manifest_hash:
            yield "feedback-pairs manifest hash mismatch"
    except MALFORMED:
        yield "feedback-pairs manifest hash could not be recomputed"


def _pair(evidence: Evidence, pair: FeedbackPair, label: str) -> Iterator[str]:
    reg, units = evidence.registration, evidence.integrity.private_unit_manifest_hash
    yield from branches.pair(pair, label, reg.gate3_pair_randomization_distribution_hash)
    if pair.assignment_frozen is not True:
        yield f"{label}.assignment_frozen must be true"
    if pair.independence_ok is not True:
        yield f"{label}.independence_ok must be true for effect inference"
    truthful = Demand(reg.gate3_truthful_arm_contract_hash, units)
    yield from branches.branch(pair.truthful, f"{label}.truthful", truthful)
    neutral = Demand(reg.gate3_neutral_arm_contract_hash, units)
    yield from branches.branch(pair.neutral, f"{label}.neutral", neutral)
    if reg.binary_feedback and any(arm.utility is not None for arm in pair.arms):
        yield f"{label} binary utilities must be derived by the canonical P wrapper"


def _null_study(evidence: Evidence, study: Feedback) -> Iterator[str]:
    reg, sham = evidence.registration, study.sham
    yield from _null_contract(evidence, study)
    for index, pair in enumerate(sham.pairs):
        yield from _null_pair(evidence, pair, f"gate3.sham.pairs[{index}]")
    ledger = null_ledger(reg, sham.pairs)
    yield from ledger.faults
    if sham.no_pair_replacements is not (ledger.replacements == 0):
        yield "sham no_pair_replacements disagrees with disclosed ledger"
    if not integer(sham.started_pair_count) or sham.started_pair_count != len(sham.pairs):
        yield "sham started_pair_count does not match disclosed pairs"
    yield from branches.repeated(sham.pairs, "sham")
    try:
        if digests.null_pairs_manifest(sham) != sham.confirmatory_manifest_hash:
            yield "sham confirmatory manifest hash mismatch"
    except MALFORMED:
        yield "sham confirmatory manifest hash could not be recomputed"


def _null_contract(evidence: Evidence, study: Feedback) -> Iterator[str]:
    sham, receipt = study.sham, evidence.integrity.sham_contract_preseal_receipt_hash
    for name in _NULL_FLAGS:
        if type(getattr(sham, name)) is not bool:
            yield f"gate3.sham.{name} must be a boolean"
    if sham.all_started_pairs_disclosed is not True:
        yield "sham started-pair ledger is not complete"
    if sham.contract_sealed_before_branches_pass is not True:
        yield "sham contract was not presealed"
    yield from (f"gate3.sham.{name} missing" for name in _NULL_TEXTS if not explicit(getattr(sham, name)))
    for name, (registered, label) in _NULL_REGISTERED.items():
        if getattr(sham, name) != getattr(evidence.registration, registered):
            yield f"sham {label} differs from registration"
    if not explicit(receipt):
        yield "sham frozen preseal receipt missing from integrity envelope"
    elif sham.contract_preseal_receipt_hash != receipt:
        yield "sham preseal receipt differs from integrity envelope"
    for name in ("contract_sealed_event_index", "first_branch_started_event_index"):
        if not integer(getattr(sham, name), 0):
            yield f"gate3.sham.{name} must be a non-negative integer"
    if branches.sealed_late(sham):
        yield "sham contract was not sealed before the first branch"


def _null_pair(evidence: Evidence, pair: NullPair, label: str) -> Iterator[str]:
    reg = evidence.registration
    yield from branches.pair(pair, label, reg.sham_randomization_distribution_hash)
    for name in ("assignment_frozen", "independence_ok"):
        if getattr(pair, name) is not True:
            yield f"{label}.{name} must be true"
    reference = Demand(reg.sham_reference_arm_contract_hash, None)
    yield from branches.branch(pair.reference_null, f"{label}.reference_null", reference)
    proposed = Demand(reg.sham_proposed_arm_contract_hash, None)
    yield from branches.branch(pair.proposed_sham, f"{label}.proposed_sham", proposed)


def _global(evidence: Evidence, study: Feedback, attempt_digests: Sequence[str]) -> Iterator[str]:
    integrity, m_max = evidence.integrity, evidence.registration.m_max
    slots = len(evidence.recovery.controls) + 2 * len(study.pairs)
    if isinstance(m_max, int) and slots > m_max:
        yield f"total scored candidate slots {slots} exceed registered M_max={m_max}"
    try:
        scope = digests.neutral_scope(study, integrity.selection_rule_hash)
        if scope != study.neutral_scope_audit_manifest_hash:
            yield "Gate-3 neutral-scope manifest hash mismatch"
        if integrity.gate3_neutral_scope_manifest_hash != scope:
            yield "Gate-3 neutral scope is not bound by integrity"
        if digests.neutral_ledger(study.pairs) != integrity.gate3_neutral_recovery_ledger_manifest_hash:
            yield "Gate-3 neutral recovery ledger is not bound by integrity"
        if len(attempt_digests) != len(evidence.recovery.controls):
            raise ValueError("a challenger attempt has no digest")
        if digests.recovery_ledger(attempt_digests, study) != integrity.recovery_ledger_manifest_hash:
            yield "global recovery-ledger manifest hash mismatch"
    except MALFORMED:
        yield "Gate-3 scope/global-ledger hash could not be recomputed"
