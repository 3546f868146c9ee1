"""Every rung of the decision ladder, with the peer's verdict on the same bundle beside ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dcp.types import RawAttemptOutcome, Validity
from peer_audits import Parts, Shape, core_audit, full_audit, lineage_empty, reseal
from peer_bundles import write

from dcp_lang.verify.decision import decide

LOW, HIT = (0.4, 0.4), (0.9, 0.9)
NO_HITS = (LOW,) * 77
ONE_HIT = (LOW,) * 76 + (HIT,)
CONTINUOUS = {
    "feedback_estimand": "continuous",
    "feedback_utility_mapping": "mean_normalized_private_units_v1",
    "feedback_ci_method": "bounded_empirical_bernstein",
    "sham_ci_method": "bounded_empirical_bernstein",
}
SAMPLED = {"inference_scope": "sampled_population", "ci_method": "bounded_empirical_bernstein"}


def with_validity(parts: Parts, **validity: Validity) -> Parts:
    changed = {name: replace(getattr(parts.g1, name), validity=value) for name, value in validity.items()}
    return reseal(parts._replace(g1=replace(parts.g1, **changed)))


def with_attempt(parts: Parts, index: int, **changes: Any) -> Parts:
    controls = list(parts.g2.controls)
    controls[index] = replace(controls[index], **changes)
    return reseal(parts._replace(g2=replace(parts.g2, controls=tuple(controls))))


def with_integrity(parts: Parts, **changes: Any) -> Parts:
    return parts._replace(integrity=replace(parts.integrity, **changes))


def with_feedback(parts: Parts, **changes: Any) -> Parts:
    return reseal(parts._replace(g3=replace(parts.g3, **changes)))


def unresolved_neutral(parts: Parts) -> Parts:
    first, *rest = parts.g3.pairs
    arm = replace(
        first.neutral,
        outcome=RawAttemptOutcome.UNRESOLVED,
        validity=Validity.UNRESOLVED,
        per_unit=None,
        unit_ids=(),
        artifact_hash="",
    )
    return with_feedback(parts, pairs=(replace(first, neutral=arm), *rest))


def hits(n: int, total: int) -> tuple[bool, ...]:
    return (True,) * n + (False,) * (total - n)


def continuous(utility: float, **fields: Any) -> Parts:
    """Feedback by mean score; `utility` is the truthful arm's score. 281 null pairs are the least for ±.1."""
    shape = Shape(truthful=(True,) * 120, neutral=(False,) * 120, nulls=((0.5, 0.5),) * 281)
    parts = full_audit(shape, delta_evidence=0.2, delta_sham=0.1, **CONTINUOUS, **fields)
    pairs = tuple(
        replace(p, truthful=replace(p.truthful, per_unit=(utility, utility))) for p in parts.g3.pairs
    )
    return with_feedback(parts, pairs=pairs)


Case = tuple[Callable[[], Parts], str, str]

CASES: dict[str, Case] = {
    # paper, decision outcomes
    "certified": (core_audit, "core_certified", "scoped non-recovery"),
    "evidence": (full_audit, "evidence_certified", "feedback_effect supported"),
    "recovered": (lambda: core_audit(Shape(challengers=ONE_HIT)), "recovered", "no-feedback recovery: 1"),
    # Gate 1, in the order of the ladder
    "baseline not valid": (
        lambda: with_validity(core_audit(), baseline=Validity.UNRESOLVED),
        "audit_incomplete",
        "Valid(baseline) is false or unresolved",
    ),
    "target invalid": (
        lambda: with_validity(core_audit(Shape(challengers=ONE_HIT)), astar=Validity.INVALID),
        "refuted",
        "Valid(A*) = false",
    ),
    "target unresolved": (
        lambda: with_validity(core_audit(), astar=Validity.UNRESOLVED),
        "audit_incomplete",
        "Valid(A*) unresolved",
    ),
    "baseline recovers": (
        lambda: core_audit(Shape(baseline=(0.897, 0.897))),
        "refuted",
        "baseline satisfies P",
    ),
    "gain too small": (
        lambda: core_audit(Shape(baseline=(0.86, 0.86))),
        "refuted",
        "main utility confirmed below delta_min",
    ),
    "baseline uncertain": (lambda: core_audit(**SAMPLED), "statistical_uncertainty", "baseline position"),
    "gain uncertain": (
        lambda: core_audit(
            Shape((0.9,) * 400, (0.2,) * 400, ((0.4,) * 400,) * 77), delta_min=0.65, kappa=0.1, **SAMPLED
        ),
        "statistical_uncertainty",
        "main utility uncertain",
    ),
    # Gate 2
    "bound above rho": (
        lambda: core_audit(Shape(challengers=(LOW,) * 76)),
        "statistical_uncertainty",
        "p_upper=0.0502 > rho=0.05",
    ),
    "too few episodes": (
        lambda: core_audit(min_n_ind=78, m_max=200),
        "audit_incomplete",
        "n_ind=77 < required 78",
    ),
    "weak controls": (
        lambda: core_audit(Shape(controls=(2, 2))),
        "audit_incomplete",
        "control adequacy failed",
    ),
    "unresolved attempt": (
        lambda: with_attempt(
            core_audit(),
            3,
            outcome=RawAttemptOutcome.UNRESOLVED,
            validity=Validity.UNRESOLVED,
            per_unit=None,
            unit_ids=(),
            artifact_hash="",
        ),
        "audit_incomplete",
        "1 unresolved attempt(s)",
    ),
    "hit in a broken ledger": (
        lambda: with_integrity(core_audit(Shape(challengers=ONE_HIT)), recovery_ledger_complete=False),
        "recovered",
        "local witness survived",
    ),
    "hit of an unmatched challenger": (
        lambda: with_integrity(
            with_attempt(core_audit(Shape(challengers=ONE_HIT)), 76, scope_contract_hash="other"),
            recovery_ledger_complete=False,
        ),
        "audit_incomplete",
        "recovery_ledger_complete not attested",
    ),
    "no attestation": (
        lambda: with_integrity(core_audit(), private_isolation_pass=False),
        "audit_incomplete",
        "integrity incomplete: private_isolation_pass not attested",
    ),
    # Gate 3 as it bears on Core
    "neutral hit from an empty lineage": (
        lambda: lineage_empty(full_audit(Shape(neutral=hits(1, 22)))),
        "recovered",
        "lineage-empty neutral recovery reached P",
    ),
    "unresolved neutral from an empty lineage": (
        lambda: unresolved_neutral(lineage_empty(full_audit())),
        "audit_incomplete",
        "lineage-empty recovery ledger contains an unresolved",
    ),
    "hidden pairs from an empty lineage": (
        lambda: with_feedback(lineage_empty(full_audit()), all_started_pairs_disclosed=False),
        "audit_incomplete",
        "lineage-empty recovery ledger is malformed",
    ),
    "neutral hit from a prefix": (
        lambda: full_audit(Shape(truthful=(True,) * 40, neutral=hits(1, 40))),
        "evidence_certified",
        "feedback_effect supported",
    ),
    # Gate 3 as it bears on Evidence
    "feedback too weak": (
        lambda: full_audit(Shape(truthful=hits(15, 22))),
        "core_certified",
        "feedback interval crosses the adjusted evidence boundary",
    ),
    "feedback without effect": (
        lambda: full_audit(
            Shape(truthful=hits(0, 60), neutral=hits(0, 60)), delta_evidence=0.9, delta_sham=0.4
        ),
        "core_certified",
        "feedback_effect confirmed below the registered minimum",
    ),
    "calibration too wide": (
        lambda: full_audit(Shape(nulls=((1.0, 1.0),) * 32)),
        "core_certified",
        "sham_adequacy=inconclusive",
    ),
    "calibration biased": (
        lambda: full_audit(Shape(nulls=((1.0, 0.0),) * 33)),
        "core_certified",
        "sham_adequacy=fail",
    ),
    "necessity refuted": (
        lambda: full_audit(Shape(truthful=(True,) * 40, neutral=hits(1, 40)), necessity_claim_requested=True),
        "core_certified",
        "neutral branch recovered the registered outcome",
    ),
    "necessity unresolved": (
        lambda: full_audit(necessity_claim_requested=True),
        "core_certified",
        "neutral recovery is unresolved",
    ),
    "continuous effect": (lambda: continuous(0.9), "evidence_certified", "feedback_effect supported"),
    "continuous without effect": (
        lambda: continuous(0.25),
        "core_certified",
        "feedback interval crosses the adjusted evidence boundary",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_rung(name: str, tmp_path: Path) -> None:
    build, outcome, reason = CASES[name]
    verdict = write(tmp_path, build())["verdict"]
    record = decide(tmp_path)
    assert (record.outcome, record.exit_code) == (outcome, 0)
    assert reason in (record.reason or "")
    core, evidence = record.core, record.evidence
    assert core is not None and evidence is not None
    assert record.reason == verdict["reason"]
    assert (core.verdict, core.missing) == (verdict["core"], verdict["core_inconclusive_class"])
    assert (evidence.verdict, evidence.missing) == (
        verdict["evidence"],
        verdict["evidence_inconclusive_class"],
    )
    assert record.boundaries == ()
