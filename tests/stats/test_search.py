"""The integer searches, against scanning."""

from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.stats.search import first_left, greatest_true, last_left, least_true

from . import naive

places = st.integers(0, 200)


@naive.law
@given(places, st.none() | st.integers(-10, 220))
def test_least_true(change: int, guess: int | None) -> None:
    assert least_true(lambda m: m >= change, 0, 200, guess) == change


@naive.law
@given(places, st.none() | st.integers(-10, 220))
def test_greatest_true(change: int, guess: int | None) -> None:
    assert greatest_true(lambda m: m <= change, 0, 200, guess) == change


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
