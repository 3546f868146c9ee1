"""Prices by definition: the least alpha at which what is tolerated still passes."""

from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.allocation import SCALE
from dcp_lang.stats.bernstein import half_width_within
from dcp_lang.stats.bounds import recall_reaches, zero_failure_reaches
from dcp_lang.stats.paired import feedback_reaches, null_within
from dcp_lang.stats.prices import (
    HalfWidthPrice,
    PairedPrice,
    Price,
    feedback_price,
    null_price,
    recall_price,
    zero_hit_price,
)

from . import naive

TWO = Fraction(2)
LOSSES = ((0, 0), (1, 0), (2, 0), (0, 1))
percents = st.integers(15, 60).map(lambda k: Fraction(k, 100))
PASSES = [
    (zero_hit_price(Fraction("0.2")), lambda n, a: zero_failure_reaches(n, a, Fraction("0.2"))),
    (recall_price(Fraction("0.8"), 2), lambda n, a: recall_reaches(n - 2, n, a, Fraction("0.8"))),
    (feedback_price(Fraction("0.3")), lambda n, a: feedback_reaches(n, 0, n, a, Fraction("0.3"))),
    (
        feedback_price(Fraction("0.3"), ((0, 2),)),
        lambda n, a: feedback_reaches(n - 2, 2, n, a, Fraction("0.3")),
    ),
    (
        feedback_price(Fraction("0.3"), LOSSES),
        lambda n, a: all(feedback_reaches(n - c - r, r, n, a, Fraction("0.3")) for c, r in LOSSES),
    ),
    (
        feedback_price(Fraction("0.3"), ((0, 0), (4, 0))),  # the concordant loss is the dearer one
        lambda n, a: n >= 4 and feedback_reaches(n - 4, 0, n, a, Fraction("0.3")),
    ),
    (
        null_price(Fraction("0.4"), 1),
        lambda n, a: all(null_within(x, y, n, a, Fraction("0.4")) for x, y in product((0, 1), repeat=2)),
    ),
    (
        HalfWidthPrice(Fraction("0.9")),
        lambda n, a: half_width_within(n, Fraction(0), a, TWO, Fraction("0.9")),
    ),
]


@pytest.mark.parametrize(("price", "passes"), PASSES)
@pytest.mark.parametrize("n", [4, 9, 23, 40])
def test_a_price_is_the_least_alpha_that_passes(price: Price, passes, n: int) -> None:
    units = price.units(n, SCALE)
    assert units == SCALE or passes(n, Fraction(units, SCALE))
    assert units == 1 or not passes(n, Fraction(units - 1, SCALE))
    if units < SCALE // 2:
        assert price.estimate(n) * SCALE == pytest.approx(units, rel=1e-9, abs=1)


@pytest.mark.parametrize(("price", "_"), PASSES)
def test_no_price_is_below_one_unit(price: Price, _) -> None:
    """At 200 all of them cost less than a hundredth, and nothing is free."""
    assert price.units(200, 100) == 1


def test_prices_of_the_reference_outcomes() -> None:
    """Tolerating what the reference tolerates: 30 pairs cost .00935998, 43 controls .00464061."""
    assert Fraction(feedback_price(Fraction("0.51"), LOSSES).units(30, 10**8), 10**8) == Fraction(
        "0.00935998"
    )
    assert Fraction(recall_price(Fraction("0.8"), 2).units(43, 10**8), 10**8) == Fraction("0.00464061")
    assert zero_hit_price(Fraction("0.05")).units(90, SCALE) == -(-(Fraction("0.95") ** 90) * SCALE // 1)


def test_the_worst_loss_sets_the_price() -> None:
    margin = Fraction("0.3")
    both, worst = feedback_price(margin, ((0, 2), (0, 0))), feedback_price(margin, ((0, 2),))
    assert both.units(20, SCALE) == worst.units(20, SCALE) > feedback_price(margin).units(20, SCALE)


def test_reversed_losses_need_one_tail_only() -> None:
    single, general = feedback_price(Fraction("0.3"), ((0, 1),)), PairedPrice(Fraction("0.3"), ((0, 1),))
    for n in (8, 20):
        assert single.units(n, SCALE) == general.units(n, SCALE)


@naive.law
@given(percents, st.integers(0, 2))
def test_convex_curves_step_ever_less(rate: Fraction, misses: int) -> None:
    """What the search relies on, on exact tails from where they are below one half."""
    tails = [naive.lower_tail(n, misses, rate) for n in range(misses + 1, misses + 25)]
    steps = [a - b for a, b in pairwise(tails) if a <= Fraction(1, 2)]
    assert steps == sorted(steps, reverse=True)


@pytest.mark.parametrize(
    ("price", "first"),
    [
        (zero_hit_price(Fraction("0.2")), 1),
        (recall_price(Fraction("0.8"), 3), 3),
        (PairedPrice(Fraction("0.3"), ((0, 0), (2, 1))), 3),
        (PairedPrice(Fraction("0.3"), ((0, 0),) * 2), 1),
        (HalfWidthPrice(Fraction("0.9")), 2),
    ],
)
def test_the_first_size_has_room_for_what_is_lost(price: Price, first: int) -> None:
    """As many sessions as failures or lost pairs, one at least; a variance needs two."""
    assert price.first_n == first
