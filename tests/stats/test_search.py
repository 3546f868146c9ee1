"""The integer searches, against scanning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.search import Effort, EffortError, first_left, greatest_true, last_left, least_true

from . import naive

places = st.integers(0, 200)


@naive.law
@given(st.integers(-50, 50), places, st.none() | st.integers(-70, 270))
def test_least_true(low: int, change: int, guess: int | None) -> None:
    """Nothing outside of the range is ever asked: there the predicate may mean nothing."""

    def holds(m: int) -> bool:
        assert low <= m <= low + 200
        return m >= low + change

    assert least_true(holds, low, low + 200, guess) == low + change


@naive.law
@given(st.integers(-50, 50), places, st.none() | st.integers(-70, 270))
def test_greatest_true(low: int, change: int, guess: int | None) -> None:
    def holds(m: int) -> bool:
        assert low <= m <= low + 200
        return m <= low + change

    assert greatest_true(holds, low, low + 200, guess) == low + change


@pytest.mark.parametrize("off", [0, 1, -1, 2, -2, 5, -5, 1000, -1000])
def test_a_guess_costs_twice_the_logarithm_of_its_error(off: int) -> None:
    """Doubling finds the bracket, bisection the place in it; a bracket never found would cost forty and more."""
    seen: list[int] = []
    for search, sign in ((least_true, 1), (greatest_true, -1)):
        seen.clear()
        search(lambda m, sign=sign: seen.append(m) or sign * m >= sign * 123_456, 0, 10**12, 123_456 + off)
        assert len(seen) <= 3 + 2 * abs(off).bit_length()


@pytest.mark.parametrize(("off", "most"), [(1, 4), (-1, 2), (2, 4), (-2, 4), (5, 6), (-5, 6)])
def test_a_guess_beside_the_answer(off: int, most: int) -> None:
    """One short: itself and the next. One long, two off: four. Five off: a bracket of four, then two in it."""
    seen: list[int] = []
    assert least_true(lambda m: seen.append(m) or m >= 123_456, 0, 10**12, 123_456 + off) == 123_456
    assert len(seen) <= most


@pytest.mark.parametrize(("left", "most"), [(10**6, 6), (777_777, 30), (123_456, 30), (None, 3)])
def test_blocks_halve_and_double(left: int | None, most: int) -> None:
    """Of a million the last is met after a quarter, a quarter, half; another after about log2 of it, halving."""
    seen: list[int] = []

    def excludes(first: int, last: int) -> bool:
        seen.append(first)
        return left is None or not first <= left <= last

    assert first_left(0, 10**6, excludes) == left
    assert len(seen) <= most


def test_a_good_guess_costs_few_evaluations() -> None:
    seen: list[int] = []

    def holds(m: int) -> bool:
        seen.append(m)
        return m >= 123_456

    assert least_true(holds, 0, 10**12, 123_456) == 123_456
    assert len(seen) <= 3


@naive.law
@given(st.sets(st.integers(0, 60)), st.integers(0, 60), st.integers(0, 60))
def test_what_is_left_after_exclusion(qualified: set[int], low: int, high: int) -> None:
    def excludes(first: int, last: int) -> bool:
        assert low <= first <= last <= high
        return not qualified & set(range(first, last + 1))

    inside = qualified & set(range(low, high + 1))
    assert first_left(low, high, excludes) == min(inside, default=None)
    assert last_left(low, high, excludes) == max(inside, default=None)


def test_effort_runs_out() -> None:
    """Steps may be spent to the last; one more than are left is too many, and foreseen before it is taken."""
    effort = Effort(3)
    effort.spend(2)
    effort.foresee(1)
    with pytest.raises(EffortError):
        effort.foresee(2)
    effort.spend()
    assert effort.left == 0
    with pytest.raises(EffortError):
        effort.spend()
