"""The decision ladder: the first rule that applies gives the verdict, and nothing passes by default."""

from collections.abc import Sequence
from typing import NamedTuple

from dcp_lang.verify.gates.classify import Classified
from dcp_lang.verify.gates.feedback import NOT_SUPPORTED, SUPPORTED, Gate3
from dcp_lang.verify.gates.outcome import INCONCLUSIVE, PASS, Gate1
from dcp_lang.verify.gates.recovery import NOT_RECOVERED, RECOVERED, Search
from dcp_lang.verify.records import INVALID, UNRESOLVED, VALID, Registration

CERTIFIED, REFUTED, NOT_TESTED = "certified", "refuted", "not_tested"
NULL, INCOMPLETE, STATISTICAL = "null", "audit_incomplete", "statistical_uncertainty"


class Grade(NamedTuple):
    """One grade's verdict, why, and for an inconclusive one the class of what is missing."""

    verdict: str
    reason: str
    missing: str = NULL
    #: Refuted by a qualified recovery witness.
    recovered: bool = False


class Gates(NamedTuple):
    """The gates' results with the findings that stand above them."""

    registration_faults: Sequence[str]
    core_faults: Sequence[str]
    #: Faults of a neutral ledger that could hide a recovery within Gate 2's scope.
    hidden_witness: Sequence[str]
    feedback_faults: Sequence[str]
    outcome: Gate1
    recovery: Search
    feedback: Gate3 | None


def core(reg: Registration, gates: Gates) -> Grade:
    """Core = Gate 1, no qualified witness, the zero-hit bound within rho, a complete adequate audit."""
    witnessed = gates.recovery.status == RECOVERED
    if gates.registration_faults:
        return Grade(
            INCONCLUSIVE, "registration incomplete: " + "; ".join(gates.registration_faults), INCOMPLETE
        )
    if gates.core_faults and not witnessed:
        return Grade(INCONCLUSIVE, "integrity incomplete: " + "; ".join(gates.core_faults), INCOMPLETE)
    return _outcome(gates.outcome) or _recovery(reg, gates)


def _outcome(gate: Gate1) -> Grade | None:
    """What Gate 1 decides before any challenger counts; None when it passes."""
    if gate.baseline_validity != VALID:
        return Grade(INCONCLUSIVE, "Valid(baseline) is false or unresolved", INCOMPLETE)
    if gate.astar_validity == INVALID:
        return Grade(REFUTED, "Valid(A*) = false")
    if gate.astar_validity == UNRESOLVED:
        return Grade(INCONCLUSIVE, "Valid(A*) unresolved", INCOMPLETE)
    if gate.baseline_fails == INCONCLUSIVE:
        return Grade(INCONCLUSIVE, "baseline position vs recovery line uncertain", STATISTICAL)
    if gate.baseline_fails != PASS:
        return Grade(REFUTED, "baseline satisfies P")
    if gate.gain_missed:
        return Grade(REFUTED, "main utility confirmed below delta_min")
    if not gate.gain_reached:
        return Grade(INCONCLUSIVE, "main utility uncertain around delta_min", STATISTICAL)
    return None


def _recovery(reg: Registration, gates: Gates) -> Grade:
    search, feedback = gates.recovery, gates.feedback
    if search.status == RECOVERED:
        return Grade(REFUTED, f"no-feedback recovery: {search.reason}", recovered=True)
    if feedback is not None and feedback.refutes_core:
        return Grade(REFUTED, "lineage-empty neutral recovery reached P", recovered=True)
    if feedback is not None and feedback.in_scope and feedback.neutral.unresolved:
        return Grade(
            INCONCLUSIVE,
            "lineage-empty recovery ledger contains an unresolved P classification",
            _search_class(reg, feedback.neutral),
        )
    if gates.hidden_witness:
        reason = "lineage-empty recovery ledger is malformed: " + "; ".join(gates.hidden_witness)
        return Grade(INCONCLUSIVE, reason, INCOMPLETE)
    if search.status != NOT_RECOVERED:
        missing = INCOMPLETE if search.inadmissible else _search_class(reg, search)
        return Grade(INCONCLUSIVE, f"no-feedback recovery inconclusive: {search.reason}", missing)
    return Grade(CERTIFIED, f"scoped non-recovery: {search.reason}")


def _search_class(reg: Registration, search: Search) -> str:
    """Statistical when the search was complete and only its numbers fall short."""
    if not search.adequacy.passes:
        return INCOMPLETE
    if search.unresolved:
        return _unresolved_class(search.results)
    crossed = search.n >= reg.min_n_ind and search.bound is not None and not search.bound.reaches
    return STATISTICAL if crossed else INCOMPLETE


def _unresolved_class(results: Sequence[Classified]) -> str:
    """Statistical when every unresolved candidate was scored: its interval crosses the line."""
    gaps = [result.gap for result in results if result.status == UNRESOLVED]
    return STATISTICAL if gaps and None not in gaps else INCOMPLETE


def evidence(reg: Registration, core_verdict: str, gates: Gates) -> Grade:
    """Evidence = Core, a calibrated neutral policy, and an effect of delta_evidence beyond delta_sham."""
    gate = gates.feedback
    if not reg.wants_evidence:
        return Grade(NOT_TESTED, "evidence grade not requested")
    if core_verdict != CERTIFIED:
        return Grade(NOT_TESTED, "Core not certified; evidence grade unreachable")
    if gate is None:
        return Grade(INCONCLUSIVE, "requested feedback intervention was not supplied", INCOMPLETE)
    if reg.necessity_claim_requested and gate.neutral.status == RECOVERED:
        return Grade(REFUTED, "neutral branch recovered the registered outcome")
    if gates.feedback_faults:
        return Grade(INCONCLUSIVE, "feedback audit integrity is incomplete", INCOMPLETE)
    if gate.calibration.status != PASS:
        return _uncalibrated(reg, gate)
    return _effect(reg, gate)


def _uncalibrated(reg: Registration, gate: Gate3) -> Grade:
    calibration = gate.calibration
    interval = calibration.interval
    crossed = (
        calibration.status == INCONCLUSIVE
        and calibration.n == reg.registered_n_sham_pairs
        and interval is not None
        and interval.bounded
    )
    reason = f"sham_adequacy={calibration.status}"
    return Grade(INCONCLUSIVE, reason, STATISTICAL if crossed else INCOMPLETE)


def _effect(reg: Registration, gate: Gate3) -> Grade:
    effect = gate.effect
    if effect.status == SUPPORTED:
        if reg.necessity_claim_requested and gate.neutral.status != NOT_RECOVERED:
            missing = _search_class(reg, gate.neutral)
            return Grade(INCONCLUSIVE, "neutral recovery is unresolved", missing)
        return Grade(CERTIFIED, "feedback_effect supported with passing sham calibration")
    if effect.status == NOT_SUPPORTED:
        return Grade(REFUTED, "feedback_effect confirmed below the registered minimum")
    complete = effect.health.passes and effect.unresolved == 0
    crossed = complete and effect.interval is not None and effect.interval.bounded
    reason = f"feedback_effect inconclusive: {gate.reason}"
    return Grade(INCONCLUSIVE, reason, STATISTICAL if crossed else INCOMPLETE)
