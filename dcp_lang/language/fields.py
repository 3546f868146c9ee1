"""THE table of every declarable field: section, name, type, default, peer key, paper reference, one sentence.

Checker, completion, hover, reference page, JSON Schema and document all read it. Adding a field is one row.
Paths are ASCII with dots; `*` stands for a label of the author's own (`information.given.*`).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dcp_lang.language.types import (
    DIGEST,
    IDENTIFIER,
    LINE,
    OPEN_PROBABILITY,
    POSITIVE,
    POSITIVE_PROBABILITY,
    PROBABILITY,
    PROSE,
    SCORE,
    ChoiceType,
    CountType,
    EitherType,
    FieldType,
    ListType,
    MaterialType,
    Option,
    Parameter,
    QuantityType,
    TextType,
    choice,
)
from dcp_lang.language.values import Amount, Choice, Value
from dcp_lang.record import Record

#: How a field may be left out: `required` always, `evidence` required at evidence grade, `default` has a default,
#: `auto` may be computed (and is, when left out), `optional` is simply absent.
REQUIRED, EVIDENCE, OPTIONAL, AUTO, DEFAULT = "required", "evidence", "optional", "auto", "default"


class FieldSpec(Record):
    """One row: what a field is called, takes, means, and becomes in the peer's registration."""

    path: str
    type: FieldType
    presence: str
    doc: str
    default: Value | None = None
    kernel: str = ""
    paper: str = ""
    symbol: str = ""

    @property
    def section(self) -> str:
        return self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def may_be_auto(self) -> bool:
        return self.presence == AUTO


class SectionSpec(Record):
    """One kind of block: its path, the label it takes (`""` none, `word`, `number`), whether it must be there."""

    path: str
    label: str
    presence: str
    doc: str
    prose: bool = False


SECTIONS = (
    SectionSpec("", "word", REQUIRED, "The registration: a commitment fixed before the target run."),
    SectionSpec("task", "word", REQUIRED, "The task, its validity rules and its sealed evaluation; the label is its profile name."),
    SectionSpec("task.valid", "", REQUIRED, "The validity rules, one sentence each, that every artifact must meet.", True),
    SectionSpec("baseline", "word", REQUIRED, "The fixed baseline artifact b and its score."),
    SectionSpec("target", "", OPTIONAL, "The target of a retrospective registration, whose score is already known."),
    SectionSpec("model", "", REQUIRED, "The model, its interface and its tools, the same for target and controls."),
    SectionSpec("information", "", REQUIRED, "What both sides know: K, E0, the observed Web bytes, and the withheld lineage L*."),
    SectionSpec("budget.session", "", REQUIRED, "What one session (episode) may spend."),
    SectionSpec("budget.challenger", "", OPTIONAL, "What one challenger session may spend, when it is more than a session of the target."),
    SectionSpec("budget.audit", "", OPTIONAL, "What the whole audit may spend."),
    SectionSpec("thresholds", "", REQUIRED, "The numerical thresholds of the three gates."),
    SectionSpec("errors", "number", REQUIRED, "The error budget: a total and its exact division among the gates."),
    SectionSpec("selection", "", REQUIRED, "How the target artifact is selected and when the run stops."),
    SectionSpec("gate.recovery", "", REQUIRED, "Gate 2: matched challengers without the target's feedback."),
    SectionSpec("gate.feedback", "", EVIDENCE, "Gate 3: truthful against neutral feedback from a frozen checkpoint."),
    SectionSpec("gate.feedback.replacements", "", OPTIONAL, "Whole pairs that may be replaced after a pre-action infrastructure failure."),
    SectionSpec("policy.truthful", "", EVIDENCE, "The truthful feedback policy."),
    SectionSpec("policy.neutral", "", EVIDENCE, "The neutral feedback policy that the null study calibrates."),
    SectionSpec("policy.reference_null", "", EVIDENCE, "The second non-directional policy of the null study."),
    SectionSpec("policy.challenger", "", REQUIRED, "What a challenger's actions are answered with."),
    SectionSpec("expect", "", OPTIONAL, "Planning assumptions; never a criterion of the decision."),
    SectionSpec("parties", "", OPTIONAL, "Who claims, who audits, and how they are independent."),
    SectionSpec("notes", "", OPTIONAL, "Prior exposure, pilots and exploratory analyses, in prose."),
)  # fmt: skip

_FILE = MaterialType(sealed=False)
_FILE_OR_SEALED = MaterialType()
_TREE = MaterialType(folder=True)
_GIVEN = MaterialType(folder=True, prose=True)
_MONEY, _TIME, _DATA = QuantityType("money"), QuantityType("time"), QuantityType("data")
_PRESERVES = ListType(
    ChoiceType(
        (
            Option("timing", (), "the moment at which the message arrives"),
            Option("schema", (), "the keys and types of the message"),
            Option("length", (Parameter("within", PROBABILITY, Fraction(0)),), "the length, within a share"),
        )
    )
)
_MODE = ChoiceType(
    (
        Option("prospective", (), "registered before the target run"),
        Option(
            "retrospective",
            (Parameter("knowledge", choice("pre_publication", "present_day")),),
            "registered after it; may only seek a recovery witness",
        ),
    )
)
_FAMILY = ChoiceType(
    (
        Option(
            "family",
            (
                Parameter("id", IDENTIFIER),
                Parameter("audits", CountType("audits", 1), 1),
                Parameter("alpha", OPEN_PROBABILITY, Fraction(1, 20)),
            ),
        ),
    )
)
_SLOT = ChoiceType((Option("slot", (Parameter("id", IDENTIFIER), Parameter("receipt", DIGEST))),))
_SCORE_RULE = ChoiceType(
    (Option("maximize", (Parameter("measure", PROSE), Parameter("on", ListType(SCORE, 2)))),)
)
_POPULATION = ChoiceType(
    (
        Option("exhaustive", (Parameter("units", CountType("units", 1)), Parameter("aggregate", PROSE, optional=True)), "every unit is evaluated: an exact mean"),
        Option("sampled", (Parameter("units", CountType("units", 2)),), "units are a sample: bounded empirical Bernstein"),
    )
)  # fmt: skip
_INTERFACE = ChoiceType(
    (
        Option(
            "claude_code",
            (
                Parameter("execution", choice("docker", "host")),
                Parameter("image", LINE, optional=True),
                Parameter("effort", choice("low", "medium", "high", "max"), Choice("high")),
            ),
            "Claude Code through dcp-harness",
        ),
        Option("other", (Parameter("description", PROSE),), "another interface, described in prose"),
    )
)
_WEB = ChoiceType(
    (
        Option("none", (), "no Web access"),
        Option(
            "hosts",
            (
                Parameter("allowed", ListType(LINE, 1)),
                Parameter("at_most", CountType("requests", 1), 20),
                Parameter("redirects", CountType("redirects", 0), 3),
                Parameter("raw", _DATA, optional=True),
                Parameter("delivered", _DATA, optional=True),
                Parameter("timeout", _TIME, optional=True),
                Parameter("subdomains", choice("no", "yes"), Choice("no")),
            ),
            "the listed hosts, through the recording gateway",
        ),
    )
)
_LINEAGE = ChoiceType(
    (
        Option("feedback", (Parameter("what", PROSE),), "observations returned because the agent acted"),
        Option("guidance", (Parameter("what", PROSE),), "human guidance chosen after results"),
    )
)
_CHECKPOINT = ChoiceType(
    (
        Option("start", (), "before the first action"),
        Option("after", (Parameter("event", LINE),), "after the first event of this kind"),
    )
)

#: The auditor's judgments that dcp-harness asks for; each is false unless attested.
ATTESTATIONS = (
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
)


_ROWS = (
    # registration
    FieldSpec("id", IDENTIFIER, REQUIRED, "The claim id, as the kernel and its ledgers see it.", None, "claim_id"),
    FieldSpec("title", LINE, REQUIRED, "The title of the registration, one line."),
    FieldSpec("claim", PROSE, REQUIRED, "What is claimed and within which scope, in one paragraph."),
    FieldSpec("mode", _MODE, REQUIRED, "Whether the registration precedes the target run.", None, "", "Prospective use, Retrospective use"),
    FieldSpec("subject", choice("autonomous_agent", "human_agent"), DEFAULT, "Whose lineage it is; guidance chosen after results makes it human_agent.", Choice("autonomous_agent")),
    FieldSpec("family", _FAMILY, REQUIRED, "The audit family, how many audits it may hold and the alpha that they share.", None, "audit_family_id"),
    FieldSpec("slot", _SLOT, OPTIONAL, "The slot that an authority reserved, with the digest of its receipt.", None, "audit_slot_id"),
    FieldSpec("salt", TextType("salt", 32), OPTIONAL, "128 bits in hex that keep the digest from being guessed; given, never random at compile time."),
    FieldSpec("attestations", ListType(choice(*ATTESTATIONS)), OPTIONAL, "The judgments that the auditor will attest; what can be checked is checked too."),
    FieldSpec("supersedes", DIGEST, OPTIONAL, "The digest of the frozen registration that this one amends."),
    FieldSpec("reason", PROSE, OPTIONAL, "Why the registration is amended."),
    # task
    FieldSpec("task.name", IDENTIFIER, REQUIRED, "The name of the task profile (the label of the block).", None, "task_family_profile"),
    FieldSpec("task.adapter", _FILE, REQUIRED, "The task adapter: the code that prepares, answers and scores."),
    FieldSpec("task.entry", TextType("name", 64), DEFAULT, "The adapter's class in that file.", "Task"),
    FieldSpec("task.score", _SCORE_RULE, REQUIRED, "What the score measures, on the scale [0, 1].", None, "score_range_id"),
    FieldSpec("task.population", _POPULATION, REQUIRED, "The evaluation population: exhaustive or sampled, with its units.", None, "inference_scope", "Gate 1"),
    FieldSpec("task.lattice", POSITIVE_PROBABILITY, OPTIONAL, "The step of the scores that can occur, to prove that no score sits on a line."),
    FieldSpec("task.evaluator", _FILE_OR_SEALED, REQUIRED, "The one evaluator of baseline, target and controls."),
    FieldSpec("task.units", _FILE_OR_SEALED, OPTIONAL, "The manifest of the private evaluation units."),
    FieldSpec("task.valid", ListType(PROSE, 1), REQUIRED, "The validity rules, in sentences."),
    # baseline, target
    FieldSpec("baseline.name", IDENTIFIER, REQUIRED, "The name of the baseline (the label of the block)."),
    FieldSpec("baseline.artifact", _TREE, REQUIRED, "The baseline artifact."),
    FieldSpec("baseline.score", EitherType(SCORE, MaterialType(file=False)), REQUIRED, "score(b): a number, or sealed until evaluation.", symbol="score(b)"),
    FieldSpec("target.artifact", _TREE, OPTIONAL, "The target artifact of a retrospective registration."),
    FieldSpec("target.score", SCORE, OPTIONAL, "x of a retrospective registration.", symbol="x"),
    # model
    FieldSpec("model.id", LINE, REQUIRED, "The model as the kernel records it.", None, "model_id"),
    FieldSpec("model.requested", LINE, REQUIRED, "The model id asked of the provider."),
    FieldSpec("model.reported", ListType(LINE, 1), REQUIRED, "The only ids that a provider receipt may name."),
    FieldSpec("model.interface", _INTERFACE, REQUIRED, "How the model acts: program, execution, image.", None, "interface_hash"),
    FieldSpec("model.tools", ListType(TextType("name", 64)), REQUIRED, "The tools, the same for target and controls."),
    # information
    FieldSpec("information.known.*", PROSE, OPTIONAL, "A known component that both sides may use (K)."),
    FieldSpec("information.given.*", _GIVEN, OPTIONAL, "Something present at the start, fixed guidance included (E0)."),
    FieldSpec("information.web.*", _WEB, OPTIONAL, "Web access; every byte seen is recorded and disclosed to challengers (W_obs)."),
    FieldSpec("information.lineage.*", _LINEAGE, OPTIONAL, "What comes back because the agent chose an action (L*)."),
    FieldSpec("information.web_contribution", choice("not_claimed", "claimed"), DEFAULT, "Whether a contribution of Web access is claimed, which needs an intervention of its own.", Choice("not_claimed")),
    FieldSpec("information.web_withholding", PROSE, OPTIONAL, "The intervention that withholds the Web, where a contribution of it is claimed."),
    FieldSpec("information.consumed", PROSE, OPTIONAL, "Which later action uses an observation of the lineage."),
    # budgets
    *(
        FieldSpec(f"budget.{who}.{name}", kind, presence, doc)
        for who in ("session", "challenger")
        for name, kind, presence, doc in (
            ("turns", CountType("turns", 1), REQUIRED if who == "session" else OPTIONAL, "Model turns in one session."),
            ("cost", _MONEY, REQUIRED if who == "session" else OPTIONAL, "Money that one session may spend; dcp-harness limits each turn to its share."),
            ("time", _TIME, REQUIRED if who == "session" else OPTIONAL, "Wall-clock time of one session; dcp-harness limits each turn to its share."),
        )
    ),
    FieldSpec("budget.session.memory", _DATA, DEFAULT, "Memory of the session's container.", Amount(Fraction(3 * 2**30), "B")),
    FieldSpec("budget.session.cpus", POSITIVE, DEFAULT, "Processors of the session's container.", Fraction(2)),
    FieldSpec("budget.challenger.memory", _DATA, OPTIONAL, "Memory of a challenger's container."),
    FieldSpec("budget.challenger.cpus", POSITIVE, OPTIONAL, "Processors of a challenger's container."),
    FieldSpec("budget.audit.cost", _MONEY, OPTIONAL, "Money for the whole audit."),
    FieldSpec("budget.audit.sessions", CountType("sessions", 1), OPTIONAL, "Sessions for the whole audit."),
    FieldSpec("budget.audit.time", _TIME, OPTIONAL, "Wall-clock time for the whole audit."),
    # thresholds
    FieldSpec("thresholds.delta_min", POSITIVE_PROBABILITY, REQUIRED, "The smallest useful gain over the baseline.", None, "delta_min", "Gate 1, Equation 1", "δ_min"),
    FieldSpec("thresholds.epsilon", PROBABILITY, REQUIRED, "The tolerance of the recovery rule: score >= x - ε recovers.", None, "kappa", "Equation 2", "ε"),
    FieldSpec("thresholds.rho", OPEN_PROBABILITY, REQUIRED, "The recovery probability that the zero-failure bound must not exceed.", None, "rho", "Equation 3", "ρ"),
    FieldSpec("thresholds.recall_min", POSITIVE_PROBABILITY, DEFAULT, "The recall that the positive controls must prove.", Fraction(8, 10), "positive_control_recall_min", "Gate 2, adequacy"),
    FieldSpec("thresholds.delta_evidence", POSITIVE_PROBABILITY, EVIDENCE, "The feedback effect that Evidence needs, before the calibration margin.", None, "delta_evidence", "Gate 3", "δ_evidence"),
    FieldSpec("thresholds.delta_sham", POSITIVE_PROBABILITY, EVIDENCE, "The equivalence band of the null calibration.", None, "delta_sham", "Gate 3", "δ_sham"),
    FieldSpec("thresholds.rho_placebo", OPEN_PROBABILITY, DEFAULT, "The bound on neutral recovery that a necessity claim needs.", Fraction(5, 100), "rho_placebo", "Gate 3"),
    # errors
    FieldSpec("errors.total", OPEN_PROBABILITY, REQUIRED, "The whole error budget of this audit (the number of the block).", None, "alpha_total"),
    *(
        FieldSpec(f"errors.{gate}", OPEN_PROBABILITY, EVIDENCE if gate in ("evidence", "sham", "neutral") else REQUIRED, doc, None, f"alpha_{gate}")
        for gate, doc in (
            ("main", "Alpha of Gate 1."),
            ("score", "Alpha shared by all candidate score tests."),
            ("recovery", "Alpha of the zero-failure bound on recovery."),
            ("adequacy", "Alpha of the positive controls' recall bound."),
            ("evidence", "Alpha of the feedback effect's interval."),
            ("sham", "Alpha of the null calibration's interval."),
            ("neutral", "Alpha of the neutral recovery bound."),
        )
    ),
    # selection
    FieldSpec("selection.rule", PROSE, REQUIRED, "The rule that selects the target artifact."),
    FieldSpec("selection.stop", PROSE, REQUIRED, "The rule that ends the run."),
    # gate recovery
    FieldSpec("gate.recovery.episodes", CountType("episodes", 1), AUTO, "Independent challenger episodes to run.", None, "min_n_ind", "Equation 3"),
    FieldSpec("gate.recovery.spare", CountType("episodes", 0), DEFAULT, "Episodes beyond the least n that may be lost to infrastructure.", 0),
    FieldSpec("gate.recovery.positive_controls", CountType("controls", 1), AUTO, "Positive-control episodes to run.", None, "", "Gate 2, adequacy"),
    FieldSpec("gate.recovery.candidates", CountType("candidates", 1), AUTO, "All candidates whose score test can change the decision (m_max).", None, "m_max"),
    FieldSpec("gate.recovery.draws", PROSE, REQUIRED, "How independent episodes are drawn.", None, "challenge_distribution_hash"),
    FieldSpec("gate.recovery.web", choice("observed_bytes", "none"), REQUIRED, "What challengers see of the Web: all observed bytes, or none where the target saw none."),
    FieldSpec("gate.recovery.best_of", CountType("candidates", 1), DEFAULT, "Candidates per episode; a best-of-k procedure is one episode.", 1),
    FieldSpec("gate.recovery.stratum", IDENTIFIER, DEFAULT, "The recovery stratum, as the kernel records it.", "matched", "recovery_stratum"),
    FieldSpec("gate.recovery.valid_rate", PROBABILITY, DEFAULT, "The least share of valid candidates.", Fraction(5, 10), "min_valid_candidate_rate"),
    FieldSpec("gate.recovery.infrastructure_failures", PROBABILITY, DEFAULT, "The largest share of episodes lost to infrastructure.", Fraction(2, 10), "max_infrastructure_failure_rate"),
    FieldSpec("gate.recovery.model_failures", PROBABILITY, DEFAULT, "The largest share of episodes that the model fails.", Fraction(2, 10), "max_model_failure_rate"),
    # gate feedback
    FieldSpec("gate.feedback.checkpoint", _CHECKPOINT, EVIDENCE, "The rule that selects the checkpoint c.", None, "gate3_checkpoint_selection_rule_hash", "Gate 3"),
    FieldSpec("gate.feedback.scope", choice("lineage_prefix", "lineage_empty"), EVIDENCE, "Whether the checkpoint holds a part of the lineage.", None, "gate3_checkpoint_scope"),
    FieldSpec("gate.feedback.utility", choice("recovers", "mean_score"), EVIDENCE, "The utility u: binary recovery, or the mean score.", None, "feedback_estimand", "Equation 4"),
    FieldSpec("gate.feedback.pairs", CountType("pairs", 1), AUTO, "Feedback pairs to run.", None, "registered_n_feedback_pairs"),
    FieldSpec("gate.feedback.null_pairs", CountType("pairs", 1), AUTO, "Null pairs to run.", None, "registered_n_sham_pairs"),
    FieldSpec("gate.feedback.null_tasks", PROSE, OPTIONAL, "The null tasks, whose answers are determined by E0."),
    FieldSpec("gate.feedback.development", _FILE_OR_SEALED, OPTIONAL, "The manifest of the development runs that shaped the neutral channel, disjoint from the confirmatory ones."),
    FieldSpec("gate.feedback.necessity", choice("not_claimed", "claimed"), DEFAULT, "Whether it is claimed that feedback is necessary: neutral recovery is then bounded too.", Choice("not_claimed"), "necessity_claim_requested"),
    FieldSpec("gate.feedback.valid_rate", PROBABILITY, DEFAULT, "The least share of valid branches in each arm.", Fraction(8, 10), "min_feedback_arm_valid_rate"),
    FieldSpec("gate.feedback.model_failures", PROBABILITY, DEFAULT, "The largest share of branches that the model fails, in each arm.", Fraction(1, 10), "max_feedback_arm_model_failure_rate"),
    FieldSpec("gate.feedback.infrastructure_failures", PROBABILITY, DEFAULT, "The largest share of pairs lost to infrastructure.", Fraction(1, 10), "max_feedback_pair_infrastructure_rate"),
    FieldSpec("gate.feedback.calibration", IDENTIFIER, OPTIONAL, "The id of the null calibration study, as the kernel records it.", None, "sham_calibration_id"),
    FieldSpec("gate.feedback.replacements.pairs", CountType("pairs", 0), DEFAULT, "Feedback pairs that may be replaced.", 0, "max_feedback_pair_replacements"),
    FieldSpec("gate.feedback.replacements.null_pairs", CountType("pairs", 0), DEFAULT, "Null pairs that may be replaced.", 0, "max_sham_pair_replacements"),
    FieldSpec("gate.feedback.replacements.only", choice("before_first_action"), DEFAULT, "When a pair may be replaced.", Choice("before_first_action"), "gate3_pair_replacement_policy"),
    # policies
    *(
        FieldSpec(f"policy.{who}.{name}", kind, presence, doc)
        for who in ("truthful", "neutral", "reference_null", "challenger")
        for name, kind, presence, doc in (
            ("sends", PROSE, REQUIRED if who == "challenger" else EVIDENCE, "What the policy answers."),
            ("preserves", _PRESERVES, OPTIONAL, "What the message keeps of the truthful one: timing, schema, length."),
            ("generator", _FILE_OR_SEALED, OPTIONAL, "The code that makes the messages."),
        )
    ),
    # expect
    FieldSpec("expect.p_B", PROBABILITY, OPTIONAL, "The recovery probability that is expected."),
    FieldSpec("expect.recall", PROBABILITY, OPTIONAL, "The recall of positive controls that is expected."),
    FieldSpec("expect.truthful", PROBABILITY, OPTIONAL, "The recovery probability under truthful feedback that is expected."),
    FieldSpec("expect.neutral", PROBABILITY, OPTIONAL, "The recovery probability under neutral feedback that is expected."),
    FieldSpec("expect.null", PROBABILITY, OPTIONAL, "The discordance of null pairs, in each direction, that is expected."),
    FieldSpec("expect.losses", PROBABILITY, OPTIONAL, "The share of sessions lost to infrastructure that is expected."),
    FieldSpec("expect.assurance", OPEN_PROBABILITY, OPTIONAL, "The probability of a conclusive audit that the design should reach."),
    FieldSpec("expect.session_cost", _MONEY, OPTIONAL, "What a session is expected to cost."),
    FieldSpec("expect.session_time", _TIME, OPTIONAL, "How long a session is expected to take."),
    # parties, notes
    FieldSpec("parties.claimant", PROSE, OPTIONAL, "Who claims."),
    FieldSpec("parties.authority", PROSE, OPTIONAL, "Who audits."),
    FieldSpec("parties.independence", PROSE, OPTIONAL, "How the two are independent."),
    FieldSpec("notes.exposure", PROSE, OPTIONAL, "What the authors had already seen when they registered."),
    FieldSpec("notes.pilots", PROSE, OPTIONAL, "Development runs, which are not confirmatory."),
    FieldSpec("notes.exploratory", PROSE, OPTIONAL, "Analyses that are planned but decide nothing."),
)  # fmt: skip


FIELDS = {row.path: row for row in _ROWS}
_ORDER = {path: index for index, path in enumerate(FIELDS)}
SECTION_TABLE = {section.path: section for section in SECTIONS}


@lru_cache(maxsize=1024)
def find_field(path: str) -> FieldSpec | None:
    """The row of a path, an author's own label included (`information.given.workspace`)."""
    return FIELDS.get(path) or FIELDS.get(path.rpartition(".")[0] + ".*")


@lru_cache(maxsize=2)
def wanted(grade: str) -> tuple[dict[str, SectionSpec], dict[str, FieldSpec]]:
    """The blocks and the fields that a grade requires, by path; no field is itself a block."""
    found = (REQUIRED, EVIDENCE) if grade == "evidence" else (REQUIRED,)
    fields = {s.path: s for s in _ROWS if s.presence in found and s.path not in SECTION_TABLE}
    return {s.path: s for s in SECTIONS if s.presence in found}, fields


def fields_of(section: str) -> list[FieldSpec]:
    """The rows of a section, in table order."""
    return [row for row in _ROWS if row.section == section]


@lru_cache(maxsize=1024)
def canonical_order(path: str) -> tuple[int, str]:
    """A sort key: table order, then the author's own labels by name."""
    spec = find_field(path)
    return (_ORDER[spec.path] if spec else len(_ORDER), path)
