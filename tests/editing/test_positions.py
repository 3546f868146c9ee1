"""Places of the protocol count UTF-16 code units; everything else counts characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.lsp.positions import Position, Positions
from dcp_lang.source import Span

_TEXTS = st.text(st.sampled_from("aδ𝔻\U0001f600\u2028\x0b\r\n"), max_size=20)


def at(line: int, character: int) -> Position:
    return {"line": line, "character": character}


@pytest.mark.parametrize(
    ("text", "offset", "line", "character"),
    [
        ("δ_min", 1, 0, 1),  # one unit in the Basic Multilingual Plane
        ("😀b", 1, 0, 2),  # two above it
        ("a\r\n😀b", 4, 1, 2),
        ("a\rb", 2, 1, 0),
        ("a\u2028b", 2, 0, 2),  # a line separator to Unicode, not to the protocol
        ("a\n", 2, 1, 0),
    ],
)
def test_a_place_counts_code_units(text: str, offset: int, line: int, character: int) -> None:
    positions = Positions(text)
    assert positions.position(offset) == at(line, character)
    assert positions.offset(at(line, character)) == offset


@given(_TEXTS, st.data())
def test_places_and_offsets_are_each_other(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    positions = Positions(text)
    place = positions.position(offset)
    if text[offset - 1 : offset + 1] != "\r\n":  # between the two there is no place
        assert positions.offset(place) == offset
    lines = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not text[:offset].endswith("\r"):
        assert place["line"] == len(lines) - 1
        assert place["character"] == len(lines[-1].encode("utf-16-le")) // 2


@given(_TEXTS, st.integers(0, 5), st.integers(0, 50))
def test_a_place_outside_the_text_is_held_within_its_line(text: str, line: int, character: int) -> None:
    positions = Positions(text)
    offset = positions.offset(at(line, character))
    assert 0 <= offset <= len(text)
    rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if line < len(rest):
        assert positions.position(offset)["line"] == line


def test_half_of_a_character_is_no_place() -> None:
    assert Positions("😀b").offset(at(0, 1)) == 0


def test_a_span_is_cut_at_its_line_ends() -> None:
    text = "ab\r\n\r\n😀c\nd"
    parts = Positions(text).lines(Span(1, len(text)))
    assert [text[p.start : p.end] for p in parts] == ["b", "😀c", "d"]
    assert [Positions(text).units(p) for p in parts] == [1, 3, 1]
