"""What is remembered takes no more room than it may."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.memory import Memory


def test_everything_is_forgotten_at_the_value_that_is_too_much() -> None:
    memory = Memory(10)
    memory.keep("a", 1, 6)
    memory.keep("b", 2, 4)
    assert memory == {"a": 1, "b": 2}
    memory.keep("c", 3)
    assert memory == {"c": 3}


def test_another_value_of_a_key_weighs_nothing_more() -> None:
    memory = Memory(10)
    for value in range(20):
        memory.keep("a", value, 10)
    assert memory == {"a": 19}


def test_what_weighs_too_much_alone_leaves_the_others() -> None:
    memory = Memory(10)
    memory.keep("a", 1)
    memory.keep("b", 2, 11)
    assert memory == {"a": 1}


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 12))))
def test_the_weight_never_exceeds_the_most(kept: list[tuple[str, int]]) -> None:
    memory = Memory(10)
    weights: dict[str, int] = {}
    for key, weight in kept:
        weights.setdefault(key, weight)
        memory.keep(key, weight, weights[key])
        assert sum(weights[k] for k in memory) == memory.weight <= 10
