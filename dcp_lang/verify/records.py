"""The records of an audit bundle, as the wire format declares them.

One named tuple per JSON object: its fields are the keys that the format allows, its defaults are what a
reader must assume for a key that is left out. Values are whatever the JSON held. Decoding settles only the
shape (objects, arrays, enumerations); `registration` and `integrity` judge the rest, so that a wrong value
becomes a finding, not a crash. The names follow dcp-audit 0.4.2, formats `dcp-core-evidence-bundle` 1.0 and
`dcp-audit-bundle` 1.0 (full_audit_v1).
"""

from typing import Any, NamedTuple

#: JSON values. The alias says what the format asks for; nothing is believed before it has been checked.
Text = Any
Flag = Any
Count = Any
Number = Any

Scores = tuple[Any, ...]

VALID, INVALID, UNRESOLVED = "valid", "invalid", "unresolved"
VALIDITIES = (VALID, INVALID, UNRESOLVED)

ARTIFACT, MODEL_FAILURE, CONTRACT_VIOLATION, INFRASTRUCTURE = (
    "artifact",
    "model_failure",
    "execution_contract_violation",
    "infrastructure_invalid",
)
OUTCOMES = (ARTIFACT, MODEL_FAILURE, CONTRACT_VIOLATION, INFRASTRUCTURE, UNRESOLVED)

NO_REPLACEMENT = "none"
TRANSPORT_REPLACEMENT = "preaction_transport_pair_replacement_v1"


class Registration(NamedTuple):
    """The kernel registration: 76 fields, of which only `claim_id` is required by the format."""

    claim_id: Text
    audit_family_id: Text = ""
    model_id: Text = ""
    interface_hash: Text = ""
    task_family_profile: Text = ""
    grade_requested: Text = "core"
    inference_scope: Text = "sampled_population"
    ci_method: Text = "bounded_empirical_bernstein"
    score_range_id: Text = "normalized_unit_interval_v1"
    feedback_inference_scope: Text = "sampled_population"
    feedback_ci_method: Text = "bounded_empirical_bernstein"
    sham_inference_scope: Text = "sampled_population"
    sham_ci_method: Text = "bounded_empirical_bernstein"
    delta_min: Number = 0.05
    kappa: Number = 0.0
    alpha_main: Number = 0.005
    m_max: Count = 100
    recovery_stratum: Text = "matched"
    gate2_control_contract_hash: Text = ""
    challenge_distribution_hash: Text = ""
    rho: Number = 0.05
    alpha_score: Number = 0.005
    alpha_recovery: Number = 0.020
    alpha_adequacy: Number = 0.005
    positive_control_recall_min: Number = 0.80
    min_valid_candidate_rate: Number = 0.50
    max_infrastructure_failure_rate: Number = 0.20
    max_model_failure_rate: Number = 0.20
    max_execution_contract_violation_rate: Number = 0.0
    min_n_ind: Count = 1
    delta_evidence: Number = 0.05
    delta_sham: Number = 0.02
    rho_placebo: Number = 0.05
    alpha_evidence: Number = 0.005
    alpha_sham: Number = 0.005
    alpha_neutral: Number = 0.005
    feedback_estimand: Text = "continuous"
    feedback_utility_mapping: Text = "mean_normalized_private_units_v1"
    registered_n_feedback_pairs: Count = 2
    registered_n_sham_pairs: Count = 2
    gate3_pair_replacement_policy: Text = NO_REPLACEMENT
    max_feedback_pair_replacements: Count = 0
    max_sham_pair_replacements: Count = 0
    worst_utility: Number = 0.0
    necessity_claim_requested: Flag = False
    scaffold_hash: Text = ""
    feedback_schema_hash: Text = ""
    sham_operator_hash: Text = ""
    utility_scale_id: Text = ""
    sham_calibration_id: Text = ""
    gate3_checkpoint_scope: Text = "lineage_prefix"
    gate3_paired_arm_contract_hash: Text = ""
    gate3_truthful_arm_contract_hash: Text = ""
    gate3_neutral_arm_contract_hash: Text = ""
    gate3_neutral_recovery_contract_hash: Text = ""
    gate3_checkpoint_selection_rule_hash: Text = ""
    gate3_resource_contract_hash: Text = ""
    gate3_opportunity_contract_hash: Text = ""
    gate3_branch_policy_hash: Text = ""
    truthful_feedback_generator_hash: Text = ""
    neutral_sham_generator_hash: Text = ""
    gate3_pair_randomization_distribution_hash: Text = ""
    sham_randomization_distribution_hash: Text = ""
    sham_paired_arm_contract_hash: Text = ""
    sham_reference_arm_contract_hash: Text = ""
    sham_proposed_arm_contract_hash: Text = ""
    reference_null_generator_hash: Text = ""
    min_feedback_arm_valid_rate: Number = 0.80
    max_feedback_arm_model_failure_rate: Number = 0.10
    max_feedback_pair_infrastructure_rate: Number = 0.10
    alpha_total: Number = 0.05
    family_alpha_total: Number = 0.05
    family_max_audits: Count = 1
    audit_slot_id: Text = ""
    audit_slot_reservation_receipt_hash: Text = ""
    notes: Any = {}  # noqa: RUF012 - read only: what the format assumes when the key is absent

    @property
    def wants_evidence(self) -> bool:
        return bool(self.grade_requested == "evidence")

    @property
    def binary_feedback(self) -> bool:
        return bool(self.feedback_estimand == "binary")


class Integrity(NamedTuple):
    """What the audit's harness attests, and the hashes that bind the evidence together."""

    registration_frozen: Flag = False
    claim_frozen: Flag = False
    provenance_pass: Flag = False
    iterative_lineage_eligible: Flag = False
    lineage_dataflow_audit_pass: Flag = False
    challenger_contract_pass: Flag = False
    private_isolation_pass: Flag = False
    symmetric_verifier_pass: Flag = False
    inference_assumptions_pass: Flag = False
    feedback_inference_assumptions_pass: Flag = False
    sham_inference_assumptions_pass: Flag = False
    familywise_budget_audit_pass: Flag = False
    astar_hash: Text = ""
    baseline_hash: Text = ""
    verifier_hash: Text = ""
    astar_results_hash: Text = ""
    baseline_results_hash: Text = ""
    private_unit_manifest_hash: Text = ""
    private_results_manifest_hash: Text = ""
    p_hash: Text = ""
    resource_contract_hash: Text = ""
    selection_rule_hash: Text = ""
    k_manifest_hash: Text = ""
    e0_manifest_hash: Text = ""
    lineage_manifest_hash: Text = ""
    observed_web_manifest_hash: Text = ""
    challenger_policy_hash: Text = ""
    opportunity_contract_hash: Text = ""
    recovery_ledger_complete: Flag = False
    recovery_ledger_manifest_hash: Text = ""
    gate2_recovery_ledger_manifest_hash: Text = ""
    gate3_neutral_scope_manifest_hash: Text = ""
    gate3_neutral_recovery_ledger_manifest_hash: Text = ""
    gate3_contract_preseal_receipt_hash: Text = ""
    sham_contract_preseal_receipt_hash: Text = ""
    claim_family_manifest_hash: Text = ""
    alpha_ledger_receipt_hash: Text = ""
    audit_slot_registry_entry_hash: Text = ""
    human_assistance: Text = ""
    attribution_subject: Text = ""
    web_access_used: Flag = False
    web_replay_scope: Text = ""


class Artifact(NamedTuple):
    """The target A* or the baseline b, scored on the sealed private units in order."""

    name: Text
    per_unit: Scores
    validity: str = UNRESOLVED
    artifact_hash: Text = ""
    unit_ids: Scores = ()


class Outcome(NamedTuple):
    """Gate 1's evidence."""

    astar: Artifact
    baseline: Artifact


class Attempt(NamedTuple):
    """One challenger candidate."""

    attempt_id: Text
    outcome: str = UNRESOLVED
    per_unit: Scores | None = None
    validity: str = UNRESOLVED
    artifact_hash: Text = ""
    unit_ids: Scores = ()
    stratum: Text = ""
    scope_contract_hash: Text = ""
    prestart_contract_receipt_hash: Text = ""
    challenge_distribution_hash: Text = ""
    independent_draw_receipt_hash: Text = ""
    independent_unit_id: Text = ""
    independence_ok: Flag = False
    infrastructure_outcome_independent: Flag = False


class Adequacy(NamedTuple):
    """The checks that make zero witnesses informative; their thresholds are registered."""

    matched_model_present: Flag = False
    materials_readable: Flag = False
    opportunity_floor_met: Flag = False
    health_audit_pass: Flag = False
    positive_control_successes: Count = -1
    positive_control_trials: Count = -1
    calibration_id: Text = ""
    checks_manifest_hash: Text = ""


class Recovery(NamedTuple):
    """Gate 2's evidence."""

    controls: tuple[Attempt, ...] = ()
    adequacy: Adequacy = Adequacy()


class Branch(NamedTuple):
    """One arm of a pair."""

    outcome: str = UNRESOLVED
    utility: Number | None = None
    validity: str = UNRESOLVED
    branch_id: Text = ""
    artifact_hash: Text = ""
    verifier_result_hash: Text = ""
    execution_contract_hash: Text = ""
    prestart_contract_receipt_hash: Text = ""
    per_unit: Scores | None = None
    unit_ids: Scores = ()
    infrastructure_outcome_independent: Flag = False


class FeedbackPair(NamedTuple):
    """Truthful feedback against the neutral policy from one checkpoint."""

    pair_id: Text
    truthful: Branch
    neutral: Branch
    block_id: Text = ""
    randomization_distribution_hash: Text = ""
    randomization_draw_receipt_hash: Text = ""
    assignment_frozen: Flag = False
    independence_ok: Flag = False
    replacement_of: Text = ""

    @property
    def arms(self) -> tuple[Branch, Branch]:
        return self.truthful, self.neutral


class NullPair(NamedTuple):
    """Reference null against the proposed neutral policy on a null task."""

    pair_id: Text
    reference_null: Branch
    proposed_sham: Branch
    block_id: Text = ""
    randomization_distribution_hash: Text = ""
    randomization_draw_receipt_hash: Text = ""
    assignment_frozen: Flag = False
    independence_ok: Flag = False
    replacement_of: Text = ""

    @property
    def arms(self) -> tuple[Branch, Branch]:
        return self.reference_null, self.proposed_sham


Pair = FeedbackPair | NullPair


class NullStudy(NamedTuple):
    """The null calibration of the neutral policy."""

    pairs: tuple[NullPair, ...]
    calibration_id: Text = ""
    development_manifest_hash: Text = ""
    confirmatory_manifest_hash: Text = ""
    task_family_profile: Text = ""
    model_id: Text = ""
    interface_hash: Text = ""
    scaffold_hash: Text = ""
    feedback_schema_hash: Text = ""
    operator_hash: Text = ""
    reference_null_generator_hash: Text = ""
    utility_scale_id: Text = ""
    paired_arm_contract_hash: Text = ""
    reference_arm_contract_hash: Text = ""
    proposed_arm_contract_hash: Text = ""
    contract_preseal_receipt_hash: Text = ""
    contract_sealed_before_branches_pass: Flag = False
    contract_sealed_event_index: Count = -1
    first_branch_started_event_index: Count = -1
    channel_checks_pass: Flag = False
    freshness_pass: Flag = False
    operator_frozen_before_confirmatory: Flag = False
    development_confirmatory_disjoint: Flag = False
    all_started_pairs_disclosed: Flag = False
    no_pair_replacements: Flag = False
    started_pair_count: Count = -1


class Feedback(NamedTuple):
    """Gate 3's evidence."""

    pairs: tuple[FeedbackPair, ...]
    sham: NullStudy
    neutral_adequacy: Adequacy | None = None
    design_checks_pass: Flag = False
    stopping_rule_pass: Flag = False
    registered_pairs_complete: Flag = False
    all_started_pairs_disclosed: Flag = False
    no_pair_replacements: Flag = False
    paired_contract_audit_pass: Flag = False
    truthful_channel_audit_pass: Flag = False
    neutral_channel_audit_pass: Flag = False
    started_pair_count: Count = -1
    checkpoint_scope: Text = ""
    checkpoint_hash: Text = ""
    window_hash: Text = ""
    feedback_pairs_manifest_hash: Text = ""
    paired_arm_contract_hash: Text = ""
    truthful_arm_contract_hash: Text = ""
    neutral_arm_contract_hash: Text = ""
    neutral_recovery_contract_hash: Text = ""
    truthful_feedback_generator_hash: Text = ""
    neutral_sham_generator_hash: Text = ""
    contract_preseal_receipt_hash: Text = ""
    contract_sealed_before_branches_pass: Flag = False
    contract_sealed_event_index: Count = -1
    first_branch_started_event_index: Count = -1
    neutral_model_id: Text = ""
    neutral_interface_hash: Text = ""
    neutral_resource_contract_hash: Text = ""
    neutral_k_manifest_hash: Text = ""
    neutral_e0_manifest_hash: Text = ""
    neutral_web_manifest_hash: Text = ""
    neutral_opportunity_contract_hash: Text = ""
    neutral_challenger_policy_hash: Text = ""
    neutral_scope_audit_manifest_hash: Text = ""
    neutral_contract_audit_pass: Flag | None = None

    @property
    def neutral_audit(self) -> Flag:
        """The neutral arm's own audit; records that predate it are covered by the paired one."""
        audit = self.neutral_contract_audit_pass
        return self.paired_contract_audit_pass if audit is None else audit


class Evidence(NamedTuple):
    """Everything a bundle says about one audit; `feedback` is None in the Core profile."""

    registration: Registration
    integrity: Integrity
    outcome: Outcome
    recovery: Recovery
    feedback: Feedback | None
