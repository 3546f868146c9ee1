"""Code frames: the lines of one source with spans underlined and labelled.

A span within a line is underlined below it; its label follows the underline, or hangs below it when another
underline stands to its right. A span over several lines is drawn as a bracket in a lane of the left margin.
"""

from __future__ import annotations

from collections.abc import Sequence

from dcp_lang.diagnostics.cells import View, show, view
from dcp_lang.diagnostics.paint import Canvas, Painter
from dcp_lang.record import Record
from dcp_lang.source import SourceFile, Span

#: A bracket of at most this many lines is shown whole; of a longer one only its ends are.
WHOLE_LINES = 5


class Mark(Record):
    """A span to underline with `stroke`, and its label (may be empty)."""

    span: Span
    text: str
    stroke: str
    style: str


class Place(Record):
    """A mark by line (from 1) and half-open character indices (from 0) in its first and last line."""

    first: int
    start: int
    last: int
    end: int
    mark: Mark


class _Underline(Record):
    start: int
    end: int
    mark: Mark


def place(source: SourceFile, mark: Mark) -> Place:
    """Where a mark stands; an empty span marks the one column at which it stands."""
    first = source.position(mark.span.start)
    last = source.position(max(mark.span.start, mark.span.end - 1))
    return Place(first.line, first.column - 1, last.line, last.column, mark)


class Frame:
    """The code frame of one source; `marks` in order of importance, `gutter` the width of line numbers."""

    def __init__(
        self, source: SourceFile, marks: Sequence[Mark], gutter: int, width: int, paint: Painter
    ) -> None:
        places = [place(source, mark) for mark in marks]
        self._source = source
        self._places = places
        self._inline = [p for p in places if p.first == p.last]
        self._brackets = [p for p in places if p.first < p.last]
        self._margin = len(self._brackets) + 1 if self._brackets else 0
        self._gutter = gutter
        self._width = max(width - gutter - 3 - self._margin, 20)
        self._paint = paint

    def lines(self) -> list[str]:
        """The frame, a line each, without the location above it."""
        rows = [self._prefix("")]
        previous = 0
        for number in _shown_lines(self._places):
            if previous and number > previous + 1:
                rows.append(self._gap(number))
            rows += self._source_line(number)
            previous = number
        return [row.rstrip() for row in rows]

    def _prefix(self, number: str) -> str:
        return self._paint(f"{number:>{self._gutter}} |", "gutter")

    def _gap(self, number: int) -> str:
        canvas = Canvas()
        self._bars(canvas, 0, {i for i, p in enumerate(self._brackets) if p.first < number <= p.last})
        return self._paint("...".ljust(self._gutter + 3), "gutter") + "".join(canvas.lines(self._paint))

    def _source_line(self, number: int) -> list[str]:
        text = self._source.line(number)
        shown = view(text, *self._focus(number), self._width)
        canvas = Canvas()
        self._bars(canvas, 0, self._active(number, text))
        for lane, p in enumerate(self._brackets):
            if p.first == number and _opens_line(p, text):
                canvas.write(0, lane, "/", p.mark.style)
        canvas.write(0, self._margin, shown.text, "plain")
        self._annotate(canvas, number, text, shown)
        first, *below = canvas.lines(self._paint)
        return [f"{self._prefix(str(number))} {first}", *(f"{self._prefix('')} {row}" for row in below)]

    def _focus(self, number: int) -> tuple[int, int]:
        """The characters of a line that must be seen: those of the first mark that touches it."""
        for p in self._places:
            if p.first == p.last == number:
                return p.start, p.end
            if p.first == number:
                return p.start, p.start + 1
            if p.last == number:
                return p.end - 1, p.end
        return 0, 0

    def _active(self, number: int, text: str) -> set[int]:
        """Lanes whose bracket is open just below the text of a line."""
        return {
            lane
            for lane, p in enumerate(self._brackets)
            if p.first < number <= p.last or (p.first == number and _opens_line(p, text))
        }

    def _bars(self, canvas: Canvas, row: int, lanes: set[int]) -> None:
        for lane in lanes:
            canvas.write(row, lane, "|", self._brackets[lane].mark.style)

    def _annotate(self, canvas: Canvas, number: int, text: str, shown: View) -> None:
        active = self._active(number, text)
        row = 1 + self._underline(canvas, number, shown)
        for above in range(1, row):
            self._bars(canvas, above, active)
        for lane, p in enumerate(self._brackets):
            if p.first == number and not _opens_line(p, text):
                self._corner(canvas, row, lane, shown.column(p.start), "")
                self._bars(canvas, row, active)
                active.add(lane)
                row += 1
        for lane, p in enumerate(self._brackets):
            if p.last == number:
                self._corner(canvas, row, lane, max(shown.column(p.end) - 1, 0), p.mark.text)
                self._bars(canvas, row, active)
                active.discard(lane)
                row += 1

    def _corner(self, canvas: Canvas, row: int, lane: int, column: int, label: str) -> None:
        """The arm of a bracket, from its lane to a column of the text."""
        mark = self._brackets[lane].mark
        arm = "_" * (self._margin + column - lane - 1) + mark.stroke
        canvas.write(row, lane + 1, f"{arm} {show(label)}".rstrip(), mark.style)

    def _underline(self, canvas: Canvas, number: int, shown: View) -> int:
        """Draw the marks within a line from row 1; the number of rows taken."""
        strokes = []
        for p in self._inline:
            if p.first == number:
                start = self._margin + shown.column(p.start)
                strokes.append(_Underline(start, max(self._margin + shown.column(p.end), start + 1), p.mark))
        if not strokes:
            return 0
        for stroke in reversed(strokes):  # the most important is written last, over the others
            canvas.write(1, stroke.start, stroke.mark.stroke * (stroke.end - stroke.start), stroke.mark.style)
        hanging = sorted((s for s in strokes if s.mark.text), key=lambda s: -s.start)
        if hanging and hanging[0].end == max(s.end for s in strokes):
            first = hanging.pop(0)
            canvas.write(1, first.end + 1, show(first.mark.text), first.mark.style)
        return 1 + _hang(canvas, hanging)


def _hang(canvas: Canvas, hanging: Sequence[_Underline]) -> int:
    """Draw labels below their underlines, rightmost first, from row 2; the number of rows taken."""
    for depth, stroke in enumerate(hanging):
        for row in range(2, 3 + depth):
            canvas.write(row, stroke.start, "|", stroke.mark.style)
    for depth, stroke in enumerate(hanging):
        canvas.write(3 + depth, stroke.start, show(stroke.mark.text), stroke.mark.style)
    return len(hanging) + 1 if hanging else 0


def _opens_line(p: Place, text: str) -> bool:
    return not text[: p.start].strip()


def _shown_lines(places: Sequence[Place]) -> list[int]:
    """Lines to show: the ends of marks, short brackets whole, and a lone line between two shown ones."""
    numbers: set[int] = set()
    for p in places:
        whole = p.last - p.first < WHOLE_LINES
        numbers.update(range(p.first, p.last + 1) if whole else (p.first, p.first + 1, p.last))
    numbers.update(n + 1 for n in tuple(numbers) if n + 2 in numbers)
    return sorted(numbers)
