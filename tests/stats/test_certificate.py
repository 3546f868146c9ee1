"""Certificates, rechecked with whole numbers apart from the code that made them."""

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.certificate import (
    Certificate,
    certify_continuous_pairs,
    certify_episodes,
    certify_null_pairs,
    certify_pairs,
    certify_positive_controls,
)
from dcp_lang.stats.inequality import lower_tail, separation, upper_tail, zero_variance_half_width
from dcp_lang.stats.paired import feedback_reaches

from . import naive

ALPHA = Fraction("0.01")


def is_true(inequality: dict) -> bool:
    """Recheck one inequality from its JSON form alone."""
    n, p, bound = inequality["n"], Fraction(inequality["p"]), Fraction(inequality["bound"])
    left = {
        "power": lambda: p**n,
        "lower-tail": lambda: naive.lower_tail(n, inequality["k"], p),
        "upper-tail": lambda: naive.upper_tail(n, inequality["k"], p),
        "half-width": lambda: 14 * p / (3 * (n - 1)),
    }[inequality["kind"]]()
    return left <= bound if inequality["relation"] == "<=" else left > bound


def recheck(certificate: Certificate | None) -> Certificate:
    """Every inequality is true; those at n say "passes", those below "fails"; JSON keeps them exactly."""
    assert certificate is not None
    read = json.loads(json.dumps(certificate.to_json()))
    assert all(is_true(inequality) for inequality in read["at_n"] + read["below"])
    assert {inequality["relation"] for inequality in read["at_n"]} == {"<="}
    assert {inequality["relation"] for inequality in read["below"]} <= {">"}
    assert {inequality["n"] for inequality in read["at_n"]} == {certificate.n}
    assert {inequality["n"] for inequality in read["below"]} <= {certificate.n - 1}
    assert Fraction(read["alpha"]) == certificate.alpha and Fraction(read["bound"]) == certificate.bound
    return certificate


def test_the_certificate_of_96_challengers() -> None:
    certificate = recheck(certify_episodes(ALPHA, Fraction("0.05"), 96))
    assert certificate.inequality_at_n == "(19/20)^90 <= 1/100"
    assert certificate.inequality_below == "(19/20)^89 > 1/100"
    assert (certificate.n, certificate.planned, certificate.used) == (90, 96, 90)
    assert certificate.bound == Fraction("0.046838116766") and certificate.kernel_agrees is True


def test_a_kernel_that_disagrees_moves_the_used_n() -> None:
    """0.7^10 = alpha exactly: the rule is met at 10, the kernel's floats first at 11."""
    certificate = recheck(certify_episodes(Fraction("0.0282475249"), Fraction("0.3")))
    assert (certificate.n, certificate.kernel_agrees, certificate.used) == (10, False, 11)
    assert certificate.bound == Fraction("0.3")


def test_no_n_near_where_the_kernel_follows() -> None:
    """At alpha = 1e-17 the kernel's interval does not exist, whatever n."""
    certificate = recheck(certify_pairs(Fraction(1, 10**17), Fraction("0.5")))
    assert certificate.kernel_agrees is False and certificate.used is None


def test_the_other_gates_of_the_reference() -> None:
    controls = recheck(certify_positive_controls(Fraction("0.005"), Fraction("0.8"), planned=45))
    assert (controls.n, controls.side, controls.tail) == (24, "one-sided lower", "alpha")
    assert controls.inequality_at_n == "(4/5)^24 <= 1/200"
    assert Fraction("0.888926") < controls.bound < Fraction("0.888927")
    pairs = recheck(certify_pairs(ALPHA, Fraction("0.51"), planned=30))
    assert (pairs.n, pairs.tail, pairs.inequality_at_n) == (22, "alpha/4", "(151/200)^22 <= 1/400")
    assert pairs.bound == Fraction("0.637927454955")
    null = recheck(certify_null_pairs(ALPHA, Fraction("0.17"), planned=60))
    assert (null.n, null.inequality_at_n) == (33, "(83/100)^33 <= 1/400")
    assert null.bound == Fraction("0.095033852856")
    floor = recheck(certify_continuous_pairs(Fraction("0.005"), Fraction("0.02")))
    assert floor.n == 1561 and floor.used == 1561


def test_a_planned_n_too_small_shows_its_failure() -> None:
    """The bound at the planned n is on the wrong side, and the kernel says so too."""
    certificate = recheck(certify_episodes(ALPHA, Fraction("0.05"), 89))
    assert certificate.bound > certificate.threshold and certificate.kernel_agrees is False


thresholds = st.integers(5, 70).map(lambda k: Fraction(k, 100))
alphas = st.sampled_from([Fraction(a) for a in ("0.05", "0.01", "0.0001")])
losses = st.integers(0, 2)


@naive.law
@given(alphas, thresholds, losses, losses)
def test_every_certificate_can_be_rechecked(alpha: Fraction, threshold: Fraction, a: int, b: int) -> None:
    recheck(certify_episodes(alpha, threshold))
    recheck(certify_positive_controls(alpha, threshold, a))
    recheck(certify_pairs(alpha, threshold, a, b))
    recheck(certify_null_pairs(alpha, threshold, a, b))
    recheck(certify_continuous_pairs(alpha, threshold))


@naive.law
@given(alphas, thresholds, losses, losses)
def test_below_means_that_no_certificate_exists(alpha: Fraction, threshold: Fraction, a: int, b: int) -> None:
    """Without inequalities below, n is the first n that has the outcome at all."""
    pairs = certify_pairs(alpha, threshold, a, b)
    assert pairs is not None
    assert pairs.below or pairs.n == max(1, a + b)


def test_infeasible_has_no_certificate() -> None:
    assert certify_episodes(ALPHA, Fraction(0)) is None
    assert certify_positive_controls(ALPHA, Fraction(1)) is None
    assert certify_pairs(ALPHA, Fraction(1)) is None
    assert certify_null_pairs(ALPHA, Fraction(0)) is None
    assert certify_continuous_pairs(ALPHA, Fraction(0)) is None


@naive.law
@given(
    st.integers(2, 400),
    st.sampled_from([Fraction(a) for a in ("0.05", "0.01", "0.0001")]),
    st.integers(1, 99).map(lambda k: Fraction(k, 100)),
)
def test_a_half_width_is_claimed_with_a_logarithm_on_its_side(
    n: int, alpha: Fraction, target: Fraction
) -> None:
    """p >= ln(4/alpha) under "<=" and p <= ln(4/alpha) under ">"; the logarithm is that of `decimal`."""
    claim = zero_variance_half_width(n, alpha, target)
    ratio = 4 / alpha
    log = Fraction((Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln())
    assert claim.p >= log if claim.relation == "<=" else claim.p <= log
    assert abs(claim.p - log) <= Fraction(1, 10**4)


def test_a_half_width_on_its_target_has_the_first_decimal_that_says_so() -> None:
    """14 p / (3 (n - 1)) is the target itself at p = 5.9915, ln(400) = 5.99146… rounded up at four places."""
    log = Fraction("5.9915")
    claim = zero_variance_half_width(51, ALPHA, 14 * log / (3 * 50))
    assert (claim.p, claim.relation) == (log, "<=")


@pytest.mark.parametrize(
    ("certify", "threshold", "least", "below"),
    [
        (certify_episodes, "0.99", 1, []),  # 0.01 <= 0.01
        (certify_episodes, "0.9", 2, [1]),
        (certify_positive_controls, "0.01", 1, []),
        (certify_positive_controls, "0.1", 2, [1]),
        (certify_pairs, "-0.995", 1, []),
        (certify_pairs, "-0.9", 2, [1]),
        (certify_null_pairs, "0.999", 1, []),
        (certify_null_pairs, "0.99", 2, [1]),
        (certify_continuous_pairs, "28", 2, []),  # one value has no half-width: 14 ln(400) / 3 = 27.96
        (certify_continuous_pairs, "27", 3, [2]),
    ],
)
def test_what_is_shown_below_the_least_sizes(certify, threshold: str, least: int, below: list[int]) -> None:
    """The size before the least one fails, where there is such a size."""
    certificate = recheck(certify(ALPHA, Fraction(threshold)))
    assert (certificate.n, [claim.n for claim in certificate.below]) == (least, below)


def test_the_text_of_every_kind_of_inequality() -> None:
    texts = [
        claim.text
        for certificate in (
            certify_episodes(ALPHA, Fraction("0.9")),
            certify_pairs(ALPHA, Fraction("0.51")),
            certify_positive_controls(ALPHA, Fraction("0.9"), 1),
            certify_continuous_pairs(ALPHA, Fraction("28")),
        )
        for claim in recheck(certificate).at_n
    ]
    assert texts == [
        "(1/10)^2 <= 1/100",
        "(151/200)^22 <= 1/400",
        "Pr(Bin(64, 9/10) >= 63) <= 1/100",
        "14*11983/2000/(3*1) <= 28",
    ]


def test_nothing_is_shown_below_as_many_null_pairs_as_are_discordant() -> None:
    """A band of 1 holds for every outcome, and two discordant pairs are at least two pairs."""
    certificate = certify_null_pairs(ALPHA, Fraction(1), 1, 1)
    assert certificate is not None and (certificate.n, certificate.below) == (2, ())


def test_nothing_is_shown_below_a_single_pair() -> None:
    certificate = certify_pairs(ALPHA, Fraction(-1))
    assert certificate is not None and (certificate.n, certificate.below) == (1, ())


@naive.law
@given(
    st.tuples(st.integers(1, 11), st.integers(1, 11)),
    st.integers(-8, 8).map(lambda k: Fraction(k, 10)),
    st.sampled_from([Fraction("0.05"), Fraction("0.3")]),
)
def test_both_tails_prove_where_two_limits_lie(
    cell: tuple[int, int], margin: Fraction, alpha: Fraction
) -> None:
    """pL(x) >= c + margin and pU(y) <= c, each at alpha/4: one claim alone proves neither the pass nor the failure."""
    x, y = cell
    separates, claims = separation(x, y, 12, alpha, margin)
    assert separates == feedback_reaches(x, y, 12, alpha, margin)
    upper = [claim.p for claim in claims if claim[:3] == ("upper-tail", 12, x)]
    lower = [claim.p for claim in claims if claim[:3] == ("lower-tail", 12, y)]
    assert len(claims) == len(upper) + len(lower)
    assert {(claim.relation, claim.bound) for claim in claims} <= {("<=" if separates else ">", alpha / 4)}
    if upper and lower:
        assert upper[0] - lower[0] == margin
    elif upper:
        assert upper[0] - margin in (0, 1)
    elif lower:
        assert not 0 < lower[0] + margin < 1


def test_the_bound_of_null_pairs_is_the_farther_limit() -> None:
    """Three to one: the upper limit is farther from 0 than the lower one."""
    band = Fraction("0.3")
    certificate = recheck(certify_null_pairs(ALPHA, band, 3, 1))
    lower, upper = naive.paired(3, 1, certificate.n, ALPHA)
    assert abs(lower) < upper <= certificate.bound <= band
    assert certificate.bound - upper < Fraction(1, 10**11)


@pytest.mark.parametrize("margin", ["0.9", "0.5", "0", "-0.5"])
def test_inequalities_are_about_probabilities(margin: str) -> None:
    """Strictly between 0 and 1: what would be asked at 0, at 1 or beyond holds or fails whatever the data."""
    for n10 in range(9):
        for n01 in range(9 - n10):
            _, tails = separation(n10, n01, 8, Fraction("0.05"), Fraction(margin))
            assert all(0 < part.p < 1 for part in tails)


def test_a_limit_of_0_needs_no_inequality() -> None:
    """No pair of ten favours truthful feedback: pL is 0, below any margin."""
    assert separation(0, 3, 10, Fraction("0.01"), Fraction(1, 2)) == (False, ())


def test_tails_are_written_with_their_own_sign() -> None:
    """Of a quarter's chance ten times: two or less .5256, three or more .4744."""
    p, half = Fraction(1, 4), Fraction(1, 2)
    assert lower_tail(10, 2, p, half).text == "Pr(Bin(10, 1/4) <= 2) > 1/2"
    assert upper_tail(10, 3, p, half).text == "Pr(Bin(10, 1/4) >= 3) <= 1/2"


def test_a_tie_with_failures_is_left_to_the_kernel() -> None:
    """28 of 30 at the alpha that they just reach: within its rounding error no verdict is foretold."""
    minimum = Fraction("0.8")
    alpha = naive.upper_tail(30, 28, minimum)
    found = certify_positive_controls(alpha, minimum, 2)
    assert found is not None and (found.n, found.kernel_agrees) == (30, None)
