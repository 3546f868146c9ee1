"""Could the challengers have recovered it? Only then do zero witnesses mean something (paper, Gate 2)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dcp_lang.verify.arithmetic import Arithmetic, Bound
from dcp_lang.verify.gates.classify import Classified
from dcp_lang.verify.records import (
    CONTRACT_VIOLATION,
    INFRASTRUCTURE,
    MODEL_FAILURE,
    Adequacy,
)


class Adequate(NamedTuple):
    """Whether the search was adequate, why not, and the lower bound on the positive controls' recall."""

    passes: bool
    reasons: list[str]
    recall: Bound | None
    checks: Adequacy


def assess(arith: Arithmetic, checks: Adequacy, results: Sequence[Classified], place: str) -> Adequate:
    """Every reason why `results` say little; `place` is where the certificate keeps the recall bound."""
    reasons = list(_attested(arith, checks, results))
    recall = None
    try:
        recall = arith.recall(checks.positive_control_successes, checks.positive_control_trials, place)
    except (TypeError, ValueError, ArithmeticError):
        reasons.append("positive-control h/n evidence is malformed")
    if recall is not None and not recall.reaches:
        minimum = arith.registration.positive_control_recall_min
        reasons.append(f"positive-control recall LCB {recall.value:.3f} < registered minimum {minimum:.3f}")
    reasons += _slots(arith, results)
    reasons += _rates(arith, results)
    return Adequate(not reasons, reasons, recall, checks)


def _attested(arith: Arithmetic, checks: Adequacy, results: Sequence[Classified]) -> Iterator[str]:
    stratum = arith.registration.recovery_stratum
    if checks.matched_model_present is not True:
        yield "no matched model/interface stratum attested"
    if not any(result.attempt.stratum == stratum for result in results):
        yield f"no actual control in registered stratum {stratum!r}"
    if checks.materials_readable is not True:
        yield "privileged materials not readable/retrievable"
    if checks.opportunity_floor_met is not True:
        yield "opportunity floor not met"
    if checks.health_audit_pass is not True:
        yield "independence/parser/provider/verifier health audit failed"
    if not checks.checks_manifest_hash:
        yield "adequacy checks manifest hash missing"


def _slots(arith: Arithmetic, results: Sequence[Classified]) -> Iterator[str]:
    slots, m_max = len(results), arith.registration.m_max
    strata = {result.attempt.stratum for result in results}
    if slots > m_max:
        yield f"candidate slots {slots} exceed registered M_max={m_max}"
    if "" in strata:
        yield "one or more controls have no registered stratum"
    if len(strata - {""}) > 1:
        yield "heterogeneous strata require a registered mixture/per-stratum bound"


def _rates(arith: Arithmetic, results: Sequence[Classified]) -> Iterator[str]:
    started = len(results)
    lost = sum(result.status == INFRASTRUCTURE for result in results)
    scored = sum(result.gap is not None for result in results)
    failed = sum(result.status == MODEL_FAILURE for result in results)
    violated = sum(result.status == CONTRACT_VIOLATION for result in results)
    floor = "min_valid_candidate_rate"
    rate = arith.ratio(scored, started - lost) if started > lost else 0
    if rate < arith.number(floor):
        yield _rate("valid-candidate", rate, "< registered minimum", arith, floor)
    caps = (
        ("infrastructure-failure", lost, started, "max_infrastructure_failure_rate"),
        ("model-failure", failed, started - lost, "max_model_failure_rate"),
        ("execution-contract-violation", violated, started, "max_execution_contract_violation_rate"),
    )
    for label, count, whole, cap in caps:
        rate = arith.ratio(count, whole) if whole else 0
        if rate > arith.number(cap):
            yield _rate(label, rate, "> registered maximum", arith, cap)


def _rate(label: str, rate: float, relation: str, arith: Arithmetic, name: str) -> str:
    return f"{label} rate {float(rate):.3f} {relation} {getattr(arith.registration, name):.3f}"
