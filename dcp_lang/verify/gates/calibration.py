"""Null calibration: does the neutral policy differ from a reference null by less than delta_sham?"""

from typing import NamedTuple

from dcp_lang.verify.arithmetic import Arithmetic
from dcp_lang.verify.gates.outcome import FAIL, INCONCLUSIVE, PASS
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
from dcp_lang.verify.intervals import Interval
from dcp_lang.verify.records import INFRASTRUCTURE, UNRESOLVED, NullPair, NullStudy
from dcp_lang.verify.replacements import Ledger, null_ledger

#: Null-study field -> registration field: the calibration must be of the registered policy and task family.
_REGISTERED = {
    "calibration_id": "sham_calibration_id",
    "task_family_profile": "task_family_profile",
    "model_id": "model_id",
    "interface_hash": "interface_hash",
    "scaffold_hash": "scaffold_hash",
    "feedback_schema_hash": "feedback_schema_hash",
    "operator_hash": "sham_operator_hash",
    "reference_null_generator_hash": "reference_null_generator_hash",
    "paired_arm_contract_hash": "sham_paired_arm_contract_hash",
    "reference_arm_contract_hash": "sham_reference_arm_contract_hash",
    "proposed_arm_contract_hash": "sham_proposed_arm_contract_hash",
    "utility_scale_id": "utility_scale_id",
}


class Calibration(NamedTuple):
    """`interval` is of (reference null - neutral); `n` pairs were analysed when it was formed."""

    status: str
    reason: str
    n: int = 0
    interval: Interval | None = None
    results: tuple[PairResult, ...] = ()


def calibrate(arith: Arithmetic, study: NullStudy) -> Calibration:
    """Pass when the whole interval lies in [-delta_sham, +delta_sham] (paper, null calibration)."""
    if not _metadata_matches(arith, study):
        return Calibration(INCONCLUSIVE, "sham calibration metadata mismatch")
    fresh = (
        study.freshness_pass,
        study.operator_frozen_before_confirmatory,
        study.development_confirmatory_disjoint,
    )
    if not all(flag is True for flag in fresh):
        return Calibration(INCONCLUSIVE, "confirmatory sham provenance incomplete")
    if study.channel_checks_pass is not True:
        return Calibration(FAIL, "sham channel checks failed")
    ledger = null_ledger(arith.registration, study.pairs)
    if ledger.faults:
        return Calibration(INCONCLUSIVE, "; ".join(ledger.faults))
    active = set(ledger.active)
    results = tuple(
        _result(arith, pair) if index in active else replaced(pair) for index, pair in enumerate(study.pairs)
    )
    return _decide(arith, study, ledger, results)


def _metadata_matches(arith: Arithmetic, study: NullStudy) -> bool:
    reg, development = arith.registration, study.development_manifest_hash
    return (
        all(getattr(study, mine) == getattr(reg, theirs) for mine, theirs in _REGISTERED.items())
        and bool(development and study.confirmatory_manifest_hash)
        and development != study.confirmatory_manifest_hash
    )


def _decide(
    arith: Arithmetic, study: NullStudy, ledger: Ledger, results: tuple[PairResult, ...]
) -> Calibration:
    differences = [result.difference for result in analysed(results)]
    n = len(differences)
    if not _healthy(arith, study, ledger):
        reason = "sham valid-submission or attrition-rate checks failed"
        return Calibration(FAIL, reason, n, None, results)
    if n != arith.registration.registered_n_sham_pairs:
        reason = "sham fixed sample is incomplete or unresolved"
        return Calibration(INCONCLUSIVE, reason, n, None, results)
    interval = arith.effect(differences, "alpha_sham", "sham_delta_null_ci")
    status, reason = _equivalent(interval, arith.number("delta_sham"))
    return Calibration(status, reason, n, interval, results)


def _equivalent(interval: Interval, band: float) -> tuple[str, str]:
    if not interval.bounded:
        return INCONCLUSIVE, "sham equivalence interval unresolved"
    if interval.at_least(-band) and interval.at_most(band):
        return PASS, "confirmatory sham equivalence passed"
    if interval.above(band) or interval.below(-band):
        return FAIL, "confirmatory sham difference lies outside equivalence band"
    return INCONCLUSIVE, "sham interval crosses equivalence boundary"


def _result(arith: Arithmetic, pair: NullPair) -> PairResult:
    if pair.assignment_frozen is not True or pair.independence_ok is not True:
        return PairResult(pair, UNRESOLVED, "sham assignment or independent-unit audit failed")
    if lost := lost_arms(pair):
        if all(arm.infrastructure_outcome_independent and arm.utility is None for arm in lost):
            return PairResult(pair, EXCLUDED, "whole sham pair excluded")
        return PairResult(pair, UNRESOLVED, "ambiguous sham infrastructure attrition")
    measured = [_utility(arith, pair, index) for index in (0, 1)]
    (reference, _), (proposed, _) = measured
    if reference is None or proposed is None:
        return PairResult(pair, UNRESOLVED, "; ".join(reason for _, reason in measured))
    return PairResult(pair, ANALYSED, "ITT sham pair included", (reference, proposed))


def _utility(arith: Arithmetic, pair: NullPair, index: int) -> tuple[object, str]:
    utility, reason = mean_utility(arith, pair.arms[index], derived=False)
    if utility is not None and arith.registration.binary_feedback and utility not in (0, 1):
        return None, "binary sham calibration requires 0/1 utility"
    return utility, reason


def _healthy(arith: Arithmetic, study: NullStudy, ledger: Ledger) -> bool:
    rates = []
    for index in (0, 1):
        arms = [study.pairs[active].arms[index] for active in ledger.active]
        rates.append(arm_rates(arith, [arm for arm in arms if arm.outcome != INFRASTRUCTURE]))
    lost = arith.ratio(ledger.lost, len(study.pairs))
    return bool(
        min(rate.valid for rate in rates) >= arith.number("min_valid_candidate_rate")
        and max(rate.failed for rate in rates) <= arith.number("max_model_failure_rate")
        and lost <= arith.number("max_infrastructure_failure_rate")
    )
