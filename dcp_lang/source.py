"""Source text and positions: half-open character offsets, turned into line and column here and nowhere else."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate

from dcp_lang.record import Record

#: The line ends of texts below this length are counted anew for every place: sooner done than `bisect` is loaded.
SHORT = 2**13


class Span(Record):
    """A half-open range of character offsets into one source file, ``start <= end``."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other`."""
        return Span(self.start, other.end)


class Position(Record):
    """A line and a column, both counted from 1; the column counts characters."""

    line: int
    column: int


class SourceFile:
    """One text with the name that diagnostics show for it."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        lengths = [len(line) + 1 for line in self.text.split("\n")]
        return [0, *accumulate(lengths[:-1])]

    @property
    def line_count(self) -> int:
        """Number of lines, at least 1."""
        return len(self._starts)

    def position(self, offset: int) -> Position:
        """Line and column (from 1) of a character offset, clamped to the text."""
        offset = max(0, min(offset, len(self.text)))
        line = self.line_at(offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def line_at(self, offset: int) -> int:
        """The line (from 1) of a character offset inside the text."""
        if len(self.text) < SHORT:
            return self.text.count("\n", 0, offset) + 1
        from bisect import bisect_right

        return bisect_right(self._starts, offset)

    def line_start(self, offset: int) -> int:
        """Where the line starts that holds a character offset."""
        return self._starts[self.line_at(offset) - 1]

    def offset(self, line: int, column: int) -> int:
        """Character offset of a line and column (from 1), clamped to the line."""
        line = max(1, min(line, self.line_count))
        start = self._starts[line - 1]
        return min(start + column - 1, start + len(self.line(line)))

    def line(self, number: int) -> str:
        """The text of a line (from 1) without its line end."""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < self.line_count else len(self.text)
        return self.text[start:end].rstrip("\r")
