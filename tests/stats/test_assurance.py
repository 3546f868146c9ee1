"""Sizes with an assurance: every size for many targets, the limits of the searches, and what they screen with."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from dcp_lang.stats import assurance, power
from dcp_lang.stats.assurance import AssuredN, assured_null_pairs, assured_pairs, assured_positive_controls
from dcp_lang.stats.exact import lower_tail_bounds
from dcp_lang.stats.power import (
    feedback_power_bounds,
    null_power_bounds,
)

from . import naive

ALPHA, MARGIN, BAND = Fraction("0.01"), Fraction("0.51"), Fraction("0.17")
TINY = Fraction(1, 10**20)


def test_a_search_ends_at_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half the rows that a search takes are not enough for it, whatever is remembered of the regions by then."""
    truth = Fraction("0.85"), Fraction("0.02"), Fraction("0.9")
    whole = assured_pairs(ALPHA, MARGIN, *truth)
    assert whole is not None and (whole.first, whole.safe) == (78, 78)
    for rows, found in ((60, (None, None)), (10**5, (78, 78))):
        monkeypatch.setattr(assurance, "_ROWS", rows)
        assured_pairs.cache_clear()
        again = assured_pairs(ALPHA, MARGIN, *truth)
        assert again is not None and (again.first, again.safe) == found
    assured_pairs.cache_clear()


def test_truths_beside_thresholds_are_given_up() -> None:
    """Some hundred thousand controls and pairs would be needed: spread / distance, squared, as Hoeffding has it."""
    target = Fraction("0.99")
    for found in (
        assured_positive_controls(ALPHA, Fraction("0.8"), Fraction("0.801"), target),
        assured_null_pairs(ALPHA, BAND, Fraction("0.168"), Fraction("0.168"), target),
        assured_pairs(ALPHA, MARGIN, Fraction("0.55"), Fraction("0.03"), target),
    ):
        assert found is not None and found.first is None and found.safe is None


def holds_from(found: AssuredN | None, bounds: Callable[[int], power.Bounds], target: Fraction) -> None:
    """The first size and the safe one reach the target, and those just below them miss it."""
    assert found is not None and found.first is not None and found.safe is not None
    for n, reached in (
        (found.first, True),
        (found.first - 1, False),
        (found.safe, True),
        (found.safe - 1, False),
    ):
        low, high = bounds(n)
        assert (low >= target) is reached and high - low < TINY


def test_many_controls_are_walked() -> None:
    """Recall .81 beside .8: the first size reaches 90 %, the safe one too, and just below each it is missed."""
    found = assured_positive_controls(ALPHA, Fraction("0.8"), Fraction("0.81"), Fraction("0.9"))
    holds_from(
        found,
        lambda n: power.adequacy_power_bounds(n, ALPHA, Fraction("0.8"), Fraction("0.81")),
        Fraction("0.9"),
    )


def test_more_controls_than_are_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recall .86 beside .8, 300 teeth at most: a first size is found, Hoeffding's horizon is too far for a safe one.

    Where even the last size within reach misses the target nothing is walked.
    """
    monkeypatch.setattr(assurance, "_TEETH", 300)
    rule = ALPHA, Fraction("0.8"), Fraction("0.86")
    found = assured_positive_controls.__wrapped__(*rule, Fraction("0.9"))
    assert found is not None and found.horizon > 300 / (1 - Fraction("0.8")) and found.safe is None
    assert found.first is not None and power.adequacy_power(found.first, *rule) >= Fraction("0.9")
    assert all(power.adequacy_power(n, *rule) < Fraction("0.9") for n in range(found.first - 40, found.first))
    beyond = assured_positive_controls.__wrapped__(*rule[:2], Fraction("0.81"), Fraction("0.9"))
    assert beyond is not None and beyond.first is None and beyond.safe is None


@pytest.mark.parametrize("rate", ["0", "0.01", "0.3", "0.9"])
@pytest.mark.parametrize("n", [0, 1, 7, 40])
def test_more_discordant_pairs_are_rare(n: int, rate: str) -> None:
    """The least count that is exceeded in either direction with at most the chance given, and that chance."""
    p = Fraction(rate)
    for rare in (Fraction(1, 2), Fraction(1, 40), Fraction(1, 10**6)):
        more, chance = assurance.more_discordant(n, p, rare)
        exact = 2 * naive.upper_tail(n, more + 1, p)
        assert exact <= chance < exact + 2 * TINY and exact <= rare
        assert more == 0 or 2 * naive.upper_tail(n, more, p) > rare


def test_a_quantile_starts_at_two_deviations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 10,000, ten steps from there to the quantile of 99 %, and the least count it is."""
    asked: list[int] = []
    within = assurance._within
    monkeypatch.setattr(assurance, "_within", lambda n, k, *at: asked.append(k) or within(n, k, *at))
    for n, rate, most in ((10_000, Fraction("0.3"), 10), (10_000, Fraction("0.01"), 6), (5, Fraction(0), 2)):
        asked.clear()
        k, enough = assurance._quantile(n, rate, Fraction("0.99")), Fraction("0.99")
        assert len(asked) <= most
        assert lower_tail_bounds(n, k - 1, rate)[1] < enough <= lower_tail_bounds(n, k, rate)[0]


def first_and_safe(powers: list[power.Bounds], target: Fraction, most: int) -> tuple[int, int]:
    """By a look at each size up to `most`; the powers are those of 1, 2, ... pairs."""
    reached = [low >= target for low, _ in powers[:most]]
    assert all(low >= target or high < target for low, high in powers[:most])
    return reached.index(True) + 1, most - reached[::-1].index(False) + 1 if False in reached else 1


def holds_at_many_targets(
    search: Callable[..., AssuredN | None], bounds: Callable[..., power.Bounds], *at: Fraction
) -> None:
    """The sizes of a search are those that a look at each size finds, for one target after another."""
    powers = [bounds(n, *at) for n in range(1, 200)]
    for percent in range(5, 96, 13):
        target = Fraction(percent, 100)
        found = search(*at, target)
        assert found is not None
        assert (found.first, found.safe) == first_and_safe(powers, target, found.horizon)


@pytest.mark.parametrize(
    "truth",
    [("0.1", "0.01"), ("0.01", "0.1"), ("0.06", "0.06"), ("0", "0.12"), ("0.15", "0"), ("0.002", "0")],
)
def test_null_pairs_at_many_targets(truth: tuple[str, str]) -> None:
    """Blocks of sizes are excluded for whatever target, and none that belongs to the answer."""
    alpha, band, rates = Fraction("0.3"), Fraction("0.42"), (Fraction(truth[0]), Fraction(truth[1]))
    holds_at_many_targets(assured_null_pairs.__wrapped__, null_power_bounds, alpha, band, *rates)


@pytest.mark.parametrize("truth", [("0.9", "0"), ("0.8", "0.15"), ("0.75", "0.02"), ("1", "0")])
def test_pairs_at_many_targets(truth: tuple[str, str]) -> None:
    alpha, margin, rates = Fraction("0.3"), Fraction("0.25"), (Fraction(truth[0]), Fraction(truth[1]))
    holds_at_many_targets(assured_pairs.__wrapped__, feedback_power_bounds, alpha, margin, *rates)


@pytest.mark.parametrize("truth", ["0.08", "0.12"])
def test_null_pairs_far_from_ideal(truth: str) -> None:
    """The first size reaches 90 % and the one below the safe size does not; both are found before the search ends."""
    q, target = Fraction(truth), Fraction("0.9")
    found = assured_null_pairs(ALPHA, BAND, q, q, target)
    holds_from(found, lambda n: null_power_bounds(n, ALPHA, BAND, q, q), target)
