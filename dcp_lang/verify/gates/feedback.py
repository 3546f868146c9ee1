"""Gate 3: does truthful feedback raise the utility over the neutral policy, beyond the calibrated bias?"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from dcp_lang.verify.arithmetic import Arithmetic
from dcp_lang.verify.gates.calibration import Calibration, calibrate
from dcp_lang.verify.gates.classify import HIT, MISS, Classified, Scope, classify
from dcp_lang.verify.gates.outcome import INCONCLUSIVE, PASS
from dcp_lang.verify.gates.pairs import (
    ANALYSED,
    EXCLUDED,
    PairResult,
    analysed,
    arm_rates,
    lost_arms,
    mean_utility,
    replaced,
)
from dcp_lang.verify.gates.recovery import RECOVERED, Search, blocked, search
from dcp_lang.verify.gates.recovery import Ledger as RecoveryLedger
from dcp_lang.verify.integrity import Findings
from dcp_lang.verify.intervals import Interval
from dcp_lang.verify.records import (
    CONTRACT_VIOLATION,
    MODEL_FAILURE,
    UNRESOLVED,
    Adequacy,
    Artifact,
    Attempt,
    Branch,
    Evidence,
    Feedback,
    FeedbackPair,
    Registration,
)
from dcp_lang.verify.replacements import Ledger, feedback_ledger

SUPPORTED, NOT_SUPPORTED = "supported", "not_supported"


class Health(NamedTuple):
    """Whether both arms worked; a collapsed arm would make a contrast of its own."""

    passes: bool
    reasons: list[str]
    truthful_valid: Any = 0.0
    neutral_valid: Any = 0.0
    truthful_failed: Any = 1.0
    neutral_failed: Any = 1.0
    lost: Any = 1.0


class Effect(NamedTuple):
    """The checkpoint-conditional feedback effect: interval of (truthful - neutral) over analysed pairs."""

    status: str
    reason: str
    interval: Interval | None
    results: tuple[PairResult, ...]
    unresolved: int
    excluded: int
    health: Health

    @property
    def n(self) -> int:
        return sum(1 for _ in analysed(self.results))


class Gate3(NamedTuple):
    """Gate 3; `recorded`: how much of the evidence the certificate repeats (all, witness or nothing)."""

    calibration: Calibration
    effect: Effect
    neutral: Search
    in_scope: bool
    refutes_core: bool
    reason: str
    recorded: str = "all"


def evaluate(arith: Arithmetic, evidence: Evidence, findings: Findings, study: Feedback) -> Gate3:
    """Gate 3 on evidence without integrity findings."""
    target = evidence.outcome.astar
    calibration = calibrate(arith, study.sham)
    effect = _effect(arith, study, target, calibration)
    neutral = search(arith, _neutral_ledger(arith.registration, study, findings), target)
    refutes = neutral.status == RECOVERED and findings.neutral_in_scope
    reason = f"{calibration.reason}; {effect.reason}"
    return Gate3(calibration, effect, neutral, findings.neutral_in_scope, refutes, reason)


def barred(reason: str) -> Gate3:
    """Gate 3 where the evidence may not be scored."""
    effect = Effect(INCONCLUSIVE, reason, None, (), 0, 0, Health(False, [reason]))
    calibration = Calibration(INCONCLUSIVE, reason)
    return Gate3(calibration, effect, blocked(reason), False, False, reason, "nothing")


def candidate(reg: Registration, pair: FeedbackPair, branch: Branch) -> Attempt:
    """A branch as a recovery candidate under the registered neutral-recovery contract."""
    return Attempt(
        attempt_id=branch.branch_id,
        outcome=branch.outcome,
        per_unit=branch.per_unit,
        validity=branch.validity,
        artifact_hash=branch.artifact_hash,
        unit_ids=branch.unit_ids,
        stratum=reg.recovery_stratum,
        scope_contract_hash=reg.gate3_neutral_recovery_contract_hash,
        prestart_contract_receipt_hash=branch.prestart_contract_receipt_hash,
        challenge_distribution_hash=pair.randomization_distribution_hash,
        independent_draw_receipt_hash=pair.randomization_draw_receipt_hash,
        independent_unit_id=pair.block_id or pair.pair_id,
        independence_ok=pair.independence_ok,
        infrastructure_outcome_independent=branch.infrastructure_outcome_independent,
    )


def _scope(reg: Registration) -> Scope:
    return Scope(reg.gate3_neutral_recovery_contract_hash, reg.gate3_pair_randomization_distribution_hash)


def classified(arith: Arithmetic, pair: FeedbackPair, branch: Branch, target: Artifact) -> Classified:
    attempt = candidate(arith.registration, pair, branch)
    return classify(arith, attempt, target, _scope(arith.registration))


def _neutral_ledger(reg: Registration, study: Feedback, findings: Findings) -> RecoveryLedger:
    ledger = feedback_ledger(reg, study.pairs)
    active = () if ledger.faults else ledger.active
    attempts = [candidate(reg, study.pairs[index], study.pairs[index].neutral) for index in active]
    barrier = "neutral branch contract/channel audit is not admissible"
    return RecoveryLedger(
        attempts,
        study.neutral_adequacy or Adequacy(),
        _scope(reg),
        "alpha_neutral",
        "rho_placebo",
        "feedback_test.neutral_recovery",
        () if findings.neutral_admissible else (barrier,),
    )


def witnessed(gate: Gate3, study: Feedback, findings: Findings, results: Sequence[Classified]) -> Gate3:
    """`gate` with the neutral hit among separately sound candidates `results`, which nothing else can erase.

    Without one, a hit that only the full ledger shows does not count: it could have come from an unsound
    record.
    """
    hits = sum(result.status == HIT for result in results)
    if not hits or not findings.neutral_admissible:
        return _unwitnessed(gate)
    units = {result.attempt.independent_unit_id for result in results if result.independent}
    malformed = len(study.pairs) - len(results)
    open_ends = sum(result.status in (UNRESOLVED, CONTRACT_VIOLATION) for result in results)
    reason = (
        "at least one separately integrity-validated neutral branch reached P; "
        "feedback-effect/sham errors cannot erase this positive witness"
    )
    neutral = gate.neutral._replace(
        status=RECOVERED,
        results=list(results),
        n=len(units),
        hits=hits,
        admissible_hits=hits,
        unresolved=malformed + open_ends,
        bound=None,
        reason=reason,
    )
    in_scope = findings.neutral_in_scope
    recorded = "witness" if gate.recorded == "nothing" else gate.recorded
    return gate._replace(
        neutral=neutral, in_scope=in_scope, refutes_core=in_scope, reason=reason, recorded=recorded
    )


def _unwitnessed(gate: Gate3) -> Gate3:
    if gate.neutral.status != RECOVERED:
        return gate
    reason = (
        "a raw score hit was observed, but no neutral candidate passed the "
        "separate positive-witness integrity check"
    )
    neutral = gate.neutral._replace(
        status=INCONCLUSIVE,
        admissible_hits=0,
        unresolved=max(1, gate.neutral.unresolved),
        bound=None,
        reason=reason,
    )
    return gate._replace(neutral=neutral, refutes_core=False, reason=reason)


def _effect(arith: Arithmetic, study: Feedback, target: Artifact, calibration: Calibration) -> Effect:
    ledger = feedback_ledger(arith.registration, study.pairs)
    health = _health(arith, study, ledger)
    results, unresolved, excluded, reasons = _differences(arith, study, target, ledger)
    differences = [result.difference for result in analysed(results)]
    interval = arith.effect(differences, "alpha_evidence", "effect_ci") if differences else None
    if not health.passes:
        status, reason = INCONCLUSIVE, "; ".join(health.reasons)
    elif calibration.status != PASS:
        status, reason = INCONCLUSIVE, f"sham_adequacy={calibration.status}"
    elif unresolved or interval is None or not interval.bounded:
        status, reason = INCONCLUSIVE, "; ".join(reasons) or "feedback interval unresolved"
    else:
        status, reason = _against_margin(arith, interval)
    return Effect(status, reason, interval, results, unresolved, excluded, health)


def _against_margin(arith: Arithmetic, interval: Interval) -> tuple[str, str]:
    if arith.supported(interval):
        return SUPPORTED, "bias-adjusted feedback lower bound reaches delta_evidence"
    if arith.unsupported(interval):
        return NOT_SUPPORTED, "bias-adjusted feedback upper bound is below delta_evidence"
    return INCONCLUSIVE, "feedback interval crosses the adjusted evidence boundary"


def _differences(
    arith: Arithmetic, study: Feedback, target: Artifact, ledger: Ledger
) -> tuple[tuple[PairResult, ...], int, int, list[str]]:
    """(results, unresolved, excluded, reasons) of the started pairs."""
    audits = (study.design_checks_pass, study.stopping_rule_pass, study.registered_pairs_complete)
    if not all(flag is True for flag in audits):
        return (), len(study.pairs), 0, ["paired design/stopping/completeness audit failed"]
    if ledger.faults:
        return (), len(study.pairs), ledger.lost, list(ledger.faults)
    active = set(ledger.active)
    results = tuple(
        _result(arith, pair, target) if index in active else replaced(pair)
        for index, pair in enumerate(study.pairs)
    )
    open_pairs = [result for result in results if result.status == UNRESOLVED]
    reasons = [f"pair {result.pair.pair_id}: {result.reason}" for result in open_pairs]
    excluded = len(ledger.replaced) + sum(result.status == EXCLUDED for result in results)
    n, registered = sum(1 for _ in analysed(results)), arith.registration.registered_n_feedback_pairs
    if n == registered:
        return results, len(open_pairs), excluded, reasons
    reasons.append(f"analyzed pairs {n} != registered fixed N={registered}")
    return results, len(open_pairs) + 1, excluded, reasons


def _result(arith: Arithmetic, pair: FeedbackPair, target: Artifact) -> PairResult:
    if pair.assignment_frozen is not True or pair.independence_ok is not True:
        return PairResult(pair, UNRESOLVED, "assignment or independent-unit audit failed")
    if lost := lost_arms(pair):
        independent = all(
            arm.infrastructure_outcome_independent and arm.utility is None and arm.per_unit is None
            for arm in lost
        )
        if independent:
            return PairResult(pair, EXCLUDED, "whole randomized pair excluded")
        return PairResult(pair, UNRESOLVED, "informative/ambiguous infrastructure attrition")
    classes = None
    if arith.registration.binary_feedback:
        first, second = (classified(arith, pair, arm, target) for arm in pair.arms)
        classes = first, second
        measured = [_recovers(item) for item in classes]
    else:
        measured = [mean_utility(arith, arm, derived=True) for arm in pair.arms]
    (truthful, _), (neutral, _) = measured
    if truthful is None or neutral is None:
        reason = "; ".join(text for _, text in measured)
        return PairResult(pair, UNRESOLVED, reason, None, classes)
    return PairResult(pair, ANALYSED, "ITT pair included", (truthful, neutral), classes)


def _recovers(result: Classified) -> tuple[float | None, str]:
    """Binary utility: 1 when the branch reaches the recovery line."""
    if result.status == HIT:
        return 1.0, "P confirmed"
    if result.status in (MISS, MODEL_FAILURE):
        return 0.0, "P not reached"
    return None, "P classification unresolved"


def _health(arith: Arithmetic, study: Feedback, ledger: Ledger) -> Health:
    active = [] if ledger.faults else [study.pairs[index] for index in ledger.active]
    complete = [pair for pair in active if not lost_arms(pair)]
    truthful = arm_rates(arith, [pair.truthful for pair in complete])
    neutral = arm_rates(arith, [pair.neutral for pair in complete])
    lost = arith.ratio(ledger.lost, len(study.pairs)) if study.pairs else 1.0
    reasons = list(ledger.faults)
    if min(truthful.valid, neutral.valid) < arith.number("min_feedback_arm_valid_rate"):
        reasons.append("one feedback arm has a valid-artifact rate below the registered floor")
    if max(truthful.failed, neutral.failed) > arith.number("max_feedback_arm_model_failure_rate"):
        reasons.append("one feedback arm has a model-failure rate above the registered cap")
    if lost > arith.number("max_feedback_pair_infrastructure_rate"):
        reasons.append("paired infrastructure-failure rate exceeds the registered cap")
    return Health(not reasons, reasons, truthful.valid, neutral.valid, truthful.failed, neutral.failed, lost)
