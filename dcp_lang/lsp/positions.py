"""Places of the protocol: lines from 0 and UTF-16 code units, and the character offsets of everything else."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TypedDict

from dcp_lang.source import Span

#: The protocol's line ends; a lone carriage return is one of them.
_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(TypedDict):
    """A place of the protocol."""

    line: int
    character: int


class Range(TypedDict):
    """A stretch of text of the protocol; `end` is behind it."""

    start: Position
    end: Position


class Positions:
    """The places of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
        # Where every character is one code unit, a column is a difference of offsets.
        self._is_narrow = text.isascii() or max(text) < "\U00010000"

    def position(self, offset: int) -> Position:
        """The place of an offset."""
        line = bisect_right(self._starts, offset) - 1
        return {"line": line, "character": self._units(self._starts[line], offset)}

    def offset(self, position: Position) -> int:
        """The offset of a place, held within its line and the text."""
        line = position["line"]
        if line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[line], self._end(line)
        units = position["character"]
        if self._is_narrow:
            return min(start + units, end)
        for offset in range(start, end):
            units -= 2 if self.text[offset] >= "\U00010000" else 1
            if units < 0:
                return offset
        return end

    def range(self, span: Span) -> Range:
        """The range of a span."""
        return {"start": self.position(span.start), "end": self.position(span.end)}

    def lines(self, span: Span) -> list[Span]:
        """The parts of a span on each of its lines, without line ends: a token of the protocol has one line."""
        first = bisect_right(self._starts, span.start) - 1
        if span.end <= self._end(first):
            return [span] if span.start < span.end else []
        last = bisect_right(self._starts, max(span.start, span.end - 1)) - 1
        parts = (
            Span(max(span.start, self._starts[i]), min(span.end, self._end(i)))
            for i in range(first, last + 1)
        )
        return [part for part in parts if part.start < part.end]

    def units(self, span: Span) -> int:
        """The length of a span in code units."""
        return self._units(span.start, span.end)

    def _units(self, start: int, end: int) -> int:
        if self._is_narrow:
            return end - start
        return len(self.text[start:end].encode("utf-16-le", "surrogatepass")) // 2

    def _end(self, line: int) -> int:
        """The end of a line before its line end."""
        if line + 1 >= len(self._starts):
            return len(self.text)
        end = self._starts[line + 1] - 1
        return end - 1 if self.text[end - 1 : end + 1] == "\r\n" else end
