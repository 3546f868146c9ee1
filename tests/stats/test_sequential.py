"""Stopping early: expectations and errors against direct enumeration, and the reference tables."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.bounds import recall_reaches
from dcp_lang.stats.planning import least_episodes
from dcp_lang.stats.power import adequacy_power, feedback_power, null_power
from dcp_lang.stats.sequential import (
    Stage,
    anytime_error,
    cheapest_order,
    expected_controls,
    expected_cost,
    expected_episodes,
    expected_episodes_bound,
    extension_error,
    first_hit_bounds,
)

from . import naive
from .reference import agrees, needs_oracle, rows

rates = st.integers(1, 99).map(lambda k: Fraction(k, 100))


@naive.law
@given(st.integers(1, 60), rates)
def test_expected_episodes_is_the_mean(n: int, p: Fraction) -> None:
    stopped = sum((m * p * (1 - p) ** (m - 1) for m in range(1, n + 1)), start=Fraction(0))
    assert expected_episodes(n, p) == stopped + n * (1 - p) ** n


@pytest.mark.parametrize(
    ("p", "mean"),
    [("0.001", 91.6), ("0.01", 61.9), ("0.02", 42.8), ("0.05", 19.9), ("0.1", 10.0), ("0.2", 5.0)],
)
def test_96_episodes_stop_early(p: str, mean: float) -> None:
    assert float(expected_episodes(96, Fraction(p))) == pytest.approx(mean, abs=0.05)


def test_no_hits_run_to_the_end() -> None:
    assert expected_episodes(96, Fraction(0)) == 96


@pytest.mark.parametrize(("n", "rate"), [(1000, "0.001"), (1001, "0.001"), (5000, "0.0001"), (5000, "0")])
def test_the_printed_mean_of_many_episodes_is_rounded_up(n: int, rate: str) -> None:
    p = Fraction(rate)
    exact, bound = expected_episodes(n, p), expected_episodes_bound(n, p)
    assert exact <= bound <= exact + (Fraction(1, 10**20) / p if p else 0)
    assert (bound == exact) == (n <= 1000 or not p)


@naive.law
@given(st.sampled_from(["0.05", "0.01", "0.3"]), st.integers(2, 60).map(lambda k: Fraction(k, 100)))
def test_the_zero_hit_bound_is_anytime_valid(alpha: str, p: Fraction) -> None:
    """The first n at which the claim would be false, and the chance to get there without a hit."""
    level = Fraction(alpha)
    n = next(n for n in range(1, 2000) if (1 - p) ** n < level)
    assert anytime_error(level, p) == (1 - p) ** n < level


def test_anytime_error_at_a_tie() -> None:
    """(1-p)^2 = alpha exactly: the claim at n = 2 is true, so only n = 3 can err."""
    assert anytime_error(Fraction("0.81"), Fraction("0.1")) == Fraction("0.729")
    assert anytime_error(Fraction("0.01"), Fraction(0)) is None


@naive.law
@given(st.integers(1, 80), st.sampled_from(["0.05", "0.01"]))
def test_first_hit_bounds_are_outward(episode: int, alpha: str) -> None:
    """Lower: Pr(first hit by then) = alpha. Upper: Pr(no hit before) = alpha."""
    level, step = Fraction(alpha), Fraction(1, 10**9)
    lower, upper = first_hit_bounds(episode, level, 9)
    assert 1 - (1 - lower) ** episode <= level < 1 - (1 - lower - step) ** episode
    if episode == 1:
        assert (lower, upper) == (level, 1)
    else:
        assert (1 - upper) ** (episode - 1) <= level < (1 - upper + step) ** (episode - 1)


def test_a_first_hit_in_the_second_episode() -> None:
    """p is at most 1 - alpha after one miss, and at least 1 - (1 - alpha)^(1/2): .0253205… at alpha .05."""
    lower, upper = first_hit_bounds(2, Fraction("0.05"), 7)
    assert (lower, upper) == (Fraction("0.0253205"), Fraction("0.95"))


def test_extension_error_by_all_paths() -> None:
    """Every sequence of 12 controls: does any prefix pass?"""
    alpha, minimum, recall = Fraction("0.2"), Fraction("0.7"), Fraction("0.6")
    total = Fraction(0)
    for path in range(2**12):
        successes = [path >> i & 1 for i in range(12)]
        if any(recall_reaches(sum(successes[:n]), n, alpha, minimum) for n in range(1, 13)):
            total += recall ** sum(successes) * (1 - recall) ** (12 - sum(successes))
    assert extension_error(12, alpha, minimum, recall) == total


def test_curtailed_controls() -> None:
    """No failure tolerated: geometric; nothing can fail at recall 1."""
    assert expected_controls(45, 0, Fraction("0.5")) == 2 - Fraction(1, 2**44)
    assert expected_controls(45, 2, Fraction(1)) == 45


stages = st.lists(
    st.tuples(st.integers(1, 50), st.integers(0, 10)).map(
        lambda pair: Stage("gate", Fraction(pair[0]), Fraction(pair[1], 10))
    ),
    min_size=1,
    max_size=4,
)


@naive.law
@given(stages)
def test_no_order_is_cheaper(gates: list[Stage]) -> None:
    best = min(expected_cost(order) for order in permutations(gates))
    assert expected_cost(cheapest_order(gates)) == best


@needs_oracle
def test_sequential_table() -> None:
    for row in rows("sequential_zero_hit"):
        n, p = row["n"], Fraction(row["p"])
        assert agrees(expected_episodes(n, p), row["expected_episodes"]), row
        assert agrees((1 - p) ** n, row["pr_no_hit"]) and agrees(1 - (1 - p) ** n, row["pr_veto"]), row


@needs_oracle
def test_optional_stopping_table() -> None:
    """A hundred controls at most: the 200 of the table take the same path, only longer."""
    for row in rows("optional_stopping_positive_controls"):
        if row["N"] <= 100:
            alpha, recall = Fraction(row["alpha"]), Fraction(row["true_recall"])
            assert agrees(extension_error(row["N"], alpha, Fraction("0.8"), recall), row["false_pass"]), row
            assert agrees(adequacy_power(45, Fraction("0.005"), Fraction("0.8"), recall), row["fixed45"]), row


TRUTHS = {
    "ideal": ("0", "1", "1", "0", "0"),
    "good": ("0.001", "0.98", "0.98", "0", "0.005"),
    "leaky p_B=.02": ("0.02", "0.98", "0.98", "0", "0.005"),
    "leaky p_B=.1": ("0.1", "0.98", "0.98", "0", "0.005"),
    "weak controls R=.7": ("0.001", "0.7", "0.98", "0", "0.005"),
}


@needs_oracle
def test_expected_sessions_table() -> None:
    """The table is printed from doubles with two or three decimals."""
    alpha = Fraction("0.01")
    for row in rows("expected_sessions_early_stop"):
        hit, recall, p10, p01, q = map(Fraction, TRUTHS[row["truth"]])
        n_r, n_a, n_e, n_s = (96, 45, 30, 60) if row["design"] == "reference" else (90, 43, 30, 56)
        controls = Stage(
            "adequacy",
            expected_controls(n_a, 2, recall),
            adequacy_power(n_a, Fraction("0.005"), Fraction("0.8"), recall),
        )
        challengers = Stage("recovery", expected_episodes(n_r, hit), (1 - hit) ** n_r)
        pairs = [
            Stage("sham", Fraction(2 * n_s), null_power(n_s, alpha, Fraction("0.17"), q, q)),
            Stage("evidence", Fraction(2 * n_e), feedback_power(n_e, alpha, Fraction("0.51"), p10, p01)),
        ]
        assert float(controls.cost) == pytest.approx(row["E_controls"], abs=6e-4)
        assert float(challengers.cost) == pytest.approx(row["E_challengers"], abs=6e-3)
        adequacy_first = expected_cost([controls, challengers, *pairs])
        recovery_first = expected_cost([challengers, controls, *pairs])
        assert float(adequacy_first) == pytest.approx(row["E_total_adequacy_first"], abs=6e-3), row
        assert float(recovery_first) == pytest.approx(row["E_total_recovery_first"], abs=6e-3), row
    assert least_episodes(alpha, Fraction("0.05")) == 90


def test_one_control_may_be_enough_to_stop() -> None:
    """.2 <= .4: the first passes if it is found; 1 - .8^2 = .36 <= .4: else the second does, and there is no third."""
    rule = Fraction("0.4"), Fraction("0.2"), Fraction("0.7")
    assert extension_error(1, *rule) == Fraction("0.7")
    assert extension_error(2, *rule) == Fraction("0.91")
