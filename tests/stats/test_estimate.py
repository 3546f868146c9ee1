"""Float estimates against exact tails: right to many digits, and few steps to get there.

A poor estimate costs time, never a wrong answer, so no result would tell: what is asked here is that they are good.
"""

from collections.abc import Callable
from fractions import Fraction
from math import log

import pytest

from dcp_lang.stats import estimate
from dcp_lang.stats.estimate import (
    count_estimate,
    log_of_rest,
    log_tail,
    natural_log,
    paired_price_estimate,
    upper_estimate,
)
from dcp_lang.stats.exact import lower_tail_at_most, lower_tail_bounds
from dcp_lang.stats.paired import feedback_reaches

from . import naive

#: (x, n): no event, one, the last terms that are added up and the first of the fraction, nearly all, many.
COUNTS = [
    *((0, 1), (0, 60), (1, 2), (24, 200), (25, 200), (90, 200), (26, 27), (199, 200)),
    *((150, 10**4), (10**4, 10**5)),
]
counts = pytest.mark.parametrize(("x", "n"), COUNTS)
alphas = pytest.mark.parametrize("alpha", ["0.3", "0.0025", "0.000000000001"])


def test_logarithms_of_what_underflows() -> None:
    """ln 10^-400 = -400 ln 10; no float is that small."""
    assert natural_log(Fraction(1, 10**400)) == pytest.approx(-400 * log(10), rel=1e-14)
    assert natural_log(Fraction(3, 2)) == pytest.approx(log(1.5), rel=1e-14)


@pytest.mark.parametrize("rho", ["0.5", "0.001", "0.0000000005", "0.000000000001"])
def test_the_logarithm_of_a_rest(rho: str) -> None:
    """-rho - rho^2/2 - rho^3/3 - ..., also where the difference of two logarithms has lost most digits."""
    value = Fraction(rho)
    series = -sum(float(value**k / k) for k in range(1, 60))
    assert log_of_rest(value) == pytest.approx(series, rel=1e-8)


def test_the_logarithm_of_a_rest_is_never_0() -> None:
    assert log_of_rest(Fraction(1, 10**400)) == -1e-300


@counts
@alphas
def test_upper_limits_have_eleven_digits(x: int, n: int, alpha: str) -> None:
    """The defining tail is above alpha just below the limit and within it just above."""
    tail = Fraction(alpha)
    found = Fraction(upper_estimate(x, n, tail))
    near = (1 - found) / 10**11 + Fraction(1, 2**53)
    assert not lower_tail_at_most(n, x, found - near, tail)
    assert lower_tail_at_most(n, x, found + near, tail)


def test_limits_without_an_error_or_a_miss_are_1() -> None:
    assert upper_estimate(3, 10, Fraction(0)) == upper_estimate(10, 10, Fraction(1, 2)) == 1.0


@counts
@alphas
def test_newton_steps_are_few(x: int, n: int, alpha: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Digits double with every step from Wilson's limit: two or three steps for three of them, more near 1."""
    steps: list[tuple[int, int, float]] = []
    ratio: Callable[[int, int, float], float] = estimate._ratio
    monkeypatch.setattr(estimate, "_ratio", lambda *at: steps.append(at) or ratio(*at))
    for close, most, most_near_1 in ((1e-3, 3, 4), (1e-7, 4, 6)):
        steps.clear()
        upper_estimate.__wrapped__(x, n, Fraction(alpha), close)
        assert len(steps) <= (most if n >= 8 * x else most_near_1)


@pytest.mark.parametrize(("x", "n"), [count for count in COUNTS if count[1] >= 60])
@alphas
def test_newton_starts_near(x: int, n: int, alpha: str) -> None:
    """Wilson's limit with its correction is within a third of the exact one, within 7 % of it from 24 events on."""
    tail = Fraction(alpha)
    share = estimate._wilson(x, n, natural_log(tail)) / upper_estimate(x, n, tail)
    assert share == pytest.approx(1, abs=0.07 if x else 0.35)


@counts
@pytest.mark.parametrize("rate", ["0.02", "0.35", "0.5", "0.93"])
def test_log_tails(x: int, n: int, rate: str) -> None:
    """Far below the mean, about it, and so far above it that the tail is 1."""
    low, _ = lower_tail_bounds(n, x, Fraction(rate))
    if low > Fraction(1, 10**6):
        assert log_tail(x, n)(float(rate)) == pytest.approx(log(low), abs=1e-9)
    elif n <= 200:
        exact = naive.lower_tail(n, x, Fraction(rate))
        assert log_tail(x, n)(float(rate)) == pytest.approx(natural_log(exact), rel=1e-11)


@pytest.mark.parametrize(
    ("n", "concordant", "reversed_", "margin"),
    [
        *((22, 0, 0, "0.51"), (30, 2, 0, "0.51"), (30, 0, 2, "0.3"), (60, 7, 3, "0.3"), (9, 1, 1, "0")),
        *((400, 60, 30, "0.5"), (600, 90, 40, "0.3"), (600, 0, 150, "0.3"), (400, 100, 0, "0.5")),
    ],
)
def test_paired_prices(n: int, concordant: int, reversed_: int, margin: str) -> None:
    """An alpha a billionth larger pays for the margin, one a billionth smaller does not."""
    price = Fraction(paired_price_estimate(n, concordant, reversed_, float(margin)))
    for step, pays in ((1, True), (-1, False)):
        alpha = price * (1 + Fraction(step, 10**9))
        assert feedback_reaches(n - concordant - reversed_, reversed_, n, alpha, Fraction(margin)) is pays


@pytest.mark.parametrize(
    ("n", "concordant", "reversed_"), [(5, 3, 2), (5, 5, 1), (600, 0, 590), (600, 550, 40)]
)
def test_losing_nearly_all_pairs_costs_certainty(n: int, concordant: int, reversed_: int) -> None:
    """Both tails are 1 at every split of the margin, so that four of them are asked for; all lost, it is never met."""
    assert paired_price_estimate(n, concordant, reversed_, 0.1) == pytest.approx(1.0 if n == 5 else 4.0)


def test_counts_at_the_ends() -> None:
    """No count has a limit of 0, all have one within 1."""
    half = Fraction(1, 2)
    assert [count_estimate(10, half, Fraction(ceiling)) for ceiling in (-1, 0, 1, 2)] == [0, 0, 10, 10]
