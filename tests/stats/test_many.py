"""Probabilities where an exact power would have millions of digits: bounds, beside exact values and limits."""

from fractions import Fraction
from math import erfc, exp, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.bounds import ceiling_reaches, recall_reaches
from dcp_lang.stats.enclosure import Enclosure, ends
from dcp_lang.stats.estimate import count_estimate
from dcp_lang.stats.exact import binomial_lower_tail, lower_tail_at_most, lower_tail_bounds, power_bounds
from dcp_lang.stats.planning import tolerated_concordant, tolerated_discordant, tolerated_failures
from dcp_lang.stats.power import (
    EXACT_UP_TO,
    adequacy_power,
    adequacy_power_bounds,
    recovery_power,
    recovery_power_bounds,
)
from dcp_lang.stats.sequential import expected_episodes, expected_episodes_bound

from . import naive

MANY = 10**6
CLOSE = Fraction(1, 10**20)
ALPHA, RHO, RECALL = Fraction("0.01"), Fraction("0.05"), Fraction("0.8")
probabilities = st.fractions(0, 1, max_denominator=1000)


def test_ends_round_outward() -> None:
    """5/8 lies between 1/2 and 3/4, the multiples of 2**-2 around it; what has few bits is kept."""
    assert ends(Enclosure(5, 5, -3), 2) == (Fraction(1, 2), Fraction(3, 4))
    assert ends(Enclosure(5, 6, -3), 3) == (Fraction(5, 8), Fraction(6, 8))
    assert ends(Enclosure(3, 3, 1), 2) == (6, 6)
    assert ends(Enclosure(1, 1, -(10**7)), 96) == (0, Fraction(1, 2**96))


@naive.law
@given(probabilities, st.integers(0, 80))
def test_power_bounds_enclose(base: Fraction, n: int) -> None:
    low, high = power_bounds(base, n)
    assert low <= base**n <= high < low + CLOSE


@naive.law
@given(st.integers(1, 60), st.integers(-1, 61), probabilities)
def test_tail_bounds_enclose(n: int, k: int, p: Fraction) -> None:
    low, high = lower_tail_bounds(n, k, p)
    assert low <= binomial_lower_tail(n, k, p) <= high < low + CLOSE


def test_powers_of_millions() -> None:
    """(1 - 1/n)**n = e**-1 (1 - 1/(2n) - …)."""
    low, high = power_bounds(1 - Fraction(1, MANY), MANY)
    assert high - low < CLOSE and abs(float(low) - exp(-1) * (1 - 0.5 / MANY)) < 1e-12


@pytest.mark.parametrize("k, sign", [(MANY // 2, 1), (MANY // 2 - 1, -1)])
def test_tails_of_millions(k: int, sign: int) -> None:
    """A fair coin: Pr(X <= n/2) and Pr(X < n/2) are half a middle term, about 1/sqrt(pi n/2) / 2, from 1/2."""
    low, high = lower_tail_bounds(MANY, k, Fraction(1, 2))
    middle = 1 / sqrt(pi * MANY / 2)
    assert high - low < CLOSE and abs(float(low) - 0.5 - sign * middle / 2) < 1e-9


def test_a_tail_six_deviations_out() -> None:
    """Within a thousandth of the normal tail, which is what the central limit theorem leaves here."""
    low, _ = lower_tail_bounds(MANY, MANY // 2 + int(3 * sqrt(MANY)), Fraction(1, 2))
    assert 1 - low == pytest.approx(erfc(6 / sqrt(2)) / 2, rel=2e-2)


def test_exact_where_it_prints() -> None:
    n = EXACT_UP_TO
    exact = recovery_power(n, ALPHA, RHO, Fraction(1, 1000))
    assert recovery_power_bounds(n, ALPHA, RHO, Fraction(1, 1000)) == (exact, exact)
    exact = adequacy_power(n, ALPHA, RECALL, Fraction(9, 10))
    assert adequacy_power_bounds(n, ALPHA, RECALL, Fraction(9, 10)) == (exact, exact)
    assert expected_episodes_bound(n, RHO) == expected_episodes(n, RHO)


def test_bounds_one_beyond() -> None:
    n, truth = EXACT_UP_TO + 1, Fraction(821, 1000)
    low, high = recovery_power_bounds(n, ALPHA, RHO, Fraction(1, 1000))
    assert low < recovery_power(n, ALPHA, RHO, Fraction(1, 1000)) < high < low + CLOSE
    low, high = adequacy_power_bounds(n, ALPHA, RECALL, truth)
    assert low < adequacy_power(n, ALPHA, RECALL, truth) < high < low + CLOSE
    most = expected_episodes_bound(n, RHO)
    assert expected_episodes(n, RHO) < most < expected_episodes(n, RHO) + 20 * CLOSE


def test_a_gate_that_cannot_pass_has_no_power() -> None:
    """0.9999**2000 = .82 is far above alpha; 2,000 of 2,000 controls bound the recall by .9977 only."""
    assert recovery_power_bounds(2000, ALPHA, Fraction("0.0001"), Fraction(0)) == (0, 0)
    assert adequacy_power_bounds(2000, ALPHA, Fraction("0.998"), Fraction(1)) == (0, 0)


def test_no_hits_are_certain_without_a_rate() -> None:
    assert recovery_power_bounds(MANY, ALPHA, RHO, Fraction(0)) == (1, 1)
    assert recovery_power_bounds(MANY, ALPHA, RHO, Fraction(1)) == (0, 0)
    assert expected_episodes_bound(MANY, Fraction(0)) == MANY


@naive.law
@given(st.integers(1, 300), st.sampled_from([Fraction("0.05"), Fraction("0.0025")]), st.integers(1, 99))
def test_estimated_counts_are_near(n: int, alpha: Fraction, percent: int) -> None:
    """Beside the last count whose exact bound is within the ceiling: at most one off, so that a search is short."""
    ceiling = Fraction(percent, 100)
    last = max((k for k in range(n + 1) if ceiling_reaches(k, n, alpha, ceiling)), default=0)
    assert abs(count_estimate(n, alpha, ceiling) - last) <= 1


def test_tolerances_of_millions_are_the_last() -> None:
    """The definition at both sides of the answer."""
    failed = tolerated_failures(MANY, ALPHA, RECALL)
    assert failed is not None and recall_reaches(MANY - failed, MANY, ALPHA, RECALL)
    assert not recall_reaches(MANY - failed - 1, MANY, ALPHA, RECALL)
    discordant = tolerated_discordant(MANY, ALPHA, Fraction("0.17"))
    assert discordant is not None and ceiling_reaches(discordant, MANY, ALPHA / 4, Fraction("0.17"))
    assert not ceiling_reaches(discordant + 1, MANY, ALPHA / 4, Fraction("0.17"))


def test_tolerated_concordant_pairs_of_a_million() -> None:
    """Within five deviations of the share that the margin leaves: n (1 - margin) less about z sqrt(n p q)."""
    n, margin = 10**6, Fraction("0.51")
    lost = tolerated_concordant(n, ALPHA, margin)
    assert lost is not None and 490_000 - 5 * sqrt(n * 0.49 * 0.51) < lost < 490_000


@pytest.mark.parametrize(
    ("k", "p", "bound", "holds"),
    [
        (9 * 10**6, "0.5", "0.6", False),
        (5 * 10**6 - 1, "0.5", "0.5", True),
        (5 * 10**6, "0.5", "0.5", False),
        (5 * 10**6 + 395, "0.5", "0.6", True),
        (5 * 10**6 + 405, "0.5", "0.6", False),
        (10**7 - 1, "0.9999999", "0.7", True),
        (10**7 - 1, "0.9999999", "0.6", False),
    ],
)
def test_tails_above_the_mean_are_decided_on_the_other_side(k: int, p: str, bound: str, holds: bool) -> None:
    """A coin's median is n/2; .2533 sd = 400.6 above it lie 60 %, and a hit a ten-millionth short of sure is missed
    once in n with probability 1 - 1/e = .632.
    """
    assert lower_tail_at_most(10**7, k, Fraction(p), Fraction(bound)) is holds
