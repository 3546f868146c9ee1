"""Intervals: the exact view against rationals, the kernel's view against the peer's own numbers."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from dcp import stats as peer
from hypothesis import given, settings
from hypothesis import strategies as st

from dcp_lang.stats.bernstein import half_width
from dcp_lang.verify.intervals import (
    BinaryMean,
    ExactBernstein,
    ExactMean,
    ExactPaired,
    KernelMean,
    bernstein,
    exact,
    pairwise_sum,
    unbounded,
)

SCORE = st.integers(0, 1000).map(lambda n: n / 1000)
SCORES = st.lists(SCORE, min_size=1, max_size=12)
STEP = Fraction(1, 10**12)


def test_pairwise_sum_is_numpys_bit_for_bit() -> None:
    rng = Random(7)
    for n in [*range(1, 300), 1000, 4099]:
        values = [rng.uniform(-1, 1) for _ in range(n)]
        assert pairwise_sum(values) == float(np.add.reduce(np.array(values)))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(SCORE, SCORE), min_size=1, max_size=12))
def test_kernel_mean_is_the_peers_double(pairs: list[tuple[float, float]]) -> None:
    left, right = [first for first, _ in pairs], [second for _, second in pairs]
    interval = peer.mean_diff_ci(left, right, 0.99, method="finite_set_exact")
    assert KernelMean(left, right).double == interval.mean


def test_a_score_is_the_decimal_that_the_record_prints() -> None:
    assert exact(0.95) == Fraction(19, 20) and exact(1) == 1 and exact(5e-324) == Fraction(5, 10**324)
    assert ExactMean([0.95], [1.0]).value == Fraction(-1, 20)
    assert BinaryMean([0.95], [1.0]).value == Fraction(0.95) - 1 < Fraction(-1, 20)


@settings(max_examples=60, deadline=None)
@given(SCORES, st.integers(-2, 2))
def test_exact_mean_compares_as_rationals_do(left: list[float], step: int) -> None:
    right = [0.3] * len(left)
    gap = ExactMean(left, right)
    value = sum(map(exact, left), Fraction()) / len(left) - Fraction(3, 10)
    threshold = value + step * STEP
    assert gap.at_least(threshold) == (value >= threshold)
    assert gap.above(threshold) == (value > threshold)
    assert gap.at_most(threshold) == (value <= threshold)
    assert gap.below(threshold) == (value < threshold)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-100, 100), min_size=2, max_size=40), st.sampled_from((0.005, 0.05)))
def test_bernstein_doubles_are_the_peers(hundredths: list[int], alpha: float) -> None:
    values = [value / 100 for value in hundredths]
    ours, theirs = bernstein(values, alpha), peer.bounded_empirical_bernstein_interval(values, 1 - alpha)
    assert (ours.lower, ours.upper) == (
        pytest.approx(theirs.lcb, abs=1e-12),
        pytest.approx(theirs.ucb, abs=1e-12),
    )


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-20, 20), min_size=60, max_size=90))
def test_exact_bernstein_decides_one_step_beside_its_ends(hundredths: list[int]) -> None:
    values, alpha = [Fraction(value, 100) for value in hundredths], Fraction(1, 20)
    n, mean = len(values), sum(values, Fraction()) / len(values)
    variance = sum(((value - mean) ** 2 for value in values), Fraction()) / (n - 1)
    width = half_width(n, variance, alpha, places=15)
    interval = ExactBernstein(values, alpha)
    if mean - width > -1:
        assert interval.at_least(mean - width) and interval.above(mean - width)
        assert not interval.at_least(mean - width + STEP)
    if mean + width < 1:
        assert interval.at_most(mean + width) and interval.below(mean + width)
        assert not interval.at_most(mean + width - STEP)


def test_bernstein_ends_are_clipped_to_the_range() -> None:
    interval = ExactBernstein([Fraction(0)] * 4, Fraction(1, 100))
    assert (interval.lower, interval.upper) == (-1, 1)
    assert interval.at_least(Fraction(-1)) and not interval.above(Fraction(-1))
    assert interval.at_most(Fraction(1)) and not interval.below(Fraction(1))
    assert interval.above(Fraction(-1) - STEP) and interval.below(Fraction(1) + STEP)
    assert not interval.at_least(Fraction(-1) + STEP) and not interval.at_most(Fraction(1) - STEP)


@pytest.mark.parametrize(("n", "margin"), [(22, Fraction(51, 100)), (30, Fraction(3, 5))])
def test_paired_limit_that_ties_with_its_margin(n: int, margin: Fraction) -> None:
    # All n pairs truthful only: the limit is >= d exactly when ((1 + d)/2)^n <= α/4 (planner, section 1).
    alpha = 4 * ((1 + margin) / 2) ** n
    tie, looser = ExactPaired(n, 0, n, alpha), ExactPaired(n, 0, n, alpha + Fraction(1, 10**15))
    assert tie.at_least(margin) and not tie.above(margin)
    assert looser.above(margin)
    mirrored = ExactPaired(0, n, n, alpha)
    assert mirrored.at_most(-margin) and not mirrored.below(-margin)
    tighter = ExactPaired(n, 0, n, alpha - Fraction(1, 10**15))
    assert not tighter.at_least(margin)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from((1, 1, 0, -1)), min_size=2, max_size=40))
def test_paired_interval_is_the_peers(differences: list[int]) -> None:
    n = len(differences)
    plus, minus = differences.count(1), differences.count(-1)
    ours, theirs = (
        ExactPaired(plus, minus, n, Fraction(1, 100)),
        peer.paired_binary_interval(differences, 0.99),
    )
    assert ours.lower == pytest.approx(theirs.lcb, abs=1e-9) and ours.upper == pytest.approx(
        theirs.ucb, abs=1e-9
    )


def test_an_unbounded_interval_answers_no_question_positively() -> None:
    nothing = unbounded()
    assert not nothing.bounded
    for threshold in (Fraction(-1), Fraction(0), Fraction(1)):
        answers = (nothing.at_least, nothing.above, nothing.at_most, nothing.below)
        assert not any(ask(threshold) for ask in answers)
