"""The frozen figures: right values, rounded against the claimant, never on the wrong side of a threshold."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from registrations import EVIDENCE, Made, frozen, replaced

from dcp_lang.stats import bounds, paired


def figures(**changes: str) -> dict[str, Any]:
    """The figures of the Evidence sample after these changes."""
    found: dict[str, Any] = frozen(replaced(EVIDENCE, changes))["plan"]["figures"]
    return found


def test_the_papers_numbers() -> None:
    """Results: 0/96 gives 0.0468, 45/45 gives 0.8889, 30/30 gives 0.6379, 60 null pairs +-0.0950."""
    found = figures(**{"episodes = auto": "episodes = 96"})
    assert found["recovery"]["limit"] == "0.046839"
    assert found["adequacy"]["limit"] == "0.888926"
    assert found["feedback"]["limit"] == "0.637927"
    assert found["null"]["limit"] == "0.095034"
    assert found["margin"] == {"least": "0.51", "refuted_below": "0.17"}


def test_the_planners_reference_design() -> None:
    """planner.md: 90/24/22/33 are minimal; 45 tolerates 2, 30 tolerates 2, 60 tolerates 2 a side."""
    found = figures()
    assert [found[g]["least"] for g in ("recovery", "adequacy", "feedback", "null")] == [90, 24, 22, 33]
    assert [found[g]["tolerated"] for g in ("adequacy", "feedback", "null")] == [2, 2, 2]
    assert [row["least"] for row in found["recovery"]["sensitivity"]] == [117, 104, 90, 77, 63]
    passes = {row["truth"]: row["passes"] for row in found["recovery"]["operating"]}
    assert passes["0.001"] == "0.9138"  # 0.999**90 = 0.91387…, rounded down
    assert passes["0.05"] == "0.0099"  # 0.95**90 = 0.00988…, rounded up: passing would be wrong
    assert {row["truth"]: row["passes"] for row in found["adequacy"]["operating"]}["0.98"] == "0.9389"


def test_a_mean_score_has_no_binomial_tables() -> None:
    found = figures(
        **{
            "utility = recovers": "utility = mean_score",
            ", sessions = 400 sessions": "",
            "pairs = 30": "pairs = 60",
            "null_pairs = 60": "null_pairs = auto",
        }
    )
    assert "operating" not in found["feedback"] and "operating" not in found["null"]
    assert found["null"]["least"] == found["null"]["n"] and "tolerated" not in found["null"]


def test_expected_episodes_when_the_first_witness_stops() -> None:
    """planner.md, section 7: E = (1 - (1-p)**n)/p; n = 96 gives 91.6, 61.9, 42.8 and 19.9 (here rounded up)."""
    rows = figures(**{"episodes = auto": "episodes = 96"})["recovery"]["operating"]
    found = {row["truth"]: row["episodes"] for row in rows}
    assert [found[p] for p in ("0", "0.001", "0.01", "0.02", "0.05")] == [
        "96",
        "91.6",
        "61.9",
        "42.9",
        "19.9",
    ]


def test_the_cost_of_the_controls_is_what_is_expected() -> None:
    cost = figures()["cost"]
    assert cost["session"] == {"amount": "0.13", "unit": "USD"}
    assert cost["controls"] == {"amount": "40.95", "unit": "USD"}  # 315 sessions


def test_the_recovery_line_of_a_known_target(made: Made) -> None:
    found = made.frozen["plan"]["figures"]
    assert ("recovery_line" in found) == (made.name == "retrospective")
    assert found.get("recovery_line", "0.9306") == "0.9306"  # 0.9356 - 0.005


_shares = st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(1, 20), max_denominator=10_000)


@settings(max_examples=40, deadline=None)
@given(alpha=_shares, rho=_shares)
def test_printed_limits_decide_as_the_exact_rule(alpha: Fraction, rho: Fraction) -> None:
    """The 75 cases of four decimals: a limit printed equal to ρ while it exceeds it, or the other way round."""
    from dcp_lang.emit.figures.rules import _no_hits

    rule = _no_hits("gate.recovery.episodes", alpha, rho)
    least = rule.least(alpha)
    assert least is not None
    for n in {max(least - 1, 1), least, least + 1}:
        assert (rule.printed(n) <= rho) == bounds.zero_failure_reaches(n, alpha, rho)
        assert rule.printed(n) >= bounds.zero_failure_bound(n, alpha, 12) - Fraction(1, 10**12)


@pytest.mark.parametrize("margin", [Fraction(51, 100), Fraction(1, 3), Fraction(523921, 10**6)])
@pytest.mark.parametrize("lost", [0, 1, 2, 3])
def test_printed_lower_limits_decide_as_the_exact_rule(lost: int, margin: Fraction) -> None:
    from dcp_lang.emit.figures.rules import Rule

    alpha, n = Fraction(1, 100), 30
    rule = Rule(
        "gate.feedback.pairs", alpha, margin, False,
        lambda n, k: paired.paired_interval(n - k, 0, n, alpha, 6)[0],
        lambda n, k: paired.feedback_reaches(n - k, 0, n, alpha, margin),
        lambda error: None,
    )  # fmt: skip
    assert (rule.printed(n, lost) >= margin) == paired.feedback_reaches(n - lost, 0, n, alpha, margin)
