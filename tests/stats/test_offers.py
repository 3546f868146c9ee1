"""The floats that a search for the best design starts from, against the exact powers that decide in the end."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from dcp_lang.stats.audit import Thresholds, Truth
from dcp_lang.stats.exact import binomial_lower_tail
from dcp_lang.stats.offers import offers_by_gate
from dcp_lang.stats.power import adequacy_power, feedback_power, recovery_power, region_probability

THRESHOLDS = Thresholds(Fraction("0.2"), Fraction("0.8"), Fraction("0.3"), Fraction("0.3"))
TRUTH = Truth(
    Fraction("0.01"), Fraction("0.95"), Fraction("0.7"), Fraction("0.1"), Fraction("0.06"), Fraction("0.03")
)
N = 9
#: A price is a float: this little more of an alpha pays it.
ABOVE = Fraction(10**6 + 1, 10**6)


def offered(gate: str, limit: float = 1.0) -> list[tuple[float, float]]:
    return list(offers_by_gate(THRESHOLDS, TRUTH)[gate](N, limit))


def steps(gate: str) -> Iterator[tuple[Fraction, float]]:
    """An alpha that pays for each offer and not for the next, and the power offered there."""
    rows = offered(gate)
    for (price, power), (following, _) in zip(rows, [*rows[1:], (2.0, 1.0)], strict=True):
        alpha = Fraction(price) * ABOVE
        if alpha < min(following, 1):
            yield alpha, power


def test_the_one_offer_of_the_recovery_gate() -> None:
    """No hit in n episodes: (1 - ρ)^n is the price, (1 - p_B)^n the power."""
    [(price, power)] = offered("recovery")
    assert price == pytest.approx(0.8**N, rel=1e-12)
    exact = recovery_power(N, Fraction(price) * ABOVE, THRESHOLDS.rho, TRUTH.hit_rate)
    assert power == pytest.approx(float(exact), rel=1e-12)


def test_offers_of_the_positive_controls_have_their_exact_power() -> None:
    found = list(steps("adequacy"))
    assert len(found) == N - 1  # 0 to n - 2 failures; n - 1 would cost 1 - 0.2^9
    for alpha, power in found:
        exact = adequacy_power(N, alpha, THRESHOLDS.minimum, TRUTH.recall)
        assert power == pytest.approx(float(exact), rel=1e-9)


def test_offers_of_the_feedback_pairs_have_their_exact_power() -> None:
    found = list(steps("evidence"))
    assert len(found) > 5
    for alpha, power in found:
        exact = feedback_power(N, alpha, THRESHOLDS.margin, TRUTH.p10, TRUTH.p01)
        assert power == pytest.approx(float(exact), rel=1e-9)


def test_offers_of_the_null_pairs_have_the_power_of_their_box() -> None:
    """Pr(n10 <= k and n01 <= k), at four times the tail of k in n at the band."""
    assert len(offered("sham", 5.0)) == N
    for k, (price, power) in enumerate(offered("sham", 5.0)):
        box = [(0, min(k, N - n01)) for n01 in range(k + 1)]
        exact = region_probability(N, box, TRUTH.null_p10, TRUTH.null_p01)
        assert power == pytest.approx(float(exact), rel=1e-9)
        assert price == pytest.approx(4 * float(binomial_lower_tail(N, k, THRESHOLDS.band)), rel=1e-9)


@pytest.mark.parametrize("gate", ["recovery", "adequacy", "evidence", "sham"])
def test_a_limit_leaves_the_offers_within_it(gate: str) -> None:
    """A price exactly on the limit is within it. Feedback pairs: also where only one concordant pair is not."""
    rows = sorted(offered(gate))
    for limit, _ in rows:
        assert sorted(offered(gate, limit)) == [row for row in rows if row[0] <= limit]
