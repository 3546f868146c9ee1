"""Curves of sizes at given alphas: exact powers, and bounds on blocks that no size of theirs undercuts."""

from fractions import Fraction
from math import log

import pytest

from dcp_lang.stats import assured_allocation, assured_sizes
from dcp_lang.stats.assurance import AssuredN
from dcp_lang.stats.assured_allocation import Search, allocate_assured
from dcp_lang.stats.audit import Design, Thresholds, Truth, assurance
from dcp_lang.stats.power import feedback_power, null_power
from dcp_lang.stats.search import Effort, EffortError
from dcp_lang.stats.solver import Limits, Multipliers
from dcp_lang.stats.trinomial import region_bounds

ALPHA, TARGET = Fraction("0.05"), Fraction("0.5")
THRESHOLDS = Thresholds(Fraction("0.2"), Fraction("0.6"), Fraction("0.3"), Fraction("0.35"))
TRUTHS = [
    Truth(Fraction("0.01"), Fraction("0.9"), *map(Fraction, rates))
    for rates in (("0.8", "0.1", "0.1", "0.01"), ("0.7", "0.02", "0.01", "0.1"), ("0.9", "0", "0.05", "0.05"))
]


def gate(truth: Truth, effort: int = 10**6) -> assured_sizes._Gate:
    return assured_sizes._Gate(2, ALPHA, THRESHOLDS, truth, TARGET, Effort(effort))


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("name", ["evidence", "sham"])
def test_shortfalls_and_what_bounds_them(name: str, truth: Truth) -> None:
    """-ln of the exact power, within what is left of 2^-24; on a block none is below the bound of the block."""
    curve = assured_sizes._CURVES[name](gate(truth))
    exact = {
        "evidence": lambda n: feedback_power(n, ALPHA, THRESHOLDS.margin, truth.p10, truth.p01),
        "sham": lambda n: null_power(n, ALPHA, THRESHOLDS.band, truth.null_p10, truth.null_p01),
    }[name]
    shortfalls = {n: -log(exact(n)) for n in range(curve.low, curve.low + 32)}
    for n, shortfall in shortfalls.items():
        assert curve._shortfall(n) == pytest.approx(shortfall, abs=1e-6)
    for length in (1, 2, 4, 8, 16):
        for a in range(curve.low, curve.low + 33 - length, length):
            floor = curve._floor(a, a + length - 1)
            assert 0 <= floor <= min(shortfalls[n] for n in range(a, a + length)) + 1e-9


def test_blocks_of_sizes_are_bounded_closely() -> None:
    """Two sizes beside each other: by more than half of the lesser shortfall, without rare extra pairs in the way."""
    curve = assured_sizes._CURVES["sham"](gate(TRUTHS[0]))
    a = curve.low + 20
    assert curve._floor(a, a + 1) > min(curve._shortfall(a), curve._shortfall(a + 1)) / 2


def test_the_zero_hit_gate_has_one_size() -> None:
    """The least n with .8^n <= .05 is 14; its shortfall is -14 ln .99."""
    option = assured_sizes._CURVES["recovery"](gate(TRUTHS[0])).best(Multipliers(0.0))
    assert (option.n, option.cost) == (14, 28) and option.shortfall == pytest.approx(-14 * log(0.99))


@pytest.mark.parametrize("name", ["evidence", "sham"])
def test_too_many_rows_are_foreseen(name: str) -> None:
    """Some hundred regions of all their rows: a hundred steps are too few, and none of them is taken."""
    short = gate(TRUTHS[0], 1000)
    with pytest.raises(EffortError):
        assured_sizes._CURVES[name](short)
    assert short.effort.left == 1000


@pytest.mark.parametrize("p01", ["0.02", "0.3"])
@pytest.mark.parametrize("n", [100, 1000])
def test_rows_of_a_region_are_foretold(n: int, p01: str) -> None:
    """Within a half of those that are seen."""
    rate = Fraction(p01)
    seen = len(list(region_bounds(n, lambda k: (0, n - k), Fraction("0.4"), rate, 24)))
    assert seen / 1.5 < assured_sizes._rows(n, rate) < 1.5 * seen + assured_sizes.ROWS_OF_A_START


def test_a_gate_that_cannot_be_searched_has_no_first_size() -> None:
    for found in (None, AssuredN(None, None, 7)):
        with pytest.raises(EffortError):
            assured_sizes._first(found)
    assert assured_sizes._first(AssuredN(3, None, 7)) == 3


@pytest.mark.parametrize(("n", "exact"), [(1000, True), (1001, False)])
def test_the_assurance_of_a_result(n: int, exact: bool) -> None:
    """Exact up to a thousand units of each gate; beyond, rounded down by less than 10^-19."""
    design = Design({"recovery": n, "adequacy": 45}, {"recovery": ALPHA, "adequacy": ALPHA})
    search = Search({}, Limits(1), Multipliers(0.0), lambda choice: design, THRESHOLDS, TRUTHS[0], TARGET)
    value = assurance(design, THRESHOLDS, TRUTHS[0])
    found = search._assurance(design)
    assert found == value if exact else value - Fraction(1, 10**19) < found < value


def test_the_bound_of_a_result_is_rounded_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assured_allocation, "lower_bound", lambda *at: 7.12345678)
    costs = {"recovery": Fraction(1, 10), "adequacy": Fraction(1, 10)}
    found = allocate_assured(Fraction(1, 10), THRESHOLDS, TRUTHS[0], TARGET, costs)
    assert found is not None and found.bound == Fraction("0.7123456")
