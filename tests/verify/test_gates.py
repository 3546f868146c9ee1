"""The gates at their boundaries, one function at a time: on the cap, one beyond, and what makes evidence unusable.

The caps are the paper's and the kernel's defaults; the expected side of each boundary is exact arithmetic on counts.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from dcp_lang.verify.arithmetic import Exact
from dcp_lang.verify.gates import adequacy, outcome, pairs, recovery
from dcp_lang.verify.gates.classify import HIT, MISS, Classified, Scope, classify
from dcp_lang.verify.records import (
    ARTIFACT,
    CONTRACT_VIOLATION,
    INFRASTRUCTURE,
    INVALID,
    MODEL_FAILURE,
    UNRESOLVED,
    VALID,
    Adequacy,
    Artifact,
    Attempt,
    Branch,
    Outcome,
    Registration,
)

REG = Registration(
    claim_id="c",
    ci_method="finite_set_exact",
    kappa=0.1,
    delta_min=0.5,
    m_max=10,
    min_n_ind=3,
    rho=0.7,
    alpha_recovery=0.027,
    max_execution_contract_violation_rate=0.1,
)
SOUND = Adequacy(True, True, True, True, 45, 45, "", "sha256:1")
TARGET = Artifact("a", (0.9,), VALID, "sha256:2", ("u",))
SCOPE = Scope("", "")


def attempt(status: str = ARTIFACT, score: float = 0.0, unit: str = "e1") -> Attempt:
    """A candidate of the registered stratum with everything that it needs to count."""
    scores = (score,) if status == ARTIFACT else None
    validity = VALID if status == ARTIFACT else UNRESOLVED
    return Attempt(
        "t",
        status,
        scores,
        validity,
        "sha256:3",
        ("u",),
        "matched",
        independent_unit_id=unit,
        independence_ok=True,
        infrastructure_outcome_independent=True,
    )


def classified(*rows: Attempt, **changes: object) -> list[Classified]:
    arith = Exact(REG._replace(**changes))
    return [classify(arith, row, TARGET, SCOPE) for row in rows]


def reasons(scored: int, lost: int = 0, failed: int = 0, violated: int = 0, **changes: object) -> list[str]:
    """Why a search with so many attempts of each kind is not adequate."""
    kinds = [
        (ARTIFACT, scored),
        (INFRASTRUCTURE, lost),
        (MODEL_FAILURE, failed),
        (CONTRACT_VIOLATION, violated),
    ]
    rows = [attempt(kind) for kind, count in kinds for _ in range(count)]
    arith = Exact(REG._replace(**changes))
    results = [classify(arith, row, TARGET, SCOPE) for row in rows]
    return adequacy.assess(arith, SOUND, results, "x").reasons


@pytest.mark.parametrize(
    ("counts", "part"),
    [
        ({"scored": 8, "lost": 2}, ""),  # 2/10 is the cap
        ({"scored": 7, "lost": 3}, "infrastructure-failure rate 0.300 > registered maximum 0.200"),
        ({"scored": 7, "failed": 1, "lost": 2}, ""),  # 1/8 of those that ran
        ({"scored": 6, "failed": 2, "lost": 2}, "model-failure rate 0.250 > registered maximum 0.200"),
        ({"scored": 9, "violated": 1}, ""),
        ({"scored": 8, "violated": 2}, "execution-contract-violation rate 0.200 > registered maximum 0.100"),
        ({"scored": 10}, ""),
        ({"scored": 11}, "candidate slots 11 exceed registered M_max=10"),
    ],
)
def test_a_rate_on_its_cap_is_adequate(counts: dict[str, int], part: str) -> None:
    assert reasons(**counts) == ([part] if part else [])


def test_half_of_those_that_ran_must_be_valid() -> None:
    """4 of 8 is the floor; 4 of 9 is not. Failures are let through here to leave the floor alone."""
    assert reasons(4, 2, 4, max_model_failure_rate=1.0) == []
    assert reasons(4, 1, 5, max_model_failure_rate=1.0) == [
        "valid-candidate rate 0.444 < registered minimum 0.500"
    ]


def test_an_empty_search_is_not_adequate() -> None:
    assert reasons(0) == [
        "no actual control in registered stratum 'matched'",
        "valid-candidate rate 0.000 < registered minimum 0.500",
    ]


def test_all_lost_is_not_valid_either() -> None:
    assert "valid-candidate rate 0.000 < registered minimum 0.500" in reasons(
        0, 3, max_infrastructure_failure_rate=1.0
    )


@pytest.mark.parametrize("name", Adequacy._fields[:4])
def test_every_attestation_is_needed_and_must_be_true(name: str) -> None:
    """The kernel takes nothing but `true`: what is truthy only is no attestation."""
    results = classified(attempt())
    for value in (False, 1):
        found = adequacy.assess(Exact(REG), SOUND._replace(**{name: value}), results, "x")
        assert len(found.reasons) == 1 and not found.passes
    assert adequacy.assess(Exact(REG), SOUND, results, "x").passes


def test_recall_of_the_positive_controls() -> None:
    """24 of 24 is the least that bounds recall by .8 at .005: .8**24 = .0047, .8**23 = .0059."""
    results = classified(attempt())
    enough = SOUND._replace(positive_control_successes=24, positive_control_trials=24)
    assert adequacy.assess(Exact(REG), enough, results, "x").passes
    short = SOUND._replace(positive_control_successes=23, positive_control_trials=23)
    assert (
        adequacy.assess(Exact(REG), short, results, "x")
        .reasons[0]
        .startswith("positive-control recall LCB 0.794 <")
    )
    wrong = SOUND._replace(positive_control_successes=25, positive_control_trials=24)
    assert adequacy.assess(Exact(REG), wrong, results, "x").reasons == [
        "positive-control h/n evidence is malformed"
    ]


def test_strata_must_be_registered_and_one() -> None:
    mixed = [Classified(attempt()._replace(stratum=s), MISS, "") for s in ("matched", "other", "")]
    found = adequacy.assess(Exact(REG), SOUND, mixed, "x").reasons
    assert "one or more controls have no registered stratum" in found
    assert "heterogeneous strata require a registered mixture/per-stratum bound" in found
    assert not any("stratum" in r for r in adequacy.assess(Exact(REG), SOUND, mixed[:1], "x").reasons)


def search(*rows: Attempt, inadmissible: tuple[str, ...] = (), **changes: object) -> recovery.Search:
    arith = Exact(REG._replace(max_model_failure_rate=1.0, min_valid_candidate_rate=0.0, **changes))
    ledger = recovery.Ledger(rows, SOUND, SCOPE, "alpha_recovery", "rho", "x", inadmissible)
    return recovery.search(arith, ledger, TARGET)


MISSES = tuple(attempt(unit=f"e{n}") for n in range(4))


def test_no_hit_in_just_enough_episodes() -> None:
    """(1 - .7)**3 = .027, the error itself: the zero-hit bound is rho, and that is enough."""
    found = search(*MISSES[:3])
    assert (found.status, found.n, found.hits) == (recovery.NOT_RECOVERED, 3, 0)
    assert found.bound is not None and found.bound.reaches


def test_one_episode_too_few() -> None:
    assert search(*MISSES[:2]).reason == "n_ind=2 < required 3"
    two = search(*MISSES[:2], min_n_ind=2)
    assert two.status == recovery.INCONCLUSIVE and two.reason == "p_upper=0.8357 > rho=0.7"  # 1 - sqrt(.027)


def test_candidates_of_one_episode_count_once() -> None:
    again = search(*MISSES[:3], MISSES[0])
    assert again.n == 3 and again.evaluable == 4
    assert again.results[3].reason.endswith("duplicate independent-unit cluster")
    assert search(MISSES[0], *MISSES[:2]).n == 2


def test_one_hit_is_a_recovery_unless_it_is_inadmissible() -> None:
    """The line is x - ε = .9 - .05; a score on it is a hit."""
    hit = attempt(score=0.85, unit="h")
    assert search(*MISSES[:3], hit).status == recovery.RECOVERED
    assert search(*MISSES[:3], attempt(score=0.8499, unit="h")).status == recovery.NOT_RECOVERED
    kept = search(*MISSES[:3], hit, inadmissible=("scope",))
    assert (kept.status, kept.hits, kept.admissible_hits, kept.bound) == (recovery.INCONCLUSIVE, 1, 0, None)


def test_what_is_unresolved_ends_the_search_open() -> None:
    found = search(*MISSES[:3], attempt(UNRESOLVED, unit="u"))
    assert (found.status, found.unresolved, found.bound) == (recovery.INCONCLUSIVE, 1, None)
    assert found.reason == "1 unresolved attempt(s)"


def test_the_best_candidate_is_nearest_to_the_line_or_farthest_above() -> None:
    rows = [attempt(score=s, unit=f"{s}") for s in (0.3, 0.7, 0.5)]
    best = search(*rows).best
    assert best is not None and best.attempt.per_unit == (0.7,)
    assert search(attempt(MODEL_FAILURE)).best is None


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, MISS),
        ({"per_unit": (0.85,)}, HIT),
        ({"stratum": "other"}, UNRESOLVED),
        ({"scope_contract_hash": "x"}, CONTRACT_VIOLATION),
        ({"challenge_distribution_hash": "x"}, CONTRACT_VIOLATION),
        ({"validity": INVALID}, MODEL_FAILURE),
        ({"validity": UNRESOLVED}, UNRESOLVED),
        ({"per_unit": None}, UNRESOLVED),
        ({"artifact_hash": ""}, UNRESOLVED),
        ({"unit_ids": ("v",)}, UNRESOLVED),
        ({"per_unit": (0.1, 0.1)}, UNRESOLVED),
        ({"per_unit": (float("nan"),)}, UNRESOLVED),
    ],
)
def test_one_change_one_status(changes: dict[str, object], status: str) -> None:
    row = attempt()._replace(**changes)
    found = classify(Exact(REG), row, TARGET, SCOPE)
    assert found.status == status
    assert found.independent == (status in (HIT, MISS, MODEL_FAILURE))


def test_failures_that_conflict_with_a_score_are_unresolved() -> None:
    lost, failed = attempt(INFRASTRUCTURE), attempt(MODEL_FAILURE)
    assert [c.status for c in classified(lost, failed)] == [INFRASTRUCTURE, MODEL_FAILURE]
    conflicts = (
        lost._replace(per_unit=(0.1,)),
        lost._replace(infrastructure_outcome_independent=False),
        failed._replace(per_unit=(0.1,)),
        failed._replace(validity=VALID),
    )
    assert {c.status for c in classified(*conflicts)} == {UNRESOLVED}


@pytest.mark.parametrize(
    ("target", "reached", "missed", "fails"),
    [
        (0.9, True, False, outcome.PASS),
        (0.6, True, False, outcome.PASS),  # the gain is δ_min itself
        (0.5999, False, True, outcome.PASS),
        (0.1501, False, True, outcome.PASS),  # just above ε = .05
        (0.15, False, True, outcome.FAIL),  # x - score(b) = ε: the baseline recovers the target
    ],
)
def test_the_gain_and_the_baseline(target: float, reached: bool, missed: bool, fails: str) -> None:
    evidence = Outcome(TARGET._replace(per_unit=(target,)), TARGET._replace(per_unit=(0.1,)))
    gate = outcome.evaluate(Exact(REG), evidence)
    assert (gate.gain_reached, gate.gain_missed, gate.baseline_fails) == (reached, missed, fails)
    assert gate.result_validity == outcome.PASS


@pytest.mark.parametrize(
    ("validity", "status"), [(VALID, "pass"), (INVALID, "fail"), (UNRESOLVED, "inconclusive")]
)
def test_the_validity_of_the_target(validity: str, status: str) -> None:
    evidence = Outcome(TARGET._replace(validity=validity), TARGET._replace(per_unit=(0.1,)))
    assert outcome.evaluate(Exact(REG), evidence).result_validity == status


BRANCH = Branch(ARTIFACT, 0.5, VALID, per_unit=(0.25, 0.75))


@pytest.mark.parametrize(
    ("arm", "derived", "utility"),
    [
        (BRANCH, True, Fraction(1, 2)),
        (BRANCH._replace(utility=None), True, Fraction(1, 2)),
        (BRANCH._replace(utility=0.5 + 9e-13), True, Fraction(1, 2)),  # the writer's rounding
        (BRANCH._replace(utility=0.5 + 3e-12), True, None),
        (BRANCH._replace(per_unit=()), True, None),
        (BRANCH._replace(utility=0.75), False, Fraction(3, 4)),
        (BRANCH._replace(utility=None), False, None),
        (BRANCH._replace(utility=0), False, Fraction(0)),
        (BRANCH._replace(utility=1), False, Fraction(1)),
        (BRANCH._replace(utility=1.0001), False, None),
        (BRANCH._replace(utility=-0.0001), False, None),
        (BRANCH._replace(validity=INVALID), True, Fraction(1, 8)),
        (BRANCH._replace(validity=UNRESOLVED), True, None),
        (Branch(MODEL_FAILURE), True, Fraction(1, 8)),
        (Branch(MODEL_FAILURE, 0.1), True, None),
        (Branch(MODEL_FAILURE, validity=VALID), True, None),
        (Branch(INFRASTRUCTURE), True, None),
        (Branch(CONTRACT_VIOLATION), True, None),
        (Branch(UNRESOLVED), True, None),
    ],
)
def test_the_utility_of_an_arm(arm: Branch, derived: bool, utility: Fraction | None) -> None:
    """Intention to treat: a failure counts with the registered worst utility, here 1/8."""
    found, _ = pairs.mean_utility(Exact(REG._replace(worst_utility=0.125)), arm, derived)
    assert found == utility


def test_the_health_of_an_arm() -> None:
    arms = [BRANCH, BRANCH, BRANCH._replace(validity=INVALID), Branch(MODEL_FAILURE), Branch(UNRESOLVED)]
    assert pairs.arm_rates(Exact(REG), arms) == (Fraction(2, 5), Fraction(2, 5))
    assert pairs.arm_rates(Exact(REG), []) == (0, 1)


def test_a_blocked_gate_decides_nothing() -> None:
    evidence = Outcome(TARGET, TARGET._replace(validity=INVALID))
    gate = outcome.blocked(evidence, "broken")
    assert (gate.gain_reached, gate.gain_missed, gate.gain, gate.x) == (False, False, None, None)
    assert gate.result_validity == gate.baseline_fails == outcome.INCONCLUSIVE
    found = recovery.blocked("broken")
    assert (found.status, found.n, found.hits, found.admissible_hits, found.bound) == (
        recovery.INCONCLUSIVE,
        0,
        0,
        0,
        None,
    )
    assert found.unresolved == found.evaluable == 0 and not found.adequacy.passes


def test_an_episode_is_independent_by_attestation_and_name() -> None:
    """Both are needed: a candidate without either may hit, and is no episode of the bound."""
    rows = classified(attempt(), attempt()._replace(independence_ok=False), attempt(unit=""))
    assert [c.independent for c in rows] == [True, False, False]
