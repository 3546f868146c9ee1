"""The quantities of the paper's reusable report, as exact texts.

Outcome threshold, model and information scope, complete episode budget, recovery witnesses or probability
bound, the checkpoint-conditional feedback interval, the neutral bound kept apart, cost, temporal scope. Upper
bounds are rounded up and lower bounds down; everything else is exact.
"""

from collections import Counter
from fractions import Fraction
from math import floor
from typing import Any

from dcp_lang.canonical import number_text
from dcp_lang.stats.bernstein import half_width
from dcp_lang.stats.bounds import clopper_pearson_lower, zero_failure_bound
from dcp_lang.stats.paired import paired_interval
from dcp_lang.verify.arithmetic import Exact, discordant
from dcp_lang.verify.binding import Binding
from dcp_lang.verify.concerns import episodes
from dcp_lang.verify.gates.classify import HIT
from dcp_lang.verify.gates.feedback import Gate3
from dcp_lang.verify.gates.outcome import Gate1
from dcp_lang.verify.gates.pairs import PairResult, analysed
from dcp_lang.verify.gates.recovery import Search
from dcp_lang.verify.intervals import exact as exact_value
from dcp_lang.verify.judge import Judgement
from dcp_lang.verify.records import Evidence, Registration
from dcp_lang.verify.registration import active_alphas

#: Decimals of a rounded bound: past any registered threshold, short enough to read.
PLACES = 8
#: At most so many different challenger scores are listed; more are counted in bins of 1/BINS.
BINS = 200


def quantities(
    evidence: Evidence, judged: Judgement, arith: Exact, binding: Binding | None
) -> dict[str, Any]:
    """Every reported quantity by section; a section is None when its gate was not scored."""
    gates, reg = judged.gates, evidence.registration
    gate3 = gates.feedback if gates.feedback and gates.feedback.effect.results else None
    return {
        "outcome": _outcome(evidence, gates.outcome, arith),
        "recovery": _recovery(evidence, gates.recovery, arith),
        "feedback": _feedback(reg, gate3, arith),
        "calibration": _calibration(reg, gates.feedback, arith),
        "neutral": _neutral(gates.feedback, arith),
        "scope": _scope(evidence),
        "budget": _budget(reg, arith),
        "cost": binding.frozen.cost if binding else None,
        "temporal_scope": _temporal(binding),
    }


def _registered(arith: Exact, name: str) -> str | None:
    """A registered number; None where the registration holds none, which is a finding of its own."""
    try:
        return number_text(arith.number(name))
    except (TypeError, ValueError, OverflowError):
        return None


def _outcome(evidence: Evidence, gate: Gate1, arith: Exact) -> dict[str, Any] | None:
    if gate.x is None or gate.gain is None:
        return None
    baseline = arith.mean(evidence.outcome.baseline.per_unit)
    lower, upper = gate.x - baseline, gate.x - baseline
    units = len(evidence.outcome.astar.unit_ids)
    if not arith.exhaustive and units > 1:
        lower, upper = _bernstein(_unit_gains(evidence), arith.number("alpha_main"))
    return {
        "validity": gate.astar_validity,
        "baseline_validity": gate.baseline_validity,
        "population": evidence.registration.inference_scope,
        "units": units,
        "x": number_text(gate.x),
        "baseline": number_text(baseline),
        "gain": number_text(gate.x - baseline),
        "gain_interval": [number_text(lower), number_text(upper)],
        "delta_min": _registered(arith, "delta_min"),
        "epsilon": number_text(arith.epsilon),
        "recovery_line": number_text(gate.x - arith.epsilon),
    }


def _unit_gains(evidence: Evidence) -> list[Fraction]:
    astar, baseline = evidence.outcome
    scores = zip(astar.per_unit, baseline.per_unit, strict=True)
    return [exact_value(left) - exact_value(right) for left, right in scores]


def _bernstein(differences: list[Fraction], alpha: Fraction) -> tuple[Fraction, Fraction]:
    """The empirical Bernstein interval in [-1, 1], rounded outward."""
    n = len(differences)
    mean = sum(differences, Fraction()) / n
    variance = sum(((value - mean) ** 2 for value in differences), Fraction()) / (n - 1)
    width = half_width(n, variance, alpha, places=PLACES)
    scale = 10**PLACES
    lower, upper = mean - width, mean + width
    outward = Fraction(floor(lower * scale), scale), -Fraction(floor(-upper * scale), scale)
    return max(Fraction(-1), outward[0]), min(Fraction(1), outward[1])


def _recovery(evidence: Evidence, search: Search, arith: Exact) -> dict[str, Any] | None:
    if not search.results:
        return None
    checks = search.adequacy.checks
    recall = None
    if search.adequacy.recall is not None:
        alpha = arith.number("alpha_adequacy")
        hits, trials = checks.positive_control_successes, checks.positive_control_trials
        recall = number_text(clopper_pearson_lower(hits, trials, alpha, PLACES))
    return {
        "status": search.status,
        "candidates": len(search.results),
        "episodes": episodes(evidence),
        "independent_episodes": search.n,
        "required_episodes": evidence.registration.min_n_ind,
        "statuses": dict(sorted(Counter(result.status for result in search.results).items())),
        "witnesses": _witnesses(search, arith),
        "zero_hit_bound": _zero_hit(search, arith, "alpha_recovery"),
        "rho": _registered(arith, "rho"),
        "adequate": search.adequacy.passes,
        "inadequacies": search.adequacy.reasons,
        "positive_controls": {
            "recovered": checks.positive_control_successes,
            "trials": checks.positive_control_trials,
            "recall_lower_bound": recall,
            "minimum": _registered(arith, "positive_control_recall_min"),
        },
        "scores": _scores(search, arith),
    }


def _witnesses(search: Search, arith: Exact) -> list[dict[str, Any]]:
    hits = [result.attempt for result in search.results if result.status == HIT]
    return [
        {
            "attempt": str(attempt.attempt_id),
            "artifact": str(attempt.artifact_hash),
            "score": number_text(arith.mean(attempt.per_unit or ())),
        }
        for attempt in hits
    ]


def _zero_hit(search: Search, arith: Exact, alpha: str) -> str | None:
    if search.bound is None or search.n < 1:
        return None
    return number_text(zero_failure_bound(search.n, arith.number(alpha), PLACES))


def _scores(search: Search, arith: Exact) -> dict[str, Any]:
    """How often each mean score occurred: exact values, or the lower edges of bins when there are many."""
    vectors = Counter(result.attempt.per_unit for result in search.results if result.gap is not None)
    totals: Counter[Fraction] = Counter()
    for vector, count in vectors.items():
        totals[arith.mean(vector or ())] += count
    width = Fraction(0)
    if len(totals) > BINS:
        width, exact_totals, totals = Fraction(1, BINS), totals, Counter()
        for score, count in exact_totals.items():
            totals[Fraction(floor(score * BINS), BINS)] += count
    values = [{"score": number_text(score), "count": totals[score]} for score in sorted(totals)]
    return {"bin": number_text(width), "values": values}


def _pairs(results: tuple[PairResult, ...], reg: Registration) -> dict[str, Any]:
    """Counts of the pair outcomes; continuous utilities have no concordance."""
    rows = [result.utilities for result in analysed(results) if result.utilities]
    counted: dict[str, Any] = {"started": len(results), "analysed": len(rows)}
    if reg.binary_feedback:
        names = {(1, 1): "both", (1, 0): "first_only", (0, 1): "second_only", (0, 0): "neither"}
        tally = Counter(names[int(first), int(second)] for first, second in rows)
        counted |= {name: tally[name] for name in names.values()}
    return counted


def _interval(results: tuple[PairResult, ...], arith: Exact, alpha: str) -> list[str] | None:
    differences = [result.difference for result in analysed(results)]
    level = arith.number(alpha)
    if arith.registration.binary_feedback and differences:
        ends = paired_interval(*discordant(differences), level, PLACES)
    elif len(differences) > 1:
        ends = _bernstein(differences, level)
    else:
        return None
    return [number_text(end) for end in ends]


def _feedback(reg: Registration, gate: Gate3 | None, arith: Exact) -> dict[str, Any] | None:
    if gate is None:
        return None
    evidence, sham = arith.number("delta_evidence"), arith.number("delta_sham")
    return {
        "status": gate.effect.status,
        "checkpoint_scope": reg.gate3_checkpoint_scope,
        "estimand": reg.feedback_estimand,
        "pairs": _pairs(gate.effect.results, reg),
        "interval": _interval(gate.effect.results, arith, "alpha_evidence"),
        "delta_evidence": number_text(evidence),
        "delta_sham": number_text(sham),
        "margin": number_text(evidence + sham),
        "healthy": gate.effect.health.passes,
    }


def _calibration(reg: Registration, gate: Gate3 | None, arith: Exact) -> dict[str, Any] | None:
    if gate is None or not gate.calibration.results:
        return None
    return {
        "status": gate.calibration.status,
        "pairs": _pairs(gate.calibration.results, reg),
        "interval": _interval(gate.calibration.results, arith, "alpha_sham"),
        "band": _registered(arith, "delta_sham"),
    }


def _neutral(gate: Gate3 | None, arith: Exact) -> dict[str, Any] | None:
    if gate is None or not gate.neutral.results:
        return None
    return {
        "status": gate.neutral.status,
        "branches": len(gate.neutral.results),
        "hits": gate.neutral.hits,
        "zero_hit_bound": _zero_hit(gate.neutral, arith, "alpha_neutral"),
        "rho_placebo": _registered(arith, "rho_placebo"),
        "counts_against_core": gate.in_scope,
    }


def _scope(evidence: Evidence) -> dict[str, Any]:
    reg, integrity = evidence.registration, evidence.integrity
    return {
        "claim": str(reg.claim_id),
        "grade": str(reg.grade_requested),
        "model": str(reg.model_id),
        "interface": str(reg.interface_hash),
        "task_family": str(reg.task_family_profile),
        "stratum": str(reg.recovery_stratum),
        "human_assistance": str(integrity.human_assistance),
        "attribution": str(integrity.attribution_subject),
        "information": {
            "known": str(integrity.k_manifest_hash),
            "given": str(integrity.e0_manifest_hash),
            "lineage": str(integrity.lineage_manifest_hash),
            "web": str(integrity.observed_web_manifest_hash),
            "web_replay": str(integrity.web_replay_scope),
        },
        "outcome_contract": str(integrity.p_hash),
        "resources": str(integrity.resource_contract_hash),
    }


def _budget(reg: Registration, arith: Exact) -> dict[str, Any]:
    names = (*active_alphas(reg), "alpha_total", "family_alpha_total")
    return {
        "family": str(reg.audit_family_id),
        "slot": str(reg.audit_slot_id),
        "family_audits": str(reg.family_max_audits),
        "alphas": {name: _registered(arith, name) for name in names},
    }


def _temporal(binding: Binding | None) -> dict[str, Any]:
    """The kernel registers no mode: only a frozen registration says when the claim was made."""
    if binding is None:
        return {"mode": "not registered", "knowledge": None}
    return {"mode": binding.frozen.mode, "knowledge": binding.frozen.knowledge}
