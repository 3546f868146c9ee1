"""Curves of sizes against a look at every size."""

from fractions import Fraction
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.power import adequacy_power
from dcp_lang.stats.power_curves import BlockCurve, SmoothCurve, ToothCurve
from dcp_lang.stats.search import Effort, EffortError
from dcp_lang.stats.solver import Multipliers
from dcp_lang.stats.teeth import teeth

from . import naive

LOW = 13
#: Saw-toothed shortfalls, and what bounds them from below on a block.
shortfalls = st.lists(st.floats(0, 0.4), min_size=400, max_size=400)


@naive.law
@given(shortfalls, st.integers(1, 5), st.floats(1, 3000), st.sampled_from([0.0, 1.0, 8.0]))
def test_menus_miss_no_option(noise: list[float], cost: int, worth: float, gap: float) -> None:
    def shortfall(n: int) -> float:
        return exp(-n / 40) + (noise[n] if n < len(noise) else 0.0)

    curve = BlockCurve(cost, LOW, shortfall, lambda a, b: exp(-b / 40))
    rates = Multipliers(0.0, worth)
    worths = {n: cost * n + worth * shortfall(n) for n in range(LOW, 6000)}
    least = min(worths.values())
    assert rates.reduced_cost(curve.best(rates)) == pytest.approx(least)
    found = {option.n for option in curve.menu(rates, gap)}
    assert found == {n for n, value in worths.items() if value <= least + gap}


def test_a_menu_goes_on_into_the_next_block() -> None:
    """Without shortfalls the least size is the best, and five more are within a gap of five: 64 begins a block."""
    curve = BlockCurve(1, 62, lambda n: 0.0, lambda a, b: 0.0)
    assert sorted(option.n for option in curve.menu(Multipliers(0.0, 1.0), 5.0)) == [62, 63, 64, 65, 66, 67]


@pytest.mark.parametrize("worth", [0.5, 30.0, 5000.0])
def test_a_smooth_curve_is_near_where_it_is_exponential(worth: float) -> None:
    curve = SmoothCurve(2, 100, lambda n: exp(-n / 25))
    best = min((2 * n + worth * exp(-n / 25), n) for n in range(100, 301))
    found = curve.best(Multipliers(0.0, worth))
    assert found.n == best[1] and found.shortfall == pytest.approx(exp(-found.n / 25))
    assert curve.menu(Multipliers(0.0, worth), 5.0) == [found]


def test_teeth_make_a_curve_of_their_first_sizes() -> None:
    """Shortfalls are -ln of the exact power, from the least size asked for on; asked again it is the same."""
    rule = Fraction("0.01"), Fraction("0.8"), Fraction("0.95")
    firsts = [tooth.first for tooth, _ in zip(teeth(*rule), range(20), strict=False)]
    low = firsts[2]
    curve, rates = ToothCurve(1, low, teeth(*rule), Effort(100)), Multipliers(0.0, 20.0)
    menu = curve.menu(rates, 10.0)
    assert menu == curve.menu(rates, 10.0) and curve.best(rates) in menu
    for option in menu:
        assert option.n in firsts and option.shortfall == pytest.approx(-log(adequacy_power(option.n, *rule)))
    worths = {n: n - 20 * log(adequacy_power(n, *rule)) for n in range(low, 120)}
    least = min(worths.values())
    assert rates.reduced_cost(curve.best(rates)) == pytest.approx(least)
    # Sizes inside a tooth cost more and pass less often, so none of them is missed.
    assert {option.n for option in menu} == {n for n in firsts[2:] if worths.get(n, least + 11) <= least + 10}
    with pytest.raises(EffortError):
        ToothCurve(1, low, teeth(*rule), Effort(2)).best(rates)
