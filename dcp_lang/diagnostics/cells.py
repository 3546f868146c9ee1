"""Characters as a terminal shows them: how wide, how to show the invisible ones, how to clip a long line.

Widths: a combining mark takes no column, East Asian wide and fullwidth characters take two (Unicode Standard
Annex 11), the rest one. Characters that could steer a terminal or hide text (controls, format characters such
as bidirectional overrides, line and paragraph separators, surrogates) never pass through: they are shown as
their control picture or their code point.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dcp_lang.record import Record

TAB = "    "

_UNSHOWN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp", "Cn"))


class Cell(Record):
    """One character of the source as shown, and the columns that it takes."""

    shown: str
    width: int


class View(Record):
    """The visible part of one line: its text, and the column of each character boundary in it.

    `columns[i]` is the column (from 0) of character ``first + i``; the last entry is the end of the text.
    """

    text: str
    first: int
    columns: Sequence[int]

    def column(self, index: int) -> int:
        """Column of a character index of the line, clamped to what is visible."""
        return self.columns[max(0, min(index - self.first, len(self.columns) - 1))]


@lru_cache(maxsize=256)
def cell(char: str) -> Cell:
    """How one character is shown."""
    if " " <= char <= "~":
        return Cell(char, 1)
    if char == "\t":
        return Cell(TAB, len(TAB))
    if char < " ":
        return Cell(chr(0x2400 + ord(char)), 1)
    return _wide_cell(char)


def _wide_cell(char: str) -> Cell:
    from unicodedata import category, east_asian_width  # only sources beyond ASCII pay for the tables

    kind = category(char)
    if kind in _UNSHOWN:
        shown = f"<U+{ord(char):04X}>"
        return Cell(shown, len(shown))
    if kind in ("Mn", "Me"):
        return Cell(char, 0)
    return Cell(char, 2 if east_asian_width(char) in ("W", "F") else 1)


def show(text: str) -> str:
    """`text` with nothing in it that could steer a terminal."""
    if text.isprintable():  # neither a control nor a format character
        return text
    return "".join(cell(char).shown for char in text)


def view(text: str, start: int, end: int, width: int) -> View:
    """The part of a line of at most `width` columns that shows ``[start, end)`` with what surrounds it.

    Cut ends are shown by an ellipsis. Time is proportional to `width`, not to the line: one line may hold
    the whole source.
    """
    first, last = _window(text, min(start, len(text)), end, max(width - 2, 1))
    before, after = "…" * (first > 0), "…" * (last < len(text))
    part = text[first:last]
    if part.isascii() and part.isprintable():
        return View(before + part + after, first, range(len(before), len(before) + len(part) + 1))
    shown, columns = [], [len(before)]
    for char in part:
        piece = cell(char)
        shown.append(piece.shown)
        columns.append(columns[-1] + piece.width)
    return View(before + "".join(shown) + after, first, tuple(columns))


def _window(text: str, start: int, end: int, room: int) -> tuple[int, int]:
    """Grow from `start`: to the right through the span first, then evenly to both sides."""
    around = text[max(start - room, 0) : start + room]
    if around.isascii() and around.isprintable():
        return _window_of_single_columns(len(text), start, end, room)
    first = last = start
    left = right = 0
    # The second limit bounds a run of combining marks, which takes no room at all.
    while left + right < room and last - first < 4 * room and (first > 0 or last < len(text)):
        if last < len(text) and (last < end or right <= left or first == 0):
            right += cell(text[last]).width
            last += 1
        else:
            first -= 1
            left += cell(text[first]).width
    return first, last


def _window_of_single_columns(size: int, start: int, end: int, room: int) -> tuple[int, int]:
    """What `_window` grows to where every character takes one column, without growing."""
    right = max(min(end - start, room), room - min(start, room // 2))
    right = min(right, size - start)
    left = min(start, room - right)
    return start - left, start + right
