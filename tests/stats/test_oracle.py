"""Every reference table about bounds and least sample sizes, row by row."""

from fractions import Fraction
from math import ceil, floor

from dcp_lang.stats.bernstein import half_width, half_width_within
from dcp_lang.stats.bounds import (
    ceiling_reaches,
    clopper_pearson_lower,
    clopper_pearson_upper,
    recall_reaches,
    zero_failure_bound,
    zero_failure_reaches,
)
from dcp_lang.stats.exact import binomial_lower_tail
from dcp_lang.stats.kernel_floats import zero_hit_verdict
from dcp_lang.stats.paired import paired_interval
from dcp_lang.stats.planning import (
    least_episodes,
    least_null_pairs,
    least_pairs,
    least_positive_controls,
    least_units,
)

from .reference import agrees, half_unit, needs_oracle, rows

pytestmark = needs_oracle


def test_zero_hit_bound() -> None:
    for row in rows("zero_hit_bound"):
        n, alpha, bound = row["n"], Fraction(row["alpha"]), Fraction(row["p_upper"])
        assert zero_failure_reaches(n, alpha, bound + half_unit(row["p_upper"])), row
        assert not zero_failure_reaches(n, alpha, bound - half_unit(row["p_upper"])), row
        assert zero_failure_bound(n, alpha) == Fraction(ceil(bound * 10**12), 10**12), row


def test_zero_hit_required_n() -> None:
    for row in rows("zero_hit_required_n"):
        alpha, rho = Fraction(row["alpha"]), Fraction(row["rho"])
        assert least_episodes(alpha, rho) == (row["n"] if row["n"] <= 10**7 else None), row


def test_zero_hit_adversarial() -> None:
    for row in rows("zero_hit_adversarial"):
        alpha, rho, n = Fraction(row["alpha"]), Fraction(row["rho"]), row["n_exact"]
        assert least_episodes(alpha, rho) == n, row
        assert zero_failure_reaches(n, alpha, rho) and not zero_failure_reaches(n - 1, alpha, rho)
        assert zero_hit_verdict(n, alpha, rho) == row["peer_ok_at_n"], row


def test_clopper_pearson() -> None:
    """Exact decisions on both sides of each printed bound, and the twelve-digit bounds rounded outward."""
    for row in rows("clopper_pearson"):
        x, n, alpha = row["x"], row["n"], Fraction(row["alpha"])
        lower, upper = Fraction(row["lower"]), Fraction(row["upper"])
        if lower > 0:
            assert recall_reaches(x, n, alpha, lower - half_unit(row["lower"])), row
            assert not recall_reaches(x, n, alpha, lower + half_unit(row["lower"])), row
        if upper < 1:
            assert ceiling_reaches(x, n, alpha, upper + half_unit(row["upper"])), row
            assert not ceiling_reaches(x, n, alpha, upper - half_unit(row["upper"])), row
        if n <= 10**5:
            assert clopper_pearson_lower(x, n, alpha) == Fraction(floor(lower * 10**12), 10**12), row
            assert clopper_pearson_upper(x, n, alpha) == Fraction(ceil(upper * 10**12), 10**12), row


def test_positive_controls_required_n() -> None:
    for row in rows("positive_controls_required_n"):
        floor, alpha, failures = Fraction(row["recall_floor"]), Fraction(row["alpha"]), row["failures"]
        assert least_positive_controls(alpha, floor, failures) == row["n"], row
        assert agrees(binomial_lower_tail(row["n"], failures, 1 - floor), row["price"])
        assert agrees(binomial_lower_tail(row["n"] - 1, failures, 1 - floor), row["price_prev"])


def test_paired_binary_interval() -> None:
    for row in rows("paired_binary_interval"):
        low, high = paired_interval(row["n10"], row["n01"], row["n"], Fraction(row["alpha"]))
        assert low == Fraction(floor(Fraction(row["lcb"]) * 10**12), 10**12), row
        assert high == Fraction(ceil(Fraction(row["ucb"]) * 10**12), 10**12), row


def test_feedback_required_n() -> None:
    for row in rows("feedback_required_n"):
        margin, alpha = Fraction(row.pop("d")), Fraction(row.pop("alpha"))
        found = {
            key: least_pairs(alpha, margin, int(key[1]), 0)
            if key[0] == "c"
            else least_pairs(alpha, margin, 0, int(key[1]))
            for key in row
        }
        assert found == row, (margin, alpha)


def test_null_required_n() -> None:
    for row in rows("null_required_n"):
        band, alpha = Fraction(row.pop("s")), Fraction(row.pop("alpha"))
        found = {key: least_null_pairs(alpha, band, int(key[1]), int(key[3])) for key in row}
        assert found == row, (band, alpha)


def test_empirical_bernstein_half_width() -> None:
    for row in rows("eb_half_width"):
        sample = row["n"], Fraction(row["V"]), Fraction(row["alpha"]), Fraction(2)
        printed = Fraction(row["half_width"])
        assert half_width_within(*sample, printed + half_unit(row["half_width"])), row
        assert not half_width_within(*sample, printed - half_unit(row["half_width"])), row
        assert half_width(*sample) == Fraction(ceil(printed * 10**12), 10**12), row


def test_empirical_bernstein_required_n() -> None:
    for row in rows("eb_required_n"):
        n = least_units(Fraction(row["V"]), Fraction(row["alpha"]), Fraction(2), Fraction(row["w"]))
        assert n == row["n"], row
