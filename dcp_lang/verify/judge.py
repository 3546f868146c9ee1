"""From evidence to a verdict, once for each way of counting."""

from typing import NamedTuple

from dcp_lang.verify import ladder, registration
from dcp_lang.verify.arithmetic import Arithmetic
from dcp_lang.verify.checks import MALFORMED, guarded
from dcp_lang.verify.gates import feedback, outcome, recovery
from dcp_lang.verify.gates.classify import Classified
from dcp_lang.verify.gates.feedback import Gate3
from dcp_lang.verify.gates.outcome import Gate1
from dcp_lang.verify.gates.recovery import RECOVERED, Search
from dcp_lang.verify.integrity import Findings
from dcp_lang.verify.ladder import Gates, Grade
from dcp_lang.verify.records import Evidence, Feedback

#: Words in a neutral-ledger finding that leave the checkpoint itself in doubt, whatever scope it names.
_SCOPE_IN_DOUBT = ("scope manifest", "global recovery-ledger", "checkpoint_scope", "checkpoint_hash")


class Judgement(NamedTuple):
    """Both grades, with the gates and findings they rest on."""

    core: Grade
    evidence: Grade
    gates: Gates
    neutral_faults: list[str]
    neutral_ledger_faults: list[str]

    @property
    def reason(self) -> str:
        return f"core: {self.core.reason} | evidence: {self.evidence.reason}"


def judge(evidence: Evidence, findings: Findings, arith: Arithmetic) -> Judgement:
    """Walk the gates and the ladder with `arith`'s numbers."""
    reg = evidence.registration
    faults = guarded("registration schema error", lambda: registration.faults(reg, arith))
    core_faults, feedback_faults = list(findings.core), list(findings.feedback)
    neutral_faults = list(findings.neutral)
    gate1, gate2, gate3 = _blocked(evidence, "input failed registration/integrity validation")
    if not faults and not core_faults:
        try:
            gate1, gate2 = _score(arith, evidence)
        except MALFORMED as error:
            core_faults.append(f"evaluation input error: {type(error).__name__}: {error}")
            gate1, gate2, gate3 = _blocked(evidence, "gate evaluation failed closed")
        else:
            gate3 = _feedback(arith, evidence, findings, feedback_faults, neutral_faults)
    elif not faults and findings.witnesses:
        gate1, gate2 = _local_witness(arith, evidence, findings) or (gate1, gate2)
    gates = Gates(
        faults, core_faults, _hidden_witness(evidence, findings), feedback_faults, gate1, gate2, gate3
    )
    core = ladder.core(reg, gates)
    grade = ladder.evidence(reg, core.verdict, gates)
    return Judgement(core, grade, gates, neutral_faults, findings.neutral_ledger)


def _blocked(evidence: Evidence, reason: str) -> tuple[Gate1, Search, Gate3 | None]:
    barred = feedback.barred(reason) if evidence.feedback is not None else None
    return outcome.blocked(evidence.outcome, reason), recovery.blocked(reason), barred


def _score(arith: Arithmetic, evidence: Evidence) -> tuple[Gate1, Search]:
    ledger = recovery.challengers(evidence)
    return outcome.evaluate(arith, evidence.outcome), recovery.search(arith, ledger, evidence.outcome.astar)


def _local_witness(arith: Arithmetic, evidence: Evidence, findings: Findings) -> tuple[Gate1, Search] | None:
    """A recovery among candidates that are sound by themselves, in a record that is otherwise broken."""
    ledger = recovery.challengers(evidence, findings.witnesses)
    try:
        found = recovery.search(arith, ledger, evidence.outcome.astar)
        gate1 = outcome.evaluate(arith, evidence.outcome)
    except MALFORMED:
        return None
    if found.status != RECOVERED:
        return None
    survived = "; separately validated local witness survived unrelated full-ledger defects"
    return gate1, found._replace(reason=found.reason + survived)


def _feedback(
    arith: Arithmetic,
    evidence: Evidence,
    findings: Findings,
    feedback_faults: list[str],
    neutral_faults: list[str],
) -> Gate3 | None:
    """Gate 3; what goes wrong while scoring is added to the fault lists."""
    study = evidence.feedback
    if study is None:
        return None
    try:
        results = _neutral_results(arith, evidence, findings, study)
    except MALFORMED as error:
        neutral_faults.append(f"neutral-hit evaluation error: {type(error).__name__}: {error}")
        results = []
    if feedback_faults:
        gate = feedback.barred("Gate 3 integrity validation failed")
    else:
        try:
            gate = feedback.evaluate(arith, evidence, findings, study)
        except MALFORMED as error:
            feedback_faults.append(f"Gate 3 evaluation input error: {type(error).__name__}: {error}")
            gate = feedback.barred("Gate 3 evaluation failed closed")
    return feedback.witnessed(gate, study, findings, results)


def _neutral_results(
    arith: Arithmetic, evidence: Evidence, findings: Findings, study: Feedback
) -> list[Classified]:
    target = evidence.outcome.astar
    pairs = [study.pairs[index] for index in findings.neutral_witnesses]
    return [feedback.classified(arith, pair, pair.neutral, target) for pair in pairs]


def _hidden_witness(evidence: Evidence, findings: Findings) -> list[str]:
    """Neutral-ledger faults that may hide a recovery from Gate 2; a prefix lies outside its scope."""
    study, faults = evidence.feedback, findings.neutral_ledger
    in_doubt = any(words in fault for fault in faults for words in _SCOPE_IN_DOUBT)
    outside = study is not None and study.checkpoint_scope == "lineage_prefix" and not in_doubt
    return [] if outside else faults
