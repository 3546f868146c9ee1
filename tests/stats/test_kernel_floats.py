"""The kernel's float verdicts: reproduced without SciPy, and against the kernel when it is installed."""

from fractions import Fraction
from math import nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.bounds import clopper_pearson_lower
from dcp_lang.stats.kernel_floats import (
    feedback_verdict,
    half_width_verdict,
    kappa_for,
    null_verdict,
    recall_verdict,
    zero_hit_verdict,
)
from dcp_lang.stats.paired import feedback_reaches
from dcp_lang.stats.planning import least_episodes

from . import naive
from .reference import facts, needs_oracle

alphas = st.sampled_from([Fraction(a) for a in ("0.05", "0.01", "0.005", "0.0001")])
decimals = st.integers(1, 999).map(lambda k: Fraction(k, 1000))


def test_the_kernel_fails_an_exact_tie() -> None:
    """rho .3, alpha 0.7^10: the exact n is 10, the kernel sees 0.30000000000000004 there and agrees at 11."""
    alpha, rho = Fraction("0.0282475249"), Fraction("0.3")
    assert least_episodes(alpha, rho) == 10
    assert not zero_hit_verdict(10, alpha, rho)
    assert zero_hit_verdict(11, alpha, rho)


def test_a_tie_is_not_determinable() -> None:
    """20/20 at alpha 0.8^20 is exactly .8; SciPy gives .7999999999999999, another build might not."""
    assert recall_verdict(20, 20, Fraction("0.8") ** 20, Fraction("0.8")) is None
    assert recall_verdict(24, 24, Fraction("0.005"), Fraction("0.8")) is True
    assert recall_verdict(23, 23, Fraction("0.005"), Fraction("0.8")) is False
    assert recall_verdict(0, 9, Fraction("0.005"), Fraction("0.8")) is False
    margin, alpha = Fraction("0.6"), 4 * Fraction("0.8") ** 21
    assert feedback_verdict(21, 0, 21, alpha, margin) is None
    assert null_verdict(0, 0, 45, 4 * Fraction("0.9") ** 45, Fraction("0.1")) is None


@pytest.mark.parametrize(
    ("alpha", "margin"), [("1e-15", "-0.3967"), ("1e-16", "-0.7197"), ("1e-16", "-0.7191")]
)
def test_the_kernels_rounding_of_a_small_alpha(alpha: str, margin: str) -> None:
    """30/30: the exact limits are -.3961 and -.4407.

    1 - (1 - alpha) and 1 - alpha/4 move the kernel's to -.3973, -.7194.
    """
    assert feedback_reaches(30, 0, 30, Fraction(alpha), Fraction(margin))
    kernel = Fraction("-0.3973") if alpha == "1e-15" else Fraction("-0.7194")
    assert feedback_verdict(30, 0, 30, Fraction(alpha), Fraction(margin)) == (kernel >= Fraction(margin))


def test_alpha_lost_to_rounding_never_passes() -> None:
    """1 - (1 - 1e-17) is 0 in doubles: the kernel has no interval there."""
    tiny = Fraction(1, 10**17)
    assert feedback_verdict(300, 0, 300, tiny, Fraction("0.5")) is False
    assert null_verdict(0, 0, 900, tiny, Fraction("0.5")) is False
    assert half_width_verdict(10**6, Fraction(0), tiny, Fraction(2), Fraction("0.5")) is False


@naive.law
@given(decimals, decimals)
def test_kappa_is_the_least_double(epsilon: Fraction, delta_min: Fraction) -> None:
    kappa = kappa_for(epsilon, delta_min)
    if epsilon >= delta_min:
        assert kappa is None
    elif kappa is not None:
        assert 0 < kappa < 1 and float(epsilon) <= kappa * float(delta_min) < float(delta_min)
        assert nextafter(kappa, 0.0) * float(delta_min) < float(epsilon)


def test_kappa_of_the_papers_cases() -> None:
    """eps .05 of .35 needs the double above the one nearest to 1/7; .005 of .5 is exact."""
    assert kappa_for(Fraction("0.05"), Fraction("0.35")) == 0.14285714285714288
    assert kappa_for(Fraction("0.005"), Fraction("0.5")) == 0.01
    assert kappa_for(Fraction(0), Fraction("0.5")) == 0.0
    assert kappa_for(Fraction("0.5"), Fraction("0.5")) is None
    assert kappa_for(Fraction("0.9"), Fraction("0.1")) is None


def test_kappa_of_an_underflowing_epsilon() -> None:
    """Trillions of doubles give the same product near 1e-320: found by bisection, not by stepping."""
    kappa = kappa_for(Fraction(1, 10**320), Fraction("0.5"))
    assert kappa is not None and nextafter(kappa, 0.0) * 0.5 < float(Fraction(1, 10**320)) <= kappa * 0.5


@needs_oracle
def test_kappa_reaches_epsilon_where_the_nearest_double_does_not() -> None:
    for example in facts("peer_flips")["K_kappa"]["examples"]:
        epsilon, delta_min = Fraction(example["eps"]), Fraction(example["delta_min"])
        kappa = kappa_for(epsilon, delta_min)
        assert kappa is not None and kappa * float(delta_min) >= float(epsilon), example


@naive.law
@given(st.integers(1, 400), alphas, decimals)
def test_zero_hit_against_the_kernel(n: int, alpha: Fraction, rho: Fraction) -> None:
    kernel = pytest.importorskip("dcp.stats").zero_hit_upper_bound(n, float(alpha)) <= float(rho)
    assert zero_hit_verdict(n, alpha, rho) == kernel


@naive.law
@given(st.integers(1, 80).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), alphas, decimals)
def test_recall_against_the_kernel(count: tuple[int, int], alpha: Fraction, minimum: Fraction) -> None:
    x, n = count
    kernel = pytest.importorskip("dcp.stats").binomial_lower_bound(x, n, float(alpha)) >= float(minimum)
    assert recall_verdict(x, n, alpha, minimum) in (kernel, None)


@naive.law
@given(
    st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.integers(0, 3), st.just(n))),
    alphas,
    st.integers(1, 90).map(lambda k: Fraction(k, 100)),
)
def test_paired_against_the_kernel(cell: tuple[int, int, int], alpha: Fraction, threshold: Fraction) -> None:
    n10, n01, n = cell[0], min(cell[1], cell[2] - cell[0]), cell[2]
    stats = pytest.importorskip("dcp.stats")
    diffs = [1.0] * n10 + [-1.0] * n01 + [0.0] * (n - n10 - n01)
    interval = stats.paired_binary_interval(diffs, 1.0 - float(alpha))
    t = float(threshold)
    assert feedback_verdict(n10, n01, n, alpha, threshold) in (interval.lcb >= t, None)
    assert null_verdict(n10, n01, n, alpha, threshold) in (interval.lcb >= -t and interval.ucb <= t, None)


def test_half_width_against_the_kernel() -> None:
    stats = pytest.importorskip("dcp.stats")
    for n in (1560, 1561):
        kernel = stats.bounded_empirical_bernstein_interval([0.0] * n, 1.0 - 0.005).half_width <= 0.02
        verdict = half_width_verdict(n, Fraction(0), Fraction("0.005"), Fraction(2), Fraction("0.02"))
        assert verdict == kernel == (n == 1561)


@pytest.mark.parametrize(("off", "known"), [("0.9", False), ("1.1", True)])
def test_a_verdict_is_known_a_billionth_away_from_the_bound(off: str, known: bool) -> None:
    """The lower bound of 24/24 at alpha .005, to twelve places, and thresholds on both sides of it."""
    alpha, step = Fraction("0.005"), Fraction(off) / 10**9
    bound = clopper_pearson_lower(24, 24, Fraction(float(alpha)))
    verdicts = [recall_verdict(24, 24, alpha, bound + side) for side in (-step, step)]
    assert verdicts == ([True, False] if known else [None, None])


def test_a_tie_of_doubles_passes() -> None:
    """1 - .75 is .25 in doubles too."""
    assert zero_hit_verdict(1, Fraction(3, 4), Fraction(1, 4))
    assert not zero_hit_verdict(1, Fraction(3, 4), Fraction(1, 4) - Fraction(1, 2**54))


def test_no_kappa_below_the_least_double() -> None:
    """Three quarters of 2^-1074 are 2^-1074 in doubles, and so is each of its multiples above one half."""
    least = Fraction(1, 2**1074)
    assert kappa_for(Fraction(3, 4) * least, least) is None
