"""The saw-teeth of positive controls against the definitions, size by size."""

from fractions import Fraction
from itertools import islice, pairwise

import pytest

from dcp_lang.stats import teeth as module
from dcp_lang.stats.planning import least_positive_controls, tolerated_failures
from dcp_lang.stats.power import adequacy_power
from dcp_lang.stats.teeth import teeth


@pytest.mark.parametrize(
    ("alpha", "minimum"), [("0.005", "0.8"), ("0.01", "0.9"), ("0.2", "0.5"), ("0.05", "0.1")]
)
def test_a_tooth_is_all_sizes_of_one_tolerance(alpha: str, minimum: str) -> None:
    """Also those of a single size, as where a tenth is asked for."""
    a, low = Fraction(alpha), Fraction(minimum)
    found = list(islice(teeth(a, low, Fraction("0.95")), 12))
    assert found[0].first == least_positive_controls(a, low)
    for tooth, following in pairwise(found):
        assert tooth.last + 1 == following.first
        for n in range(tooth.first, tooth.last + 1):
            assert tolerated_failures(n, a, low) == tooth.failures


@pytest.mark.parametrize("recall", ["0.95", "0.81", "1"])
def test_power_is_decided_at_its_own_value(recall: str) -> None:
    """A target that is the power itself is reached, one 10^-40 above it is not."""
    a, low, truth = Fraction("0.01"), Fraction("0.8"), Fraction(recall)
    for tooth in islice(teeth(a, low, truth), 6):
        for n in (tooth.first, tooth.last):
            exact = adequacy_power(n, a, low, truth)
            assert tooth.power(n) == pytest.approx(float(exact), rel=1e-12)
            if exact < 1:
                assert tooth.reaches(n, exact) and not tooth.reaches(n, exact + Fraction(1, 10**40))
            assert tooth.reaches(n, exact - Fraction(1, 10**40))


def test_a_recall_that_cannot_be_shown_has_no_teeth() -> None:
    assert list(teeth(Fraction("0.01"), Fraction(1), Fraction(1))) == []


def test_a_tie_of_a_tolerance() -> None:
    """(4/5)^n of alpha = (4/5)^20: twenty of twenty just suffice, so the first tooth begins there."""
    tooth = next(teeth(Fraction(4, 5) ** 20, Fraction(4, 5), Fraction("0.9")))
    assert tooth.first == 20 and tooth.failures == 0


@pytest.mark.parametrize(("minimum", "n"), [("0.5", 10), ("0.8", 30)])
def test_a_tie_of_one_failure(minimum: str, n: int) -> None:
    """An alpha that is Pr(at most one failure) of n, a dyadic number or not: the second tooth begins at n."""
    low = Fraction(minimum)
    alpha = low**n + n * (1 - low) * low ** (n - 1)
    for error, first in ((alpha, n), (alpha - Fraction(1, 10**40), n + 1)):
        _, tooth = islice(teeth(error, low, Fraction("0.9")), 2)
        assert (tooth.first, tooth.failures) == (first, 1)


def test_only_ties_need_an_exact_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enclosures of 96 bits decide where a tooth ends, and whether a target of four decimals is reached."""
    asked: list[int] = []
    exact = module.lower_tail_at_most
    monkeypatch.setattr(module, "lower_tail_at_most", lambda *at: asked.append(1) or exact(*at))
    for tooth in islice(teeth(Fraction("0.01"), Fraction("0.8"), Fraction("0.9")), 12):
        for target in (Fraction("0.0001"), Fraction("0.3721"), Fraction("0.9999")):
            tooth.reaches(tooth.first, target)
    assert asked == []
    tooth.reaches(tooth.last, adequacy_power(tooth.last, Fraction("0.01"), Fraction("0.8"), Fraction("0.9")))
    assert asked == [1]
