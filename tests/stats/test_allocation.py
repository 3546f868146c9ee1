"""The error budget: optima never above those of brute force."""

from fractions import Fraction
from itertools import product
from math import ceil, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats import assured_allocation
from dcp_lang.stats.allocation import SCALE, Allocation, Gate, allocate, shortest_alphas
from dcp_lang.stats.assured_allocation import allocate_assured
from dcp_lang.stats.assured_sizes import assured_sizes
from dcp_lang.stats.audit import Design, Thresholds, Truth, assurance, gate_powers
from dcp_lang.stats.paired import feedback_reaches
from dcp_lang.stats.power import feedback_power, null_power
from dcp_lang.stats.prices import (
    HalfWidthPrice,
    PairedPrice,
    feedback_price,
    null_price,
    recall_price,
    zero_hit_price,
)

from . import naive

ONE, TWO = Fraction(1), Fraction(2)
percents = st.integers(15, 60).map(lambda k: Fraction(k, 100))


def sqlite_web(**at_most: int) -> dict[str, Gate]:
    prices = {
        "recovery": zero_hit_price(Fraction("0.05")),
        "adequacy": recall_price(Fraction("0.8")),
        "evidence": feedback_price(Fraction("0.51")),
        "sham": null_price(Fraction("0.17")),
    }
    costs = {"recovery": ONE, "adequacy": ONE, "evidence": TWO, "sham": TWO}
    return {name: Gate(price, costs[name], at_most.get(name, 10**7)) for name, price in prices.items()}


def brute_force(total: Fraction, gates: dict[str, Gate], most: int) -> Fraction | None:
    """The least cost over every combination of sizes up to `most`."""
    budget = total * SCALE
    menus = [
        [
            (gate.cost * n, units)
            for n in range(1, min(most, gate.at_most) + 1)
            if (units := gate.price.units(n, SCALE)) <= budget
        ]
        for gate in gates.values()
    ]
    costs = [
        sum((cost for cost, _ in choice), start=Fraction(0))
        for choice in product(*menus)
        if sum(units for _, units in choice) <= budget
    ]
    return min(costs, default=None)


costs = st.sampled_from([ONE, TWO, Fraction("0.13"), Fraction("2.7")])
no_ceiling = st.just(10**7)
problems = st.tuples(
    st.builds(Gate, percents.map(zero_hit_price), costs, no_ceiling),
    st.builds(Gate, st.builds(recall_price, percents, st.integers(0, 2)), costs, no_ceiling),
    st.builds(
        Gate,
        st.builds(feedback_price, percents, st.sampled_from([((0, 0),), ((0, 0), (1, 0))])),
        costs,
        no_ceiling,
    ),
)


@naive.law
@given(problems, st.integers(30, 90).map(lambda k: Fraction(k, 300)))
def test_never_above_brute_force(problem: tuple[Gate, ...], total: Fraction) -> None:
    gates = dict(zip(("recovery", "adequacy", "evidence"), problem, strict=True))
    best = brute_force(total, gates, 18)
    found = allocate(total, gates)
    if best is not None:
        assert found is not None and found.bound <= found.cost <= best
        if max(found.sizes.values()) <= 18:
            assert found.cost == best


def check(found: Allocation, total: Fraction, gates: dict[str, Gate]) -> None:
    """Explicit, exact, short: what an emitted allocation promises."""
    assert sum(found.alphas.values()) + found.spare == total and found.spare >= 0
    assert found.cost == sum(gate.cost * found.sizes[name] for name, gate in gates.items())
    for name, gate in gates.items():
        assert gate.price.units(found.sizes[name], SCALE) <= found.alphas[name] * SCALE
        assert found.alphas[name] * SCALE == int(found.alphas[name] * SCALE)


@naive.law
@given(problems, st.integers(1, 90).map(lambda k: Fraction(k, 300)))
def test_the_result_is_an_explicit_allocation(problem: tuple[Gate, ...], total: Fraction) -> None:
    gates = dict(zip(("recovery", "adequacy", "evidence"), problem, strict=True))
    found = allocate(total, gates)
    assert found is not None
    check(found, total, gates)


def test_zero_failure_optimum_of_sqlite_web() -> None:
    """218 sessions at .035, 203 at .05; equal shares would cost 210, the reference design uses 321."""
    for total, sessions in (("0.035", 218), ("0.05", 203)):
        found = allocate(Fraction(total), sqlite_web())
        assert found is not None and found.cost == sessions and sessions - 1 < found.bound
        check(found, Fraction(total), sqlite_web())


def test_token_shares_come_off_first() -> None:
    token = {name: Fraction(1, 10**6) for name in ("main", "score", "neutral")}
    found = allocate(Fraction("0.05"), sqlite_web(), token)
    assert found is not None and found.cost == 203
    assert found.sizes == {"recovery": 74, "adequacy": 23, "evidence": 22, "sham": 31}
    assert sum(found.alphas.values()) <= Fraction("0.05")
    assert {name: found.alphas[name] for name in token} == token


def test_doubling_the_budget_saves_29_sessions() -> None:
    """W ln 2 = 41.83 * .693 = 29 by the closed form of the relaxation."""
    one, two = (allocate(Fraction(total), sqlite_web()) for total in ("0.02", "0.04"))
    assert one is not None and two is not None and abs(one.cost - two.cost - 29) <= 1


def test_a_ceiling_on_n_binds() -> None:
    found = allocate(Fraction("0.05"), sqlite_web(recovery=70))
    assert found is not None and found.sizes["recovery"] == 70 and found.cost >= 203


def test_nothing_fits() -> None:
    assert allocate(Fraction("0.05"), sqlite_web(recovery=58)) is None
    assert allocate(Fraction("0.05"), sqlite_web(recovery=59, adequacy=14)) is None
    assert allocate(Fraction("0.05"), sqlite_web(), {"main": Fraction("0.05")}) is None


def test_one_episode_can_be_enough() -> None:
    """0.01 <= 2% and nothing else to pay for: one control, one challenger, a pair, but two for a half-width."""
    prices = {
        "zero": (zero_hit_price(Fraction("0.99")), 1),
        "recall": (recall_price(Fraction("0.01")), 1),
        "lost": (recall_price(Fraction("0.01"), 2), 3),  # two failures among three
        "half-width": (HalfWidthPrice(Fraction(40)), 2),
    }
    for name, (price, least) in prices.items():
        found = allocate(Fraction("0.05"), {name: Gate(price, ONE, 100)})
        assert found is not None and found.sizes == {name: least}


def test_large_sizes_take_the_convex_path() -> None:
    """A million episodes: the closed form w ln(W K / (A w)) of the relaxation bounds the cost from below."""
    gates = {
        "recovery": Gate(zero_hit_price(Fraction(1, 10**5)), ONE),
        "adequacy": Gate(recall_price(Fraction("0.9")), ONE),
    }
    found = allocate(Fraction("0.05"), gates)
    assert found is not None and found.bound <= found.cost < found.bound + 2
    check(found, Fraction("0.05"), gates)


@naive.law
@given(st.lists(st.integers(1, 10**10), min_size=1, max_size=5), st.integers(0, 10**9))
def test_shortest_alphas(units: list[int], spare: int) -> None:
    prices = {str(index): Fraction(unit, SCALE) for index, unit in enumerate(units)}
    available = sum(prices.values()) + Fraction(spare, SCALE)
    alphas = shortest_alphas(prices, available)
    assert sum(alphas.values()) <= available
    assert all(alphas[name] >= price for name, price in prices.items())
    places = next(d for d in range(1, 13) if all(10**d * alpha % 1 == 0 for alpha in alphas.values()))
    assert all(alphas[name] - price < Fraction(1, 10**places) for name, price in prices.items())
    for fewer in range(1, places):
        rounded = sum(ceil(price * 10**fewer) for price in prices.values())
        assert Fraction(rounded, 10**fewer) > available


THRESHOLDS = Thresholds(Fraction("0.3"), Fraction("0.5"), Fraction("0.2"), Fraction("0.45"))
TRUTH = Truth(*map(Fraction, ("0.01", "0.9", "0.9", "0.02", "0.03", "0.03")))
COSTS = {"recovery": ONE, "adequacy": ONE, "evidence": TWO, "sham": TWO}


def options(gate: str, budget: Fraction, most: int) -> list[tuple[Fraction, int, Fraction]]:
    """(cost, price, exact power) of every design of one gate: all n, all tolerances, exact arithmetic."""
    found = []
    for n in range(1, most + 1):
        for price, power in DESIGNS[gate](n):
            if Fraction(price, SCALE) <= budget:
                found.append((COSTS[gate] * n, price, power))
    return found


def _recovery(n: int):
    yield zero_hit_price(THRESHOLDS.rho).units(n, SCALE), (1 - TRUTH.hit_rate) ** n


def _adequacy(n: int):
    for f in range(n):
        yield recall_price(THRESHOLDS.minimum, f).units(n, SCALE), naive.lower_tail(n, f, 1 - TRUTH.recall)


def _evidence(n: int):
    for reversed_ in range(3):
        for concordant in range(n - reversed_):
            price = PairedPrice(THRESHOLDS.margin, ((concordant, reversed_),)).units(n, SCALE)
            if price < SCALE // 4:
                yield (
                    price,
                    feedback_power(n, Fraction(price, SCALE), THRESHOLDS.margin, TRUTH.p10, TRUTH.p01),
                )


def _sham(n: int):
    for k in range(n // 2 + 1):
        price = null_price(THRESHOLDS.band, k).units(n, SCALE)
        if price < SCALE // 4:
            yield (
                price,
                null_power(n, Fraction(price, SCALE), THRESHOLDS.band, TRUTH.null_p10, TRUTH.null_p01),
            )


DESIGNS = {"recovery": _recovery, "adequacy": _adequacy, "evidence": _evidence, "sham": _sham}


@pytest.mark.parametrize(
    ("gates", "target"),
    [
        (("recovery", "adequacy"), "0.8"),
        (("recovery", "adequacy"), "0.87"),
        (("recovery", "evidence"), "0.7"),
        (("adequacy", "sham"), "0.9"),
    ],
)
def test_assured_optimum_is_that_of_brute_force(gates: tuple[str, str], target: str) -> None:
    total, goal = Fraction("0.1"), Fraction(target)
    first, second = (options(gate, total, 22) for gate in gates)
    best = min(
        a[0] + b[0] for a in first for b in second if a[1] + b[1] <= total * SCALE and a[2] * b[2] >= goal
    )
    found = allocate_assured(total, THRESHOLDS, TRUTH, goal, {gate: COSTS[gate] for gate in gates})
    assert found is not None and found.bound <= found.cost == best
    assert found.assurance == assurance(found.design, THRESHOLDS, TRUTH) >= goal
    assert sum(found.design.alphas.values()) + found.spare == total and found.spare >= 0
    assert all(power > 0 for power in gate_powers(found.design, THRESHOLDS, TRUTH).values())


ALPHAS = {name: Fraction("0.02") for name in COSTS}


@pytest.mark.parametrize(
    ("gates", "target"),
    [
        (("recovery", "adequacy"), "0.8"),
        (("adequacy", "sham"), "0.9"),
        (("recovery", "evidence", "sham"), "0.7"),
    ],
)
def test_sizes_at_given_alphas_are_those_of_brute_force(gates: tuple[str, ...], target: str) -> None:
    goal, costs = Fraction(target), {gate: COSTS[gate] for gate in gates}
    powers = {
        gate: {
            n: power
            for n in range(1, 41)
            if (power := gate_powers(Design({gate: n}, ALPHAS), THRESHOLDS, TRUTH)[gate]) > goal
        }
        for gate in gates
    }
    best = min(
        sum(COSTS[gate] * n for gate, n in zip(gates, sizes, strict=True))
        for sizes in product(*powers.values())
        if prod(powers[gate][n] for gate, n in zip(gates, sizes, strict=True)) >= goal
    )
    found = assured_sizes(ALPHAS, THRESHOLDS, TRUTH, goal, costs)
    assert found is not None and found.bound <= found.cost == best
    assert found.assurance == assurance(found.design, THRESHOLDS, TRUTH) >= goal
    assert found.design.alphas == ALPHAS and found.spare == 0


def test_the_target_is_met_exactly() -> None:
    """A design meets its own assurance as a target; 10^-40 more is another design, which floats could not tell."""
    core = {"recovery": ONE, "adequacy": ONE}
    found = assured_sizes(ALPHAS, THRESHOLDS, TRUTH, Fraction("0.8"), core)
    assert found is not None and found.cost - found.bound < 8
    same = assured_sizes(ALPHAS, THRESHOLDS, TRUTH, found.assurance, core)
    more = assured_sizes(ALPHAS, THRESHOLDS, TRUTH, found.assurance + Fraction(1, 10**40), core)
    assert same is not None and more is not None
    assert same.design == found.design != more.design
    assert more.assurance >= found.assurance + Fraction(1, 10**40) and more.cost >= found.cost


def test_no_assured_sizes() -> None:
    """p_B too large for the fewest challengers; an infeasible threshold."""
    core = {"recovery": ONE, "adequacy": ONE}
    leaky, goal = TRUTH._replace(hit_rate=Fraction("0.02")), Fraction("0.9")
    assert assured_sizes(ALPHAS, THRESHOLDS, leaky, goal, core) is None
    impossible = THRESHOLDS._replace(minimum=Fraction(1))
    assert assured_sizes(ALPHAS, impossible, TRUTH, goal, core) is None


def test_no_assured_design() -> None:
    """.9 is out of reach when p_B = 2%: .98^n with n >= 7; a truth below a threshold never passes."""
    goal = Fraction("0.9")
    core = {"recovery": ONE, "adequacy": ONE}
    assert (
        allocate_assured(Fraction("0.05"), THRESHOLDS, TRUTH._replace(hit_rate=Fraction("0.02")), goal, core)
        is None
    )
    assert (
        allocate_assured(Fraction("0.05"), THRESHOLDS, TRUTH._replace(recall=Fraction("0.5")), goal, core)
        is None
    )
    assert allocate_assured(Fraction("0"), THRESHOLDS, TRUTH, goal, core) is None


@pytest.mark.parametrize(
    ("gate", "changes"),
    [
        ("recovery", {"hit_rate": THRESHOLDS.rho}),
        ("adequacy", {"recall": THRESHOLDS.minimum}),
        ("evidence", {"p10": Fraction("0.5"), "p01": Fraction("0.3")}),
        ("sham", {"null_p10": THRESHOLDS.band}),
        ("sham", {"null_p01": THRESHOLDS.band}),
    ],
)
def test_a_truth_on_a_threshold_does_not_clear_it(gate: str, changes: dict[str, Fraction]) -> None:
    """There no n has a power near 1: the search would have no end. Gates that are not asked do not matter."""
    assert assured_allocation.clears(THRESHOLDS, TRUTH, COSTS)
    assert not assured_allocation.clears(THRESHOLDS, TRUTH._replace(**changes), COSTS)
    core = {"recovery": ONE, "adequacy": ONE}
    matters = gate in core
    assert assured_allocation.clears(THRESHOLDS, TRUTH._replace(**changes), core) is not matters


def test_what_is_fixed_comes_off_the_total_first() -> None:
    core = {"recovery": ONE, "adequacy": ONE}
    fixed = {"main": Fraction("0.002"), "score": Fraction("0.003")}
    plain = allocate_assured(Fraction("0.05"), THRESHOLDS, TRUTH, Fraction("0.8"), core)
    found = allocate_assured(Fraction("0.055"), THRESHOLDS, TRUTH, Fraction("0.8"), core, fixed)
    assert plain is not None and found is not None
    assert found.design.sizes == plain.design.sizes
    assert found.design.alphas == plain.design.alphas | fixed
    assert found.spare == plain.spare


@pytest.mark.parametrize("unit", ["1/2", "1/3", "3"])
def test_costs_may_be_fractions(unit: str) -> None:
    """The unit of all costs changes no size, and every cost and bound in proportion."""
    core = {"recovery": ONE, "adequacy": TWO}
    scaled = {name: cost * Fraction(unit) for name, cost in core.items()}
    alphas = {name: Fraction("0.02") for name in core}
    goal = Fraction("0.8")
    for plain, found in (
        (assured_sizes(alphas, THRESHOLDS, TRUTH, goal, gates) for gates in (core, scaled)),
        (allocate_assured(Fraction("0.05"), THRESHOLDS, TRUTH, goal, gates) for gates in (core, scaled)),
    ):
        assert plain is not None and found is not None
        assert found.design.sizes == plain.design.sizes
        assert found.cost == plain.cost * Fraction(unit)
        assert float(found.bound) == pytest.approx(float(plain.bound * Fraction(unit)), rel=1e-3)


@pytest.mark.parametrize("losses", [((1, 0),), ((2, 1),), ((1, 0), (1, 1))])
def test_concordant_losses_need_both_tails(losses: tuple[tuple[int, int], ...]) -> None:
    price = feedback_price(Fraction("0.3"), losses)
    for n in (23, 40):
        alpha = Fraction(price.units(n, SCALE), SCALE)
        for error, passes in ((alpha, True), (alpha - Fraction(1, SCALE), False)):
            assert passes is all(feedback_reaches(n - c - r, r, n, error, Fraction("0.3")) for c, r in losses)
