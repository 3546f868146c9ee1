"""The null calibration at its boundaries: which pairs count, when a study is healthy, what equivalence means.

The caps are the kernel's defaults; the expected side of each boundary is exact arithmetic on counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from dcp_lang.verify.arithmetic import Exact
from dcp_lang.verify.gates import calibration, pairs
from dcp_lang.verify.records import (
    ARTIFACT,
    INFRASTRUCTURE,
    MODEL_FAILURE,
    UNRESOLVED,
    VALID,
    Branch,
    NullPair,
    NullStudy,
    Registration,
)
from dcp_lang.verify.replacements import Ledger

REG = Registration(claim_id="c")
BRANCH = Branch(ARTIFACT, 0.5, VALID, per_unit=(0.25, 0.75))
FAILED = Branch(MODEL_FAILURE)
LOST = Branch(INFRASTRUCTURE, infrastructure_outcome_independent=True)
STUDY = NullStudy((), development_manifest_hash="sha256:d", confirmatory_manifest_hash="sha256:c")


def null_pair(first: Branch = BRANCH, second: Branch = BRANCH, **changes: object) -> NullPair:
    return NullPair("p", first, second, assignment_frozen=True, independence_ok=True)._replace(**changes)


def healthy(*rows: NullPair, lost: int = 0) -> bool:
    ledger = Ledger(tuple(range(len(rows))), (), 0, lost, ())
    return calibration._healthy(Exact(REG), STUDY._replace(pairs=rows), ledger)


def test_a_null_study_is_healthy_up_to_its_caps() -> None:
    """At least half of the worse arm valid, at most a fifth of it failed, at most a fifth of the pairs lost."""
    unresolved = Branch(UNRESOLVED)
    assert healthy(*[null_pair()] * 5, *[null_pair(BRANCH, unresolved)] * 5)
    assert not healthy(*[null_pair()] * 4, *[null_pair(BRANCH, unresolved)] * 6)
    assert not healthy(*[null_pair()] * 4, *[null_pair(unresolved, BRANCH)] * 6)
    assert healthy(*[null_pair()] * 8, *[null_pair(FAILED, BRANCH)] * 2)
    assert not healthy(*[null_pair()] * 7, *[null_pair(FAILED, BRANCH)] * 3)
    assert healthy(*[null_pair()] * 10, lost=2)
    assert not healthy(*[null_pair()] * 10, lost=3)


def test_lost_arms_are_no_part_of_an_arms_rates() -> None:
    """2 of 8 that ran failed, which is more than a fifth; of all 10 it would not be."""
    assert not healthy(
        *[null_pair()] * 6, *[null_pair(FAILED, BRANCH)] * 2, *[null_pair(LOST, BRANCH)] * 2, lost=2
    )


@pytest.mark.parametrize(
    ("pair", "status"),
    [
        (null_pair(), pairs.ANALYSED),
        (null_pair(BRANCH, FAILED), pairs.ANALYSED),  # intention to treat
        (null_pair(assignment_frozen=False), UNRESOLVED),
        (null_pair(independence_ok=1), UNRESOLVED),
        (null_pair(LOST), pairs.EXCLUDED),
        (null_pair(LOST, LOST), pairs.EXCLUDED),
        (null_pair(LOST, LOST._replace(infrastructure_outcome_independent=False)), UNRESOLVED),
        (null_pair(LOST, LOST._replace(utility=0.5)), UNRESOLVED),
        (null_pair(BRANCH, Branch(UNRESOLVED)), UNRESOLVED),
        (null_pair(Branch(UNRESOLVED), BRANCH), UNRESOLVED),
    ],
)
def test_how_a_null_pair_counts(pair: NullPair, status: str) -> None:
    found = calibration._result(Exact(REG), pair)
    assert found.status == status
    assert (found.difference is not None) == (status == pairs.ANALYSED)


def test_the_difference_is_reference_less_proposed() -> None:
    """The reported utilities of null tasks, .75 - .5; not the private scores beside them."""
    found = calibration._result(Exact(REG), null_pair(BRANCH._replace(utility=0.75)))
    assert found.difference == Fraction(1, 4)


@pytest.mark.parametrize(("utility", "status"), [(0, "analyzed"), (1, "analyzed"), (0.5, UNRESOLVED)])
def test_binary_null_tasks_have_no_half_recovery(utility: float, status: str) -> None:
    binary = REG._replace(feedback_estimand="binary")
    pair = null_pair(BRANCH._replace(utility=utility), BRANCH._replace(utility=1))
    assert calibration._result(Exact(binary), pair).status == status


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({}, "provenance incomplete"),
        ({"development_manifest_hash": "sha256:c"}, "metadata mismatch"),
        ({"development_manifest_hash": ""}, "metadata mismatch"),
        ({"confirmatory_manifest_hash": ""}, "metadata mismatch"),
        ({"model_id": "another"}, "metadata mismatch"),
        ({"utility_scale_id": "another"}, "metadata mismatch"),
    ],
)
def test_a_null_study_is_of_the_registered_policy(changes: dict[str, str], part: str) -> None:
    assert calibration.calibrate(Exact(REG), STUDY._replace(**changes)).reason.endswith(part)


PROVENANCE = {
    "freshness_pass": True,
    "operator_frozen_before_confirmatory": True,
    "development_confirmatory_disjoint": True,
}


@pytest.mark.parametrize("missing", PROVENANCE)
def test_every_attestation_of_the_provenance_is_needed(missing: str) -> None:
    """Paper, null calibration: fresh tasks, an operator frozen before them, tasks apart from development's."""
    known = STUDY._replace(**PROVENANCE, channel_checks_pass=True)
    assert not calibration.calibrate(Exact(REG), known).reason.endswith("provenance incomplete")
    found = calibration.calibrate(Exact(REG), known._replace(**{missing: 1}))
    assert found.reason.endswith("provenance incomplete")


def test_too_few_null_pairs_decide_nothing() -> None:
    """The sample is fixed: 9 sound pairs of 10 registered are no calibration, 10 are."""
    rows = tuple(null_pair()._replace(pair_id=f"p{i}") for i in range(10))
    for n, reason in ((10, "crosses equivalence boundary"), (9, "incomplete or unresolved")):
        arith = Exact(REG._replace(registered_n_sham_pairs=10))
        ledger = Ledger(tuple(range(n)), (), 0, 0, ())
        results = tuple(calibration._result(arith, pair) for pair in rows[:n])
        study = STUDY._replace(pairs=rows[:n])
        assert calibration._decide(arith, study, ledger, results).reason.endswith(reason)


@dataclass(frozen=True)
class Ends:
    """An interval given by its ends, as exact as they are."""

    lower: Fraction
    upper: Fraction
    bounded: bool = field(default=True)

    def at_least(self, value: Fraction) -> bool:
        return self.lower >= value

    def at_most(self, value: Fraction) -> bool:
        return self.upper <= value

    def above(self, value: Fraction) -> bool:
        return self.lower > value

    def below(self, value: Fraction) -> bool:
        return self.upper < value


@pytest.mark.parametrize(
    ("lower", "upper", "status"),
    [
        ("-0.1", "0.1", "pass"),  # both ends on the band
        ("-0.1001", "0.1", "inconclusive"),
        ("-0.1", "0.1001", "inconclusive"),
        ("0.1", "0.2", "inconclusive"),  # the band's end itself may be the truth
        ("0.1001", "0.2", "fail"),
        ("-0.2", "-0.1", "inconclusive"),
        ("-0.2", "-0.1001", "fail"),
    ],
)
def test_equivalence_is_the_whole_interval_inside_the_band(lower: str, upper: str, status: str) -> None:
    ends = Ends(Fraction(lower), Fraction(upper))
    assert calibration._equivalent(ends, Fraction("0.1"))[0] == status  # type: ignore[arg-type]
    endless = Ends(Fraction(lower), Fraction(upper), bounded=False)
    assert calibration._equivalent(endless, Fraction("0.1"))[0] == "inconclusive"  # type: ignore[arg-type]
