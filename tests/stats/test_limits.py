"""Enclosures of upper Clopper-Pearson limits: the defining tail at both ends."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats import limits
from dcp_lang.stats.bounds import ceiling_reaches
from dcp_lang.stats.limits import ONE, UpperLimits

from . import naive

TAIL = Fraction(1, 400)
tails = st.sampled_from([Fraction(1, 400), Fraction("0.0125"), Fraction("0.24"), Fraction(1, 4 * 10**12)])


def encloses(found: UpperLimits, j: int) -> bool:
    """At the lower end the tail is still above its share, at the upper end it is within it."""
    low, high = (Fraction(end, ONE) for end in found(j))
    below = not ceiling_reaches(j, found.n, found.tail, low)
    return below and (high == 1 or ceiling_reaches(j, found.n, found.tail, high))


@naive.law
@given(st.integers(1, 300), tails, st.data())
def test_the_limit_is_inside(n: int, tail: Fraction, data: st.DataObject) -> None:
    """In any order of asking, as a limit that is known is where the next search starts."""
    found = UpperLimits(n, tail)
    first = data.draw(st.integers(0, n - 1))
    for j in data.draw(st.permutations(range(max(first - 3, 0), min(first + 4, n)))):
        assert encloses(found, j)
        low, high = found(j)
        assert found.narrow(j)[1] - found.narrow(j)[0] <= high - low


@pytest.mark.parametrize("step", [1, -1])
def test_a_walk_of_limits(step: int) -> None:
    """Each foretold from the three before it: inside, and narrow against the distance to the next."""
    found = UpperLimits(2000, TAIL)
    walk = range(200, 240)[::step]
    for j in walk:
        assert encloses(found, j)
    for j in walk[4:]:
        low, high = found(j)
        assert 16 * (high - low) < found(max(j, j + 1))[0] - found(min(j, j + 1))[0] or j == max(walk)


class Counted(UpperLimits):
    """Counts the estimates and the enclosures made from them."""

    estimates = enclosures = 0

    def _estimated(self, j: int, error: float, share: int, close: int) -> tuple[int, int]:
        self.estimates += 1
        return super()._estimated(j, error, share, close)

    def _enclose(self, j: int, low: int, close: int) -> tuple[int, int] | None:
        self.enclosures += 1
        return super()._enclose(j, low, close)

    def gap(self, j: int) -> int:
        """The distance to the next limit."""
        return UpperLimits(self.n, self.tail)(j + 1)[0] - self(j)[0]


@pytest.mark.parametrize("tail", [Fraction("0.24"), TAIL])
@pytest.mark.parametrize("n", [200, 2000, 10**5])
def test_neighbours_foretell_a_limit(n: int, tail: Fraction) -> None:
    """One enclosure each, narrow against their distance; estimates only for the first three and the very first."""
    first, middle = limits._SMOOTH, range(n // 2, n // 2 + 25)
    for walk, estimates in (
        (range(30), first),
        (range(30)[::-1], first + 3),
        (range(first, 30), 3),
        (middle, 3),
        (middle[::-1], 3),
    ):
        found = Counted(n, tail)
        for j in walk:
            found(j)
        assert (found.estimates, found.enclosures) == (estimates, len(walk))
        for j in range(min(walk), max(walk)):
            assert found(j)[1] - found(j)[0] < 0.05 * (found(j + 1)[0] - found(j)[0])


@pytest.mark.parametrize("tail", [Fraction("0.24"), TAIL])
@pytest.mark.parametrize(("j", "n"), [(0, 60), (7, 60), (30, 60), (0, 2000), (666, 2000), (30, 10**7)])
def test_an_estimate_makes_one_narrow_enclosure(j: int, n: int, tail: Fraction) -> None:
    """A twentieth of the distance to the next limit wide, and once more when asked for, below its ten-millionth."""
    found = Counted(n, tail)
    gap = found.gap(j)
    low, high = found(j)
    assert found.enclosures == 1 and high - low < 0.05 * gap
    _, limit = found.narrow(j)
    assert found.enclosures == 2 and limit - found(j)[0] < 1e-7 * gap and encloses(found, j)
    assert high - low < 1.1 * (limit - low) + 2  # the tangent overtakes by little


def test_limits_of_ten_million() -> None:
    found = UpperLimits(10**7, TAIL)
    for j in (0, 1, 30, 10**6, 10**6 + 1, 5 * 10**6, 10**7 - 1):
        assert encloses(found, j)
        low, high = found.narrow(j)
        assert high - low < ONE // 10**9 and encloses(found, j)


def test_the_ends_of_the_range() -> None:
    """pU(n) is 1; pU(0) is 1 - tail**(1/n), here 1 - .05 = .95 at n = 1."""
    found = UpperLimits(1, Fraction("0.05"))
    assert found(1) == found(7) == (ONE, ONE)
    low, high = found.narrow(0)
    assert Fraction(low, ONE) <= Fraction("0.95") <= Fraction(high, ONE) and high - low < ONE >> 20
