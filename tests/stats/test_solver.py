"""The branch-and-bound search on small abstract menus, against every combination."""

from collections.abc import Sequence
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.menus import MenuCurve
from dcp_lang.stats.multipliers import assurance_multiplier, both_multipliers, error_multiplier
from dcp_lang.stats.solver import Choice, Limits, Multipliers, Option, lower_bound, solve

from . import naive


class ListCurve:
    """A gate with a fixed list of options."""

    def __init__(self, options: Sequence[Option]) -> None:
        self.options = options

    def best(self, rates: Multipliers) -> Option:
        return min(self.options, key=rates.reduced_cost)

    def menu(self, rates: Multipliers, gap: float) -> list[Option]:
        ceiling = rates.reduced_cost(self.best(rates)) + gap
        return [option for option in self.options if rates.reduced_cost(option) <= ceiling]


option = st.builds(
    lambda cost, price, shortfall: Option(cost, cost, price, float(price), shortfall / 8),
    st.integers(1, 12),
    st.integers(0, 20),
    st.integers(0, 16),
)
menus = st.lists(st.lists(option, min_size=1, max_size=6), min_size=1, max_size=3)
limits = st.builds(
    lambda budget, allowance: Limits(budget, allowance / 8), st.integers(0, 40), st.integers(0, 40)
)
multipliers = st.builds(Multipliers, st.floats(0, 4), st.floats(0, 20))


def rank(choice: Choice) -> tuple[int, float, int]:
    """What the search minimises: cost, then shortfall, then price."""
    return (
        sum(part.cost for part in choice),
        sum(part.shortfall for part in choice),
        sum(part.price for part in choice),
    )


def brute_force(menus: list[list[Option]], limits: Limits) -> tuple[int, float, int] | None:
    feasible = (
        rank(choice)
        for choice in product(*menus)
        if rank(choice)[2] <= limits.budget and rank(choice)[1] <= limits.allowance
    )
    return min(feasible, default=None)


@naive.law
@given(menus, limits, multipliers)
def test_the_cheapest_choice_whatever_the_multipliers(
    menus: list[list[Option]], limits: Limits, rates: Multipliers
) -> None:
    """Bad multipliers may cost time, never optimality."""
    best = brute_force(menus, limits)
    found = solve([ListCurve(menu) for menu in menus], limits, rates, most=10**6)
    assert (None if found is None else rank(found)) == best


def test_ties_go_to_the_higher_assurance_then_to_the_smaller_price() -> None:
    """Equal costs: shortfall .1 at price 5 beats .2 at price 1; at equal shortfalls the price decides."""
    sure, cheap, dear = Option(1, 9, 5, 5.0, 0.1), Option(2, 9, 1, 1.0, 0.2), Option(3, 9, 7, 7.0, 0.1)
    for order in ([sure, cheap, dear], [dear, cheap, sure]):
        assert solve([ListCurve(order)], Limits(10, 1.0), Multipliers(0.5, 2.0)) == (sure,)


@naive.law
@given(menus, limits, multipliers)
def test_the_bound_is_below_every_feasible_cost(
    menus: list[list[Option]], limits: Limits, rates: Multipliers
) -> None:
    best = brute_force(menus, limits)
    if best is not None:
        assert lower_bound([ListCurve(menu) for menu in menus], limits, rates) <= best[0] + 1e-9


@naive.law
@given(menus, limits)
def test_refused_choices_are_passed_over(menus: list[list[Option]], limits: Limits) -> None:
    """`accept` decides: here only choices of even cost."""
    even = [
        rank(choice)
        for choice in product(*menus)
        if rank(choice)[2] <= limits.budget
        and rank(choice)[1] <= limits.allowance
        and rank(choice)[0] % 2 == 0
    ]
    curves = [ListCurve(menu) for menu in menus]
    found = solve(curves, limits, Multipliers(0.3, 1.0), lambda choice: rank(choice)[0] % 2 == 0, most=10**6)
    assert (None if found is None else rank(found)) == min(even, default=None)


@naive.law
@given(menus)
def test_multipliers_give_a_useful_bound(menus: list[list[Option]]) -> None:
    """With limits that the cheapest options keep, the bound is their cost, less what the last bisection step left."""
    curves = [ListCurve(menu) for menu in menus]
    cheap = [min(menu, key=lambda part: (part.cost, part.price, part.shortfall)) for menu in menus]
    loose = Limits(sum(part.price for part in cheap) + 1000, sum(part.shortfall for part in cheap) + 100)
    for rates in (
        error_multiplier(curves, loose, 1.0),
        assurance_multiplier(curves, loose, 1.0),
        both_multipliers(curves, loose, Multipliers(1.0, 1.0)),
    ):
        bound = lower_bound(curves, loose, rates)
        assert sum(part.cost for part in cheap) - 1 <= bound <= sum(part.cost for part in cheap) + 1e-9


@naive.law
@given(
    st.dictionaries(st.integers(1, 30), st.lists(st.integers(0, 300), max_size=3), min_size=1),
    st.floats(0, 2),
    st.floats(0, 20),
)
def test_an_open_ended_menu_misses_nothing(prices: dict[int, list[int]], error: float, gap: float) -> None:
    """Options at any n up to 30, looked for without an end: the same menu as from the full list."""

    def options(n: int) -> list[Option]:
        return [Option(n, 2 * n, price, float(price)) for price in prices.get(n, [])]

    everything = [part for n in range(1, 31) for part in options(n)]
    if everything:
        rates = Multipliers(error)
        menu = MenuCurve(options, 2, 1)
        assert sorted(menu.menu(rates, gap)) == sorted(ListCurve(everything).menu(rates, gap))
        assert rates.reduced_cost(menu.best(rates)) == rates.reduced_cost(ListCurve(everything).best(rates))


def test_a_menu_ends_at_its_last_size() -> None:
    """Sizes 2 to 4 and no other are made, however much a greater one would be worth."""
    curve = MenuCurve(lambda n: [Option(n, n, 0, 100.0 / n)], 1, 2, 4)
    assert [option.n for option in curve.menu(Multipliers(1.0), 1000.0)] == [2, 3, 4]
    assert curve.best(Multipliers(1.0)).n == 4
