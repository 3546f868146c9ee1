"""Least sample sizes and tolerances: published values, minimality, laws, caps and infeasible requests."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.bounds import recall_reaches, zero_failure_reaches
from dcp_lang.stats.paired import feedback_reaches, null_within
from dcp_lang.stats.planning import (
    MAX_N,
    Obstacle,
    _excludes,
    continuous_null_pairs,
    least_episodes,
    least_null_pairs,
    least_pairs,
    least_positive_controls,
    least_units,
    obstacle,
    tolerated_concordant,
    tolerated_discordant,
    tolerated_failures,
)

from . import naive

ALPHA, MARGIN, BAND = Fraction("0.01"), Fraction("0.51"), Fraction("0.17")
percents = st.integers(1, 60).map(lambda k: Fraction(k, 100))
small_alphas = st.sampled_from([Fraction(a) for a in ("0.05", "0.02", "0.005", "0.0001")])


@pytest.mark.parametrize(
    ("rho", "alpha", "n"),
    [
        ("0.05", "0.05", 59),
        ("0.05", "0.02", 77),
        ("0.05", "0.01", 90),
        ("0.05", "0.005", 104),
        ("0.05", "0.025", 72),  # what a two-sided reading of .05 would need
        ("0.0005", "0.02", 7823),
        ("0.3", "0.0282475249", 10),  # 0.7^10 exactly
        ("0.1", "0.729", 3),
        ("0.05", "0.01", 90),
        ("0.046838116765212434", "0.01", 97),  # a printed bound copied back: rounded down, so one more
        ("0.04684", "0.01", 96),
        ("0.0468", "0.01", 97),
    ],
)
def test_least_episodes(rho: str, alpha: str, n: int) -> None:
    assert least_episodes(Fraction(alpha), Fraction(rho)) == n


def test_least_controls() -> None:
    """24 at alpha .005; 14 at alpha = 0.8^14, where a float logarithm says 15; 43 with two failures."""
    minimum = Fraction("0.8")
    assert least_positive_controls(Fraction("0.005"), minimum) == 24
    assert least_positive_controls(Fraction("0.04398046511104"), minimum) == 14
    assert least_positive_controls(Fraction("0.005"), minimum, 2) == 43


def test_the_reference_design() -> None:
    """Least 90 / 24 / 22 / 33 where the paper uses 96 / 45 / 30 / 60; the tolerances of 45, 30 and 60."""
    assert (least_pairs(ALPHA, MARGIN), least_null_pairs(ALPHA, BAND)) == (22, 33)
    assert tolerated_failures(45, Fraction("0.005"), Fraction("0.8")) == 2
    assert tolerated_concordant(30, ALPHA, MARGIN) == 2
    assert tolerated_discordant(60, ALPHA, BAND) == 2


def test_snapping_to_the_peak_keeps_the_tolerances() -> None:
    assert least_positive_controls(Fraction("0.005"), Fraction("0.8"), 2) == 43
    assert least_null_pairs(ALPHA, BAND, 2, 0) == 56


@naive.law
@given(small_alphas, percents)
def test_least_episodes_is_minimal(alpha: Fraction, rho: Fraction) -> None:
    n = least_episodes(alpha, rho)
    assert n is not None and (1 - rho) ** n <= alpha < (1 - rho) ** (n - 1)


@naive.law
@given(small_alphas, st.integers(50, 95).map(lambda k: Fraction(k, 100)), st.integers(0, 3))
def test_least_controls_is_minimal(alpha: Fraction, minimum: Fraction, failures: int) -> None:
    n = least_positive_controls(alpha, minimum, failures)
    assert n is not None
    assert naive.upper_tail(n, n - failures, minimum) <= alpha
    assert n == failures or naive.upper_tail(n - 1, n - 1 - failures, minimum) > alpha


@naive.law
@given(small_alphas, percents, st.integers(0, 2), st.integers(0, 2))
def test_least_pairs_is_the_first_of_all(
    alpha: Fraction, margin: Fraction, concordant: int, reversed_: int
) -> None:
    lost = concordant + reversed_
    n = least_pairs(alpha, margin, concordant, reversed_)
    passing = (m for m in range(max(1, lost), 400) if feedback_reaches(m - lost, reversed_, m, alpha, margin))
    assert n == next(passing, None)


@naive.law
@given(
    small_alphas, st.integers(10, 60).map(lambda k: Fraction(k, 100)), st.integers(0, 3), st.integers(0, 3)
)
def test_least_null_pairs_is_the_first_of_all(alpha: Fraction, band: Fraction, n10: int, n01: int) -> None:
    n = least_null_pairs(alpha, band, n10, n01)
    passing = (m for m in range(max(1, n10 + n01), 400) if null_within(n10, n01, m, alpha, band))
    assert n == next(passing, None)


@naive.law
@given(st.integers(1, 60), st.integers(0, 30), percents, st.integers(0, 3), st.integers(0, 3))
def test_excluded_blocks_hold_no_passing_size(
    low: int, length: int, band: Fraction, n10: int, n01: int
) -> None:
    low = max(low, n10 + n01)
    passing = [n for n in range(low, low + length + 1) if null_within(n10, n01, n, ALPHA, band)]
    excluded = _excludes(n10, n01, low, low + length, ALPHA, band)
    assert not (excluded and passing)
    if length == 0:
        assert excluded == (not passing)


@naive.law
@given(percents, percents, small_alphas)
def test_a_harder_demand_never_needs_fewer(first: Fraction, second: Fraction, alpha: Fraction) -> None:
    easy, hard = max(first, second), min(first, second)
    assert (least_episodes(alpha, easy) or 0) <= (least_episodes(alpha, hard) or 0)
    assert (least_episodes(alpha, hard) or 0) <= (least_episodes(alpha / 2, hard) or 0)
    assert (least_null_pairs(alpha, easy) or 0) <= (least_null_pairs(alpha, hard) or 0)
    assert (least_pairs(alpha, hard) or 0) <= (least_pairs(alpha, easy) or 0)
    assert (
        (least_pairs(alpha, hard) or 0)
        <= (least_pairs(alpha, hard, 1) or 0)
        <= (least_pairs(alpha, hard, 0, 1) or 0)
    )


@naive.law
@given(st.integers(1, 120), small_alphas, st.integers(1, 99).map(lambda k: Fraction(k, 100)))
def test_tolerances_are_the_last_that_pass(n: int, alpha: Fraction, threshold: Fraction) -> None:
    failures = [f for f in range(n + 1) if recall_reaches(n - f, n, alpha, threshold)]
    assert tolerated_failures(n, alpha, threshold) == (max(failures) if failures else None)
    boxes = [k for k in range(n // 2 + 1) if null_within(k, 0, n, alpha, threshold)]
    assert tolerated_discordant(n, alpha, threshold) == (max(boxes) if boxes else None)


@naive.law
@given(st.integers(5, 60), st.integers(2, 30).map(lambda k: Fraction(k, 100)))
def test_a_tolerated_box_holds_in_every_cell(n: int, band: Fraction) -> None:
    k = tolerated_discordant(n, ALPHA, band)
    if k is not None:
        assert all(
            null_within(a, b, n, ALPHA, band) for a in range(k + 1) for b in range(k + 1) if a + b <= n
        )


def test_beyond_the_cap_there_is_no_size() -> None:
    tiny = Fraction(1, 10**9)
    assert least_episodes(ALPHA, tiny) is None
    assert least_positive_controls(ALPHA, 1 - tiny) is None
    assert least_pairs(ALPHA, 1 - tiny) is None
    assert least_null_pairs(ALPHA, tiny) is None
    assert least_units(Fraction(1), ALPHA, Fraction(2), tiny) is None
    assert continuous_null_pairs(Fraction(1, 10**400), Fraction(1, 10**400)) is None
    for rule in ("zero-failure", "null", "bernstein"):
        assert obstacle(rule, tiny) == Obstacle("beyond-cap", f"n <= {MAX_N}")
    for rule in ("recall", "feedback"):
        assert obstacle(rule, 1 - tiny).kind == "beyond-cap"


def test_just_below_the_cap() -> None:
    """ln(100) / 10^7 = 4.60517e-7: the least n for a rho beside it is at the cap or beyond."""
    n = least_episodes(ALPHA, Fraction("0.00000046052"))
    assert n is not None and MAX_N - 100 < n <= MAX_N
    assert zero_failure_reaches(n, ALPHA, Fraction("0.00000046052"))
    assert not zero_failure_reaches(n - 1, ALPHA, Fraction("0.00000046052"))
    assert least_episodes(ALPHA, Fraction("0.00000046051")) is None


@pytest.mark.parametrize(
    ("rule", "least", "threshold", "inequality"),
    [
        ("zero-failure", least_episodes, "0", "0 < rho"),
        ("recall", least_positive_controls, "1", "minimum < 1"),
        ("feedback", least_pairs, "1.1", "delta_evidence + delta_sham < 1"),
        ("feedback", least_pairs, "1", "delta_evidence + delta_sham < 1"),
        ("null", least_null_pairs, "0", "0 < delta_sham"),
        ("bernstein", continuous_null_pairs, "0", "0 < half-width"),
    ],
)
def test_infeasible_requests_name_the_inequality(rule: str, least, threshold: str, inequality: str) -> None:
    assert least(ALPHA, Fraction(threshold)) is None
    assert obstacle(rule, Fraction(threshold)) == Obstacle("infeasible", inequality)


def test_vacuous_thresholds_need_one() -> None:
    assert least_episodes(ALPHA, Fraction(1)) == 1
    assert least_positive_controls(ALPHA, Fraction(0)) == 1
    assert least_pairs(ALPHA, Fraction(-1)) == 1
    assert least_null_pairs(ALPHA, Fraction(1)) == 1
    assert least_null_pairs(ALPHA, Fraction(1), 1, 1) == 2


def test_import_stays_light() -> None:
    """`dcpc check` plans: none of the heavy modules may come in with it."""
    import subprocess
    import sys

    code = (
        "import sys, dcp_lang.stats.planning\n"
        "heavy = {'statistics', 'dataclasses', 'inspect', 'numpy', 'scipy', 'sympy', 'random'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "least", [least_episodes, least_positive_controls, least_pairs, least_null_pairs, continuous_null_pairs]
)
def test_no_size_proves_anything_without_an_error(least) -> None:
    """Every bound at alpha = 0 is the whole range: only alpha > 0 ever passes."""
    assert least(Fraction(0), Fraction(1, 2)) is None
    assert least(Fraction(1, 10**6), Fraction(1, 2)) is not None


def test_one_session_may_suffice() -> None:
    """.04 <= .05, .2 <= .3, .05 <= .4 / 4, and 1 - .2 / 4 = .95 <= .96; two values have 14 ln 8 / 3 = 9.7."""
    assert least_episodes(Fraction("0.05"), Fraction("0.96")) == 1
    assert least_positive_controls(Fraction("0.3"), Fraction("0.2")) == 1
    assert least_pairs(Fraction("0.4"), Fraction("-0.9")) == 1
    assert least_null_pairs(Fraction("0.2"), Fraction("0.96")) == 1
    assert least_units(Fraction(0), Fraction("0.5"), Fraction(2), Fraction(10)) == 2
