"""A record behaves as the named tuple of the same fields."""

from __future__ import annotations

import copy
import pickle
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.record import Record


class Ours(Record):
    """Two given fields and one with a default."""

    first: Any
    second: Any
    third: Any = 3

    @property
    def sum(self) -> Any:
        """A property beside the fields."""
        return self.first + self.second


class Theirs(NamedTuple):
    first: Any
    second: Any
    third: Any = 3


NAMES = st.sampled_from(["first", "second", "third", "fourth"])


@given(st.lists(st.integers(), max_size=4), st.dictionaries(NAMES, st.integers()))
def test_it_is_made_from_what_makes_a_named_tuple(values: list[int], named: dict[str, int]) -> None:
    try:
        expected = Theirs(*values, **named)
    except TypeError:
        with pytest.raises(TypeError, match="has the fields first, second, third"):
            Ours(*values, **named)
        return
    made = Ours(*values, **named)
    assert made == expected and hash(made) == hash(expected)
    assert made._asdict() == expected._asdict()
    assert repr(made) == repr(expected).replace("Theirs", "Ours")


def test_it_is_read_by_place_by_name_and_by_pattern() -> None:
    made = Ours(1, 2)
    assert (made.first, made[1], made.third, made.sum) == (1, 2, 3, 3)
    match made:
        case Ours(first, _, third=last):
            assert (first, last) == (1, 3)


def test_it_is_changed_by_name_only_into_another() -> None:
    made = Ours(1, 2)
    assert made._replace(second=5) == (1, 5, 3) and made == (1, 2, 3)
    with pytest.raises(TypeError):
        made._replace(fourth=4)
    with pytest.raises(AttributeError):
        made.first = 2
    with pytest.raises(AttributeError):
        made.fourth = 2


def test_it_is_copied_and_pickled_as_itself() -> None:
    made = Ours(1, [2])
    for other in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert type(other) is Ours and other == made


def test_its_class_is_of_the_common_kind() -> None:
    """A class of another kind is asked for `__instancecheck__` each time: `match` would take much longer."""
    assert type(Ours) is type and Ours.__slots__ == ()  # type: ignore[attr-defined]
    assert isinstance(Ours(1, 2), Ours) and not isinstance((1, 2, 3), Ours)
