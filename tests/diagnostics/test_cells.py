"""What is shown of a line: the short ways give what growing character by character gives."""

from __future__ import annotations

import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from dcp_lang.diagnostics.cells import cell, show, view


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 70), st.integers(-1, 70), st.integers(1, 40))
def test_a_line_of_plain_letters_is_clipped_as_one_of_accented_ones(
    size: int, start: int, length: int, width: int
) -> None:
    """Both take a column each; only plain letters go the short way."""
    plain = view("e" * size, start, start + length, width)
    accented = view("é" * size, start, start + length, width)
    assert plain.text == accented.text.replace("é", "e")
    assert (plain.first, list(plain.columns)) == (accented.first, list(accented.columns))
    assert len(plain.text) <= max(width, 3)


@settings(deadline=None)
@given(st.integers(0, 300), st.integers(0, 300), st.integers(1, 40))
def test_a_character_outside_of_what_is_shown_changes_nothing(size: int, at: int, width: int) -> None:
    """Far from the span, a wide character or a control is not looked at."""
    start = size // 2
    for odd in "漢\x1b":
        text = "e" * size
        changed = text[:at] + odd + text[at + 1 :] if at < size and abs(at - start) > width else text
        assert view(changed, start, start + 1, width) == view(text, start, start + 1, width)


def test_what_is_shown_as_it_is_can_be_printed() -> None:
    """Every character of Unicode: what `isprintable` lets pass at once, the table of cells would, too."""
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if char.isprintable():
            assert show(char) == char == cell(char).shown
    assert show("a\x1b\u202e\ud800") == "a\u241b<U+202E><U+D800>"
