"""Enclosures of upper Clopper-Pearson limits: the defining tail at both ends."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.bounds import ceiling_reaches
from dcp_lang.stats.limits import ONE, UpperLimits

from . import naive

TAIL = Fraction(1, 400)
tails = st.sampled_from([Fraction(1, 400), Fraction("0.0125"), Fraction("0.24"), Fraction(1, 4 * 10**12)])


def encloses(limits: UpperLimits, j: int) -> bool:
    """At the lower end the tail is still above its share, at the upper end it is within it."""
    low, high = (Fraction(end, ONE) for end in limits(j))
    below = not ceiling_reaches(j, limits.n, limits.tail, low)
    return below and (high == 1 or ceiling_reaches(j, limits.n, limits.tail, high))


@naive.law
@given(st.integers(1, 300), tails, st.data())
def test_the_limit_is_inside(n: int, tail: Fraction, data: st.DataObject) -> None:
    """In any order of asking, as a limit that is known is where the next search starts."""
    limits = UpperLimits(n, tail)
    first = data.draw(st.integers(0, n - 1))
    for j in data.draw(st.permutations(range(max(first - 3, 0), min(first + 4, n)))):
        assert encloses(limits, j)
        low, high = limits(j)
        assert limits.narrow(j)[1] - limits.narrow(j)[0] <= high - low


@pytest.mark.parametrize("step", [1, -1])
def test_a_walk_of_limits(step: int) -> None:
    """Each foretold from the three before it: inside, and narrow against the distance to the next."""
    limits = UpperLimits(2000, TAIL)
    walk = range(200, 240)[::step]
    for j in walk:
        assert encloses(limits, j)
    for j in walk[4:]:
        low, high = limits(j)
        assert 16 * (high - low) < limits(max(j, j + 1))[0] - limits(min(j, j + 1))[0] or j == max(walk)


def test_limits_of_ten_million() -> None:
    limits = UpperLimits(10**7, TAIL)
    for j in (0, 1, 30, 10**6, 10**6 + 1, 5 * 10**6, 10**7 - 1):
        assert encloses(limits, j)
        low, high = limits.narrow(j)
        assert high - low < ONE // 10**9


def test_the_ends_of_the_range() -> None:
    """pU(n) is 1; pU(0) is 1 - tail**(1/n), here 1 - .05 = .95 at n = 1."""
    limits = UpperLimits(1, Fraction("0.05"))
    assert limits(1) == limits(7) == (ONE, ONE)
    low, high = limits.narrow(0)
    assert Fraction(low, ONE) <= Fraction("0.95") <= Fraction(high, ONE) and high - low < ONE >> 20
