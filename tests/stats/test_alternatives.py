"""Designs that dominate the reference, and the other valid bounds, by their tables and by definition."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats import alternatives
from dcp_lang.stats.allocation import allocate
from dcp_lang.stats.audit import Design, Thresholds, Truth, assurance
from dcp_lang.stats.bounds import clopper_pearson_lower
from dcp_lang.stats.domination import dominating_gates, snapped
from dcp_lang.stats.paired import feedback_reaches, null_within

from . import naive
from .reference import needs_oracle, rows

THRESHOLDS = Thresholds(*map(Fraction, ("0.05", "0.8", "0.51", "0.17")))
ALPHAS = dict(
    zip(
        ("recovery", "adequacy", "evidence", "sham"),
        map(Fraction, ("0.01", "0.005", "0.01", "0.01")),
        strict=True,
    )
)
REFERENCE = Design(dict(zip(ALPHAS, (96, 45, 30, 60), strict=True)), ALPHAS)
COSTS = dict(zip(ALPHAS, map(Fraction, (1, 1, 2, 2)), strict=True))


def test_snapping_to_the_peaks() -> None:
    """96 / 45 / 30 / 60 become 90 / 43 / 30 / 56, 305 sessions for 321; planner report, table snap_to_peak."""
    assert list(snapped(REFERENCE, THRESHOLDS).sizes.values()) == [90, 43, 30, 56]
    assert snapped(snapped(REFERENCE, THRESHOLDS), THRESHOLDS) == snapped(REFERENCE, THRESHOLDS)


def test_the_dominating_allocation() -> None:
    """302 sessions in a budget of .035, 284 in .05."""
    gates = dominating_gates(REFERENCE, THRESHOLDS, COSTS)
    for total, sizes in (("0.035", [85, 45, 30, 56]), ("0.05", [76, 42, 30, 53])):
        found = allocate(Fraction(total), gates)
        assert found is not None and list(found.sizes.values()) == sizes


@cache
def dominating_designs() -> list[Design]:
    found = allocate(Fraction("0.05"), dominating_gates(REFERENCE, THRESHOLDS, COSTS))
    assert found is not None
    return [snapped(REFERENCE, THRESHOLDS), Design(found.sizes, found.alphas)]


rates = st.integers(0, 20)


@naive.law
@given(rates, rates, rates, rates, rates)
def test_domination_holds_for_every_truth(hit: int, miss: int, lost: int, reversed_: int, null: int) -> None:
    truth = Truth(
        Fraction(hit, 1000),
        1 - Fraction(miss, 200),
        1 - Fraction(lost + reversed_, 200),
        Fraction(reversed_, 200),
        Fraction(null, 400),
        Fraction(lost, 400),
    )
    reference = assurance(REFERENCE, THRESHOLDS, truth)
    for design in dominating_designs():
        assert assurance(design, THRESHOLDS, truth) >= reference


def feedback_rules(row: dict) -> dict[str, Callable[[int], bool]]:
    """By column: does n pass with the losses of this row?"""
    alpha, d, k = Fraction(row["alpha"]), Fraction(row["d"]), row["k"]
    r = k if row["kind"] == "rev" else 0
    return {
        "peer": lambda n: feedback_reaches(n - k, r, n, alpha, d),
        "bcp_one_sided": lambda n: alternatives.one_sided_paired_reaches(n - k, r, n, alpha, d),
        "marg_half": lambda n: alternatives.marginal_reaches(n - k, n, alpha / 2, d),
        "marg_one_sided": lambda n: alternatives.marginal_reaches(n - k, n, alpha, d),
        "mcnemar_cond": lambda n: alternatives.conditional_reaches(n - k, r, n, alpha, d),
        "uncond_half": lambda n: alternatives.unconditional_reaches(n - k, r, n, alpha / 2, d),
        "uncond_one_sided": lambda n: alternatives.unconditional_reaches(n - k, r, n, alpha, d),
    }


def null_rules(row: dict) -> dict[str, Callable[[int], bool]]:
    counts, alpha, s = (row["n10"], row["n01"]), Fraction(row["alpha"]), Fraction(row["s"])
    return {
        "peer": lambda n: null_within(*counts, n, alpha, s),
        "marginal": lambda n: alternatives.marginal_within(*counts, n, alpha, s),
        "discordance": lambda n: alternatives.discordance_within(*counts, n, alpha, s),
        "tost": lambda n: alternatives.equivalence_within(*counts, n, alpha, s),
    }


def first(passes: Callable[[int], bool], low: int) -> int:
    return next(n for n in range(max(low, 1), 200) if passes(n))


@needs_oracle
def test_tighter_feedback_bounds() -> None:
    for row in rows("tighter_evidence"):
        rules = feedback_rules(row)
        assert {name: first(passes, row["k"]) for name, passes in rules.items()} == {
            name: row[name] for name in rules
        }, row


@needs_oracle
def test_tighter_null_bounds() -> None:
    for row in rows("tighter_null"):
        rules = null_rules(row)
        assert {name: first(passes, row["n10"] + row["n01"]) for name, passes in rules.items()} == {
            name: row[name] for name in rules
        }, row


def test_all_truthful_needs_one_tail() -> None:
    """At t = n the unconditional test is ((1 + d)/2)^n: 19 at alpha/2, 17 at alpha, where the protocol needs 22."""
    margin, alpha = Fraction("0.51"), Fraction("0.01")
    for tail, n in ((alpha / 2, 19), (alpha, 17)):
        assert alternatives.unconditional_reaches(n, 0, n, tail, margin)
        assert not alternatives.unconditional_reaches(n - 1, 0, n - 1, tail, margin)
        assert ((1 + margin) / 2) ** n <= tail < ((1 + margin) / 2) ** (n - 1)


@pytest.mark.parametrize("p01", ["0", "0.05", "0.2"])
def test_the_unconditional_test_keeps_its_error(p01: str) -> None:
    """On the boundary p10 - p01 = margin the outcomes it accepts have probability <= alpha."""
    n, alpha, margin, rate = 12, Fraction("0.05"), Fraction("0.3"), Fraction(p01)
    accepted = Fraction(0)
    for n01 in range(n + 1):
        for n10 in range(n - n01 + 1):
            if alternatives.unconditional_reaches(n10, n01, n, alpha, margin):
                chance = naive.binomial(n, n01, rate)
                accepted += chance * naive.binomial(n - n01, n10, (margin + rate) / (1 - rate))
    assert 0 < accepted <= alpha


def test_nothing_discordant_reaches_nothing() -> None:
    assert not alternatives.conditional_reaches(0, 0, 30, Fraction("0.05"), Fraction("0.1"))


def test_the_unconditional_test_by_its_definition() -> None:
    """n = 8: the largest Pr(n10 - n01 >= d) over the boundary p10 = margin + p01, on a grid of the nuisance p01."""
    n, alpha, margin = 8, Fraction("0.2"), Fraction("0.1")
    grid = [Fraction(i, 100) for i in range(46)]  # p10 + p01 <= 1
    decided = 0
    for difference in range(-n, n + 1):
        largest = max(_trinomial_tail(n, difference, margin + p01, p01) for p01 in grid)
        if abs(largest - alpha) < Fraction("0.01"):
            continue  # the grid may miss the peak by so much
        decided += 1
        for n01 in range(max(0, -difference), n + 1):
            n10 = n01 + difference
            if 0 <= n10 <= n - n01:
                assert alternatives.unconditional_reaches(n10, n01, n, alpha, margin) == (largest <= alpha)
    assert decided >= 15


def _trinomial_tail(n: int, difference: int, p10: Fraction, p01: Fraction) -> Fraction:
    total = Fraction(0)
    for n01 in range(n + 1):
        for n10 in range(max(0, n01 + difference), n - n01 + 1):
            rest = n - n01 - n10
            ways = comb(n, n01) * comb(n - n01, n10)
            total += ways * p10**n10 * p01**n01 * (1 - p10 - p01) ** rest
    return total


def test_mcnemars_bound_on_its_margin() -> None:
    """9 of 10 discordant pairs among 12 at alpha .05: the product of the printed limits itself passes."""
    tail = Fraction("0.0125")
    share, discordance = (clopper_pearson_lower(x, n, tail, 15) for x, n in ((9, 10), (10, 12)))
    margin = discordance * (2 * share - 1)
    assert margin > 0
    assert alternatives.conditional_reaches(9, 1, 12, Fraction("0.05"), margin)
    assert not alternatives.conditional_reaches(9, 1, 12, Fraction("0.05"), margin + Fraction(1, 10**40))
