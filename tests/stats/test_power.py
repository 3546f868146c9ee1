"""Regions, power, assurance and losses, against enumeration of every outcome."""

from fractions import Fraction
from math import comb, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.assurance import AssuredN, assured_null_pairs, assured_pairs, assured_positive_controls
from dcp_lang.stats.attrition import arm_health, slots_assured, slots_on_average
from dcp_lang.stats.audit import (
    Design,
    Thresholds,
    Truth,
    assurance,
    assurance_bounds,
    assurance_reaches,
    gate_powers,
    operating_characteristic,
)
from dcp_lang.stats.paired import feedback_reaches, null_within
from dcp_lang.stats.power import (
    adequacy_power,
    adequacy_power_bounds,
    feedback_power,
    hit_rate_ceiling,
    null_power,
    recovery_assurance,
    recovery_power,
    recovery_power_bounds,
)
from dcp_lang.stats.regions import feedback_region, null_region

from . import naive

ALPHA, MARGIN, BAND = Fraction("0.01"), Fraction("0.51"), Fraction("0.17")
ONE_PERCENT = Fraction("0.01")
alphas = st.sampled_from([Fraction(a) for a in ("0.05", "0.01", "0.3")])
thresholds = st.integers(5, 80).map(lambda k: Fraction(k, 100))


def cells(region) -> set[tuple[int, int]]:
    return {(n10, n01) for n01, (least, most) in enumerate(region) for n10 in range(least, most + 1)}


def outcomes(n: int) -> list[tuple[int, int]]:
    return [(n10, n01) for n01 in range(n + 1) for n10 in range(n - n01 + 1)]


@naive.law
@given(st.integers(1, 18), alphas, thresholds)
def test_feedback_region_is_every_passing_outcome(n: int, alpha: Fraction, margin: Fraction) -> None:
    passing = {cell for cell in outcomes(n) if feedback_reaches(*cell, n, alpha, margin)}
    assert cells(feedback_region(n, alpha, margin)) == passing


@naive.law
@given(st.integers(1, 22), alphas, thresholds)
def test_null_region_is_every_passing_outcome(n: int, alpha: Fraction, band: Fraction) -> None:
    passing = {cell for cell in outcomes(n) if null_within(*cell, n, alpha, band)}
    assert cells(null_region(n, alpha, band)) == passing


def trinomial(n: int, n10: int, n01: int, p10: Fraction, p01: Fraction) -> Fraction:
    ways = comb(n, n01) * comb(n - n01, n10)
    return ways * p10**n10 * p01**n01 * (1 - p10 - p01) ** (n - n10 - n01)


@naive.law
@given(st.integers(1, 14), alphas, thresholds, st.integers(0, 10), st.integers(0, 10))
def test_power_is_the_sum_over_outcomes(n: int, alpha: Fraction, threshold: Fraction, a: int, b: int) -> None:
    p10, p01 = Fraction(a, 20), Fraction(b, 30)
    for power, passes in ((feedback_power, feedback_reaches), (null_power, null_within)):
        expected = sum(
            (trinomial(n, *cell, p10, p01) for cell in outcomes(n) if passes(*cell, n, alpha, threshold)),
            start=Fraction(0),
        )
        assert power(n, alpha, threshold, p10, p01) == expected


def test_saw_tooth_of_the_feedback_gate() -> None:
    """p10 = .99: .802 at 22, .778 at 25, .997 at 30: more pairs can be worse."""
    power = {n: float(feedback_power(n, ALPHA, MARGIN, Fraction("0.99"), Fraction(0))) for n in (22, 25, 30)}
    assert power == pytest.approx({22: 0.802, 25: 0.778, 30: 0.997}, abs=5e-4)
    assert power[22] > Fraction("0.8") > power[25]


def test_saw_tooth_of_the_null_gate() -> None:
    """Discordance .001 altogether: .968 at 33, .961 at 40, .999 at 50."""
    half = Fraction("0.0005")
    power = {n: float(null_power(n, ALPHA, BAND, half, half)) for n in (33, 40, 50)}
    assert power == pytest.approx({33: 0.968, 40: 0.961, 50: 0.999}, abs=6e-4)


def test_recovery_power_falls_with_n() -> None:
    p_hit = Fraction("0.001")
    assert recovery_power(89, ALPHA, Fraction("0.05"), p_hit) == 0
    assert recovery_power(90, ALPHA, Fraction("0.05"), p_hit) == Fraction("0.999") ** 90
    assert recovery_power(96, ALPHA, Fraction("0.05"), p_hit) < Fraction("0.999") ** 90


def test_beta_prior_of_certain_shape() -> None:
    """A uniform prior gives 1 / (n + 1); Beta(1, 99) at 77 gives 9/16."""
    assert recovery_assurance(9, 1, 1) == Fraction(1, 10)
    assert recovery_assurance(77, 1, 99) == Fraction(9, 16)


@naive.law
@given(st.integers(1, 200), st.integers(1, 99).map(lambda k: Fraction(k, 100)))
def test_hit_rate_ceiling(n: int, target: Fraction) -> None:
    ceiling = hit_rate_ceiling(n, target, 9)
    assert (1 - ceiling) ** n >= target > (1 - ceiling - Fraction(1, 10**9)) ** n


def test_hit_rate_ceiling_of_a_tie() -> None:
    assert hit_rate_ceiling(2, Fraction("0.81")) == Fraction("0.1")


def scan(power, low: int, high: int, target: Fraction) -> tuple[int, int]:
    """(first, safe) within [low, high] by evaluating every n."""
    reached = [power(n) >= target for n in range(low, high + 1)]
    failing = [low + index for index, good in enumerate(reached) if not good]
    return low + reached.index(True), (max(failing) + 1 if failing else low)


@naive.law
@given(st.sampled_from(["0.9", "0.95", "0.99"]), st.sampled_from(["0.5", "0.8", "0.9"]))
def test_assured_controls_by_scanning(recall: str, target: str) -> None:
    alpha, minimum, truth, goal = ONE_PERCENT, Fraction("0.7"), Fraction(recall), Fraction(target)
    found = assured_positive_controls(alpha, minimum, truth, goal)
    assert found is not None
    expected = scan(lambda n: adequacy_power(n, alpha, minimum, truth), 1, found.horizon, goal)
    assert (found.first, found.safe) == expected


@pytest.mark.parametrize(
    ("p10", "p01", "target"),
    [
        ("0.95", "0", "0.8"),
        ("0.9", "0.02", "0.6"),
        ("1", "0", "0.9"),
        ("0.9", "0.1", "0.4"),
        ("0.8", "0.1", "0.5"),
    ],
)
def test_assured_pairs_by_scanning(p10: str, p01: str, target: str) -> None:
    truth, goal = (Fraction(p10), Fraction(p01)), Fraction(target)
    margin = Fraction("0.3")
    found = assured_pairs(Fraction("0.05"), margin, *truth, goal)
    assert found is not None
    expected = scan(lambda n: feedback_power(n, Fraction("0.05"), margin, *truth), 1, found.horizon, goal)
    assert (found.first, found.safe) == expected


@pytest.mark.parametrize(
    ("p10", "p01", "target"),
    [
        ("0", "0", "0.9"),
        ("0.01", "0.01", "0.8"),
        ("0.03", "0.03", "0.5"),
        ("0", "0.08", "0.5"),
        ("0.08", "0.01", "0.5"),
    ],
)
def test_assured_null_pairs_by_scanning(p10: str, p01: str, target: str) -> None:
    band, truth, goal = Fraction("0.3"), (Fraction(p10), Fraction(p01)), Fraction(target)
    found = assured_null_pairs(Fraction("0.05"), band, *truth, goal)
    assert found is not None
    expected = scan(lambda n: null_power(n, Fraction("0.05"), band, *truth), 1, found.horizon, goal)
    assert (found.first, found.safe) == expected


def test_first_and_safe_of_a_published_dispute() -> None:
    """p0 .95, p1 .98, one-sided .025: power .8 first at 312 (.8235), safe from 338.

    At .05 first 234, safe 286.
    """
    test = Fraction("0.95"), Fraction("0.98"), Fraction("0.8")
    for alpha, first, safe in (("0.025", 312, 338), ("0.05", 234, 286)):
        found = assured_positive_controls(Fraction(alpha), *test)
        assert found is not None and (found.first, found.safe) == (first, safe)
    power = adequacy_power(312, Fraction("0.025"), Fraction("0.95"), Fraction("0.98"))
    assert float(power) == pytest.approx(0.8235, abs=5e-5)


def test_no_assurance_without_a_distance() -> None:
    """A truth on the threshold never reaches a target above one half."""
    goal = Fraction("0.8")
    assert assured_positive_controls(ALPHA, Fraction("0.8"), Fraction("0.8"), goal) is None
    assert assured_pairs(ALPHA, MARGIN, Fraction("0.51"), Fraction(0), goal) is None
    assert assured_null_pairs(ALPHA, BAND, Fraction("0.17"), Fraction(0), goal) is None


def test_safe_search_at_a_distant_horizon() -> None:
    """A truth close to the threshold: thousands of pairs, still settled by blocks."""
    found = assured_positive_controls(ALPHA, Fraction("0.8"), Fraction("0.83"), Fraction("0.9"))
    assert isinstance(found, AssuredN)
    before = adequacy_power(found.safe - 1, ALPHA, Fraction("0.8"), Fraction("0.83"))
    assert before < Fraction("0.9") <= adequacy_power(found.safe, ALPHA, Fraction("0.8"), Fraction("0.83"))
    assert found.first <= found.safe < found.horizon


@pytest.mark.parametrize(("loss", "average", "assured"), [("0.1", 86, 91), ("0.2", 97, 105), ("0", 77, 77)])
def test_slots_for_77_valid_episodes(loss: str, average: int, assured: int) -> None:
    assert slots_on_average(77, Fraction(loss)) == average
    assert slots_assured(77, Fraction(loss), Fraction("0.95")) == assured


def test_dropout_is_divided_not_multiplied() -> None:
    """323 with 10% dropout: 359, not 355."""
    assert slots_on_average(323, Fraction("0.10")) == 359


@naive.law
@given(st.integers(1, 40), st.integers(1, 9), st.integers(1, 99))
def test_assured_slots_are_minimal(n: int, loss: int, percent: int) -> None:
    rate, target = Fraction(loss, 20), Fraction(percent, 100)
    slots = slots_assured(n, rate, target)
    assert slots is not None and naive.upper_tail(slots, n, 1 - rate) >= target
    assert slots == n or naive.upper_tail(slots - 1, n, 1 - rate) < target


def test_no_slots_for_certainty() -> None:
    assert slots_assured(10, Fraction("0.1"), Fraction(1)) is None
    assert slots_assured(10, Fraction(1), Fraction("0.9")) is None
    assert slots_assured(10, Fraction(0), Fraction(1)) == 10


def test_arm_health() -> None:
    """30 runs under a cap of 10% allow three failures: .939 at a true rate of 5%."""
    assert arm_health(30, Fraction("0.1"), Fraction("0.05")) == naive.lower_tail(30, 3, Fraction("0.05"))
    assert arm_health(29, Fraction("0.1"), Fraction("0.05")) == naive.lower_tail(29, 2, Fraction("0.05"))


REFERENCE = Design(
    {"recovery": 96, "adequacy": 45, "evidence": 30, "sham": 60},
    {
        name: Fraction(a)
        for name, a in (("recovery", "0.01"), ("adequacy", "0.005"), ("evidence", "0.01"), ("sham", "0.01"))
    },
)
THRESHOLDS = Thresholds(Fraction("0.05"), Fraction("0.8"), MARGIN, BAND)
GOOD = Truth(*map(Fraction, ("0.001", "0.98", "0.98", "0", "0.005", "0.005")))


def test_the_reference_audit() -> None:
    powers = gate_powers(REFERENCE, THRESHOLDS, GOOD)
    assert powers["recovery"] == Fraction("0.999") ** 96
    assert powers["adequacy"] == naive.lower_tail(45, 2, Fraction("0.02"))
    assert float(assurance(REFERENCE, THRESHOLDS, GOOD)) == pytest.approx(0.8287057243691)


def test_core_has_two_gates() -> None:
    core = Design({"recovery": 96, "adequacy": 45}, REFERENCE.alphas)
    expected = Fraction("0.999") ** 96 * naive.lower_tail(45, 2, Fraction("0.02"))
    assert assurance(core, THRESHOLDS, GOOD) == expected


@pytest.mark.parametrize(("episodes", "tie"), [(96, True), (1000, True), (1001, False)])
def test_a_target_that_is_the_assurance(episodes: int, tie: bool) -> None:
    """Met up to a thousand units of each gate; beyond, what bounds cannot tell from the target counts as missed."""
    design = Design({**REFERENCE.sizes, "recovery": episodes}, REFERENCE.alphas)
    exact = assurance(design, THRESHOLDS, GOOD)
    at = design, THRESHOLDS, GOOD
    assert assurance_reaches(*at, exact) is tie
    assert assurance_reaches(*at, exact - Fraction(1, 10**18))
    assert not assurance_reaches(*at, exact + Fraction(1, 10**40))
    low, high = assurance_bounds(*at)
    assert low <= exact <= high < low + Fraction(1, 10**19)


def test_operating_characteristic_of_the_recovery_gate() -> None:
    """At p_B = rho the zero-hit gate passes with (1 - rho)^96 < alpha; at 0 it always does."""
    core = Design({"recovery": 96}, REFERENCE.alphas)
    points = operating_characteristic(core, THRESHOLDS, GOOD, "hit_rate", [Fraction(0), Fraction("0.05")])
    assert points == [(0, 1), (Fraction("0.05"), Fraction("0.95") ** 96)]
    assert points[1][1] < REFERENCE.alphas["recovery"]


def test_every_outcome_reaches_the_least_margin() -> None:
    """A lower limit is never below -1: all rows, each to its last outcome, and one cell less just above it."""
    whole = feedback_region(4, ALPHA, Fraction(-1))
    assert cells(whole) == set(outcomes(4))
    assert feedback_region(4, ALPHA, Fraction("-0.9999")) == naive_region(4, Fraction("-0.9999"))


def naive_region(n: int, margin: Fraction) -> tuple[tuple[int, int], ...]:
    """The rows of the outcomes that reach the margin, one outcome at a time."""
    passing = [(a, b) for a, b in outcomes(n) if feedback_reaches(a, b, n, ALPHA, margin)]
    rows = {b: [a for a, k in passing if k == b] for b in range(n + 1)}
    return tuple((min(row), max(row)) for row in rows.values() if row)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_null_region_of_a_wide_band_ends_where_the_pairs_do(n: int) -> None:
    """No more than n pairs are discordant, however wide the band."""
    region = null_region(n, Fraction("0.3"), Fraction("0.99"))
    passing = {cell for cell in outcomes(n) if null_within(*cell, n, Fraction("0.3"), Fraction("0.99"))}
    assert cells(region) == passing


@pytest.mark.parametrize("n", [1000, 1001, 2000])
def test_powers_of_many_sessions_have_close_bounds(n: int) -> None:
    """Exact up to 1,000, then between bounds: both hold the exact rational."""
    rate, recall, minimum = Fraction("0.001"), Fraction("0.97"), Fraction("0.9")
    for (low, high), exact in (
        (recovery_power_bounds(n, ALPHA, Fraction("0.05"), rate), (1 - rate) ** n),
        (adequacy_power_bounds(n, ALPHA, minimum, recall), adequacy_power(n, ALPHA, minimum, recall)),
    ):
        assert low <= exact <= high < low + Fraction(1, 10**20)
        assert (low == high) == (n <= 1000)


def test_pairs_are_safe_before_their_horizon_and_not_one_pair_earlier() -> None:
    """The horizon is Hoeffding's, 2 ((sqrt ln(4/alpha) + sqrt -ln(1 - target)) / distance)^2, a little more."""
    alpha, margin, goal = Fraction("0.3"), Fraction("0.05"), Fraction("0.5")
    truth = Fraction("0.65"), Fraction("0.3")  # a distance of .3 from the margin
    found = assured_pairs(alpha, margin, *truth, goal)
    assert found is not None
    hoeffding = 2 * ((sqrt(log(4 / 0.3)) + sqrt(-log(0.5))) / 0.3) ** 2
    assert hoeffding < found.horizon < 1.02 * hoeffding + 3
    assert feedback_power(found.safe, alpha, margin, *truth) >= goal
    assert feedback_power(found.safe - 1, alpha, margin, *truth) < goal


@pytest.mark.parametrize("truth", [("0.1", "0.01"), ("0.01", "0.1")])
def test_null_pairs_are_safe_before_their_horizon(truth: tuple[str, str]) -> None:
    """A quarter of it, ((sqrt ln(4/alpha) + sqrt -ln((1 - target)/2)) / (band - the larger of both))^2 / 2."""
    alpha, band, goal = Fraction("0.3"), Fraction("0.3"), Fraction("0.5")
    rates = Fraction(truth[0]), Fraction(truth[1])
    found = assured_null_pairs(alpha, band, *rates, goal)
    assert found is not None
    hoeffding = ((sqrt(log(4 / 0.3)) + sqrt(-log(0.25))) / 0.2) ** 2 / 2
    assert hoeffding < found.horizon < 1.02 * hoeffding + 3
    assert null_power(found.safe, alpha, band, *rates) >= goal
    assert null_power(found.safe - 1, alpha, band, *rates) < goal


def test_controls_are_safe_before_their_horizon() -> None:
    """((sqrt ln(1/alpha) + sqrt -ln(1 - target)) / (recall - minimum))^2 / 2, a little more."""
    found = assured_positive_controls(ALPHA, Fraction("0.8"), Fraction("0.95"), Fraction("0.9"))
    assert found is not None
    hoeffding = ((sqrt(-log(0.01)) + sqrt(-log(0.1))) / 0.15) ** 2 / 2
    assert hoeffding < found.horizon < 1.02 * hoeffding + 3
    assert found.safe <= found.horizon
