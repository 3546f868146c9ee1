"""Error budgets that are just enough, what is left of them, and how alphas and bounds are written."""

from fractions import Fraction

import pytest

from dcp_lang.stats import allocation
from dcp_lang.stats.allocation import SCALE, Gate, allocate, shortest_alphas
from dcp_lang.stats.prices import zero_hit_price

ONE = Fraction(1)


@pytest.mark.parametrize("dear", [100, 10**4])
def test_the_least_size_that_the_budget_allows_may_be_the_best(dear: int) -> None:
    """Two of the dear episodes cost .25 of .26; 2^-7 = .0078 is left for seven of the cheap ones."""
    half = zero_hit_price(Fraction(1, 2))
    found = allocate(Fraction("0.26"), {"recovery": Gate(half, Fraction(dear)), "other": Gate(half, ONE)})
    assert found is not None and found.sizes == {"recovery": 2, "other": 7}


@pytest.mark.parametrize("most", [2, 10**7])
def test_a_budget_that_is_the_price_is_enough(most: int) -> None:
    """Two episodes at rho = 1/2 cost 1/4; with a ten-billionth less they take three."""
    gates = {"recovery": Gate(zero_hit_price(Fraction(1, 2)), ONE, most)}
    found = allocate(Fraction(1, 4), gates)
    assert found is not None and found.sizes == {"recovery": 2} and found.spare == 0
    short = allocate(Fraction(1, 4) - Fraction(1, 10**10), gates)
    assert short is None if most == 2 else short is not None and short.sizes == {"recovery": 3}


def test_what_is_left_of_a_unit_is_not_spent() -> None:
    """.25 + 10^-13 is more than 250,000,000,000 units, which is all of a total of .25 and a third of a unit."""
    rho = Fraction(1, 2) - Fraction(1, 10**13)
    total = Fraction(1, 4) + Fraction(1, 3 * SCALE)
    found = allocate(total, {"recovery": Gate(zero_hit_price(rho), ONE)})
    assert found is not None and found.sizes == {"recovery": 3} and sum(found.alphas.values()) <= total


@pytest.mark.parametrize(("available", "alpha"), [("0.5", "0.3"), ("0.3", "0.3"), ("0.29", "0.25")])
def test_alphas_have_as_few_decimals_as_fit(available: str, alpha: str) -> None:
    assert shortest_alphas({"g": Fraction("0.25")}, Fraction(available)) == {"g": Fraction(alpha)}


def test_bounds_on_cost_are_rounded_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lower bound of 7.12345678 in tenths of a session is .712345678, and is told as .7123456."""
    monkeypatch.setattr(allocation, "lower_bound", lambda *at: 7.12345678)
    found = allocate(Fraction("0.05"), {"recovery": Gate(zero_hit_price(Fraction("0.3")), Fraction("0.1"))})
    assert found is not None and found.bound == Fraction("0.7123456")
