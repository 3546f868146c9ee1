"""Words that were probably meant, against `difflib` on all candidates."""

from difflib import get_close_matches

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcp_lang.sema.closest import closest

words = st.text("abcderst_", max_size=9)


@settings(deadline=None, max_examples=300)
@given(words, st.lists(words, max_size=8).map(tuple))
def test_nothing_alike_is_left_out(word: str, known: tuple[str, ...]) -> None:
    same = [candidate for candidate in known if candidate.lower() == word.lower()]
    expected = same[-1:] or get_close_matches(word, known, 1, cutoff=0.67)
    assert closest(word, known) == (expected[0] if expected else None)


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("titel", "title", "title"),
        ("TITLE", "title", "title"),
        ("a", "title", None),
        ("abc", "abd", None),
        ("abcc", "abcd", "abcd"),
    ],
)
def test_two_thirds_alike(word: str, known: str, meant: str | None) -> None:
    """`abc` and `abd` share two of three letters, .667, which is just below; three of four are enough."""
    assert closest(word, (known,)) == meant
