"""Gate 3 by its parts: which pairs are compared, what ends it open, and which neutral hits count.

Expected values are the paper's rules for Gate 3, applied to ledgers of a few pairs by hand.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from dcp_lang.verify.arithmetic import Exact
from dcp_lang.verify.gates import feedback, pairs, recovery
from dcp_lang.verify.gates.calibration import Calibration
from dcp_lang.verify.gates.classify import HIT, Classified
from dcp_lang.verify.integrity import Findings
from dcp_lang.verify.records import (
    ARTIFACT,
    INFRASTRUCTURE,
    MODEL_FAILURE,
    UNRESOLVED,
    VALID,
    Artifact,
    Branch,
    Feedback,
    FeedbackPair,
    NullStudy,
    Registration,
)
from dcp_lang.verify.replacements import Ledger, feedback_ledger

REG = Registration(claim_id="c", registered_n_feedback_pairs=2)
TARGET = Artifact("a", (0.9,), VALID, "sha256:2", ("u",))
SOUND, OPEN = Branch(ARTIFACT, 0.5, VALID, per_unit=(0.5,)), Branch(UNRESOLVED)
LOST = Branch(INFRASTRUCTURE, infrastructure_outcome_independent=True)
FINDINGS = Findings([], [], [], [], (), (), True, True, ())


def pair(truthful: Branch = SOUND, neutral: Branch = SOUND, **changes: object) -> FeedbackPair:
    return FeedbackPair("p", truthful, neutral, assignment_frozen=True, independence_ok=True)._replace(
        **changes
    )


def study(*rows: FeedbackPair) -> Feedback:
    named = tuple(row._replace(pair_id=f"p{i}") for i, row in enumerate(rows))
    return Feedback(
        named, NullStudy(()), design_checks_pass=True, stopping_rule_pass=True, registered_pairs_complete=True
    )


def differences(found: Feedback) -> tuple[tuple[pairs.PairResult, ...], int, int, list[str]]:
    return feedback._differences(Exact(REG), found, TARGET, feedback_ledger(REG, found.pairs))


def test_both_pairs_sound() -> None:
    results, unresolved, excluded, reasons = differences(study(pair(), pair()))
    assert ([r.status for r in results], unresolved, excluded, reasons) == (["analyzed"] * 2, 0, 0, [])


@pytest.mark.parametrize("name", ["design_checks_pass", "stopping_rule_pass", "registered_pairs_complete"])
def test_every_audit_of_the_study_is_needed(name: str) -> None:
    """Without one, every started pair is unresolved; an attestation that is merely truthy is none."""
    found = study(pair(), pair())._replace(**{name: 1})
    reason = "paired design/stopping/completeness audit failed"
    assert differences(found) == ((), 2, 0, [reason])


def test_a_faulty_ledger_leaves_every_pair_unresolved() -> None:
    """One pair of two registered; the lost one is excluded all the same."""
    found = study(pair(LOST))
    _, unresolved, excluded, reasons = differences(found)
    assert (unresolved, excluded) == (1, 1)
    assert reasons == list(feedback_ledger(REG, found.pairs).faults)


def test_an_open_pair_counts_itself_and_the_sample_that_it_leaves_short() -> None:
    results, unresolved, excluded, reasons = differences(study(pair(), pair(OPEN)))
    assert [result.status for result in results] == ["analyzed", UNRESOLVED]
    assert (unresolved, excluded) == (2, 0)
    assert reasons[0].startswith("pair p1: ") and reasons[1] == "analyzed pairs 1 != registered fixed N=2"


def test_a_replaced_pair_is_excluded_and_its_replacement_analysed() -> None:
    found = study(pair(), pair(LOST), pair(replacement_of="p1"))
    ledger = Ledger((0, 2), (1,), 1, 1, ())
    results, unresolved, excluded, reasons = feedback._differences(Exact(REG), found, TARGET, ledger)
    assert [result.status for result in results] == ["analyzed", pairs.REPLACED, "analyzed"]
    assert (unresolved, excluded, reasons) == (0, 1, [])


def test_a_lost_pair_that_nothing_replaces_is_excluded_too() -> None:
    found = study(pair(), pair(LOST))
    ledger = Ledger((0, 1), (), 0, 1, ())
    _, unresolved, excluded, _ = feedback._differences(Exact(REG), found, TARGET, ledger)
    assert (unresolved, excluded) == (1, 1)


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        (pair(), pairs.ANALYSED),
        (pair(Branch(MODEL_FAILURE)), pairs.ANALYSED),  # intention to treat
        (pair(assignment_frozen=1), UNRESOLVED),
        (pair(independence_ok=1), UNRESOLVED),
        (pair(LOST), pairs.EXCLUDED),
        (pair(LOST, LOST), pairs.EXCLUDED),
        (pair(LOST, LOST._replace(infrastructure_outcome_independent=False)), UNRESOLVED),
        (pair(LOST._replace(infrastructure_outcome_independent=False), LOST), UNRESOLVED),
        (pair(LOST._replace(utility=1)), UNRESOLVED),
        (pair(LOST._replace(per_unit=(0.5,))), UNRESOLVED),
        (pair(OPEN), UNRESOLVED),
        (pair(SOUND, OPEN), UNRESOLVED),
    ],
)
def test_how_a_pair_counts(changed: FeedbackPair, status: str) -> None:
    assert feedback._result(Exact(REG), changed, TARGET).status == status


def test_the_difference_is_truthful_less_neutral() -> None:
    found = feedback._result(Exact(REG), pair(neutral=SOUND._replace(utility=0.25, per_unit=(0.25,))), TARGET)
    assert found.difference == Fraction(1, 4)


@pytest.mark.parametrize("admissible", [True, False])
def test_a_neutral_ledger_is_barred_unless_its_contract_holds(admissible: bool) -> None:
    findings = FINDINGS._replace(neutral_admissible=admissible)
    ledger = feedback._neutral_ledger(REG, study(pair(), pair()), findings)
    assert len(ledger.attempts) == 2
    assert bool(ledger.inadmissible) is not admissible


def test_no_branch_of_a_faulty_ledger_is_searched() -> None:
    assert feedback._neutral_ledger(REG, study(pair()), FINDINGS).attempts == []


def gate(status: str, unresolved: int = 0) -> feedback.Gate3:
    barred = feedback.barred("why")
    neutral = barred.neutral._replace(status=status, unresolved=unresolved, hits=1, admissible_hits=1)
    return barred._replace(neutral=neutral, refutes_core=True, recorded="all")


def candidates(*statuses: str) -> list[Classified]:
    rows = study(*[pair()] * len(statuses)).pairs
    attempts = [feedback.candidate(REG, row, row.neutral) for row in rows]
    return [Classified(a, s, "", None, True) for a, s in zip(attempts, statuses, strict=True)]


def test_a_neutral_hit_among_whole_records_refutes_whatever_else_is_wrong() -> None:
    """Three pairs; one is no whole record, one is unresolved, one is a hit: 2 remain open."""
    found = feedback.witnessed(
        gate("inconclusive"), study(pair(), pair(), pair()), FINDINGS, candidates(HIT, UNRESOLVED)
    )
    neutral = found.neutral
    assert (neutral.status, neutral.n, neutral.hits, neutral.admissible_hits) == ("recovered", 2, 1, 1)
    assert (neutral.unresolved, neutral.bound) == (2, None)
    assert (found.refutes_core, found.in_scope, found.recorded) == (True, True, "all")


def test_a_witness_outside_gate_2_does_not_refute_core() -> None:
    outside = FINDINGS._replace(neutral_in_scope=False)
    barred = feedback.barred("why")
    found = feedback.witnessed(barred, study(pair()), outside, candidates(HIT))
    assert (found.neutral.status, found.refutes_core, found.in_scope) == ("recovered", False, False)
    assert found.recorded == "witness"  # of a barred gate nothing else is recorded


@pytest.mark.parametrize(
    ("findings", "results"),
    [(FINDINGS, candidates(UNRESOLVED)), (FINDINGS._replace(neutral_admissible=False), candidates(HIT))],
)
@pytest.mark.parametrize(("unresolved", "at_least"), [(0, 1), (1, 1), (3, 3)])
def test_a_hit_without_a_witness_leaves_the_gate_open(
    findings: Findings, results: list[Classified], unresolved: int, at_least: int
) -> None:
    """It is itself unresolved: at least one is."""
    found = feedback.witnessed(gate("recovered", unresolved), study(pair()), findings, results)
    assert (found.neutral.status, found.refutes_core) == ("inconclusive", False)
    assert (found.neutral.admissible_hits, found.neutral.unresolved) == (0, at_least)


def test_a_gate_without_hits_stays_as_it_is() -> None:
    before = gate(recovery.NOT_RECOVERED)
    assert feedback.witnessed(before, study(pair()), FINDINGS, candidates(UNRESOLVED)) == before


@pytest.mark.parametrize(
    ("rows", "calibrated", "reason"),
    [
        ((pair(), pair()), "pass", "feedback interval crosses the adjusted evidence boundary"),
        ((pair(), pair()), "fail", "sham_adequacy=fail"),
        (
            (pair(), pair(OPEN)),
            "pass",
            "one feedback arm has a valid-artifact rate below the registered floor",
        ),
    ],
)
def test_what_leaves_the_effect_open(rows: tuple[FeedbackPair, ...], calibrated: str, reason: str) -> None:
    """Health is asked first, then the calibration, then the interval."""
    found = feedback._effect(Exact(REG), study(*rows), TARGET, Calibration(calibrated, ""))
    assert (found.status, found.reason) == ("inconclusive", reason)


def test_without_an_analysed_pair_there_is_no_interval() -> None:
    found = study(pair(), pair())._replace(design_checks_pass=False)
    effect = feedback._effect(Exact(REG), found, TARGET, Calibration("pass", ""))
    assert (effect.interval, effect.reason) == (None, "paired design/stopping/completeness audit failed")
    assert (effect.status, effect.n, effect.unresolved) == ("inconclusive", 0, 2)
