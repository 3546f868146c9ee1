"""Line and column of every place, counted in short texts and looked up in long ones."""

from __future__ import annotations

import pytest

from dcp_lang.source import SHORT, Position, SourceFile


@pytest.mark.parametrize("size", [0, 1, 7, SHORT - 1, SHORT, SHORT + 1])
def test_every_place_is_found_on_both_sides_of_the_limit(size: int) -> None:
    text = ("ab\nδ\r\n\n" * size)[:size]
    source = SourceFile("r.dcp", text)
    for offset in range(size + 1):
        before = text[:offset]
        assert source.position(offset) == Position(before.count("\n") + 1, offset - before.rfind("\n"))
    assert source.position(-1) == Position(1, 1) and source.position(size + 9) == source.position(size)
