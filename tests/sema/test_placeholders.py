"""E605: which texts say nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.sema.reader import is_placeholder

EMPTY = [
    "",
    " ",
    "…",
    "...",
    "_",
    "-- --",
    "TODO",
    "[to be done]",
    "__tbd__",
    "Lorem ipsum.",
    "XXX!",
    "unspecified",
]
SAID = ["none", "n/a 1", "todo list", "a to be done", "todos", "²", "unspecifiedness", "2TODO", "to  be done"]


@pytest.mark.parametrize("text", [*EMPTY, "still unspecified", "Unspecified: all of it", "a-unspecified-b"])
def test_what_says_nothing(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize("text", SAID)
def test_what_says_something(text: str) -> None:
    assert not is_placeholder(text)


@given(st.text("-_ .…!\n"), st.sampled_from(EMPTY), st.text("-_ .…!\n"))
def test_marks_around_it_say_nothing_more(before: str, text: str, after: str) -> None:
    assert is_placeholder(before + text + after)
