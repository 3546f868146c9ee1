"""Colour for the terminal, and a small canvas of coloured cells."""

from __future__ import annotations

from itertools import groupby

#: Select Graphic Rendition parameters (ECMA-48, 8.3.117) for each role of a text.
STYLES = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "bold": "1",
    "gutter": "1;34",
    "secondary": "1;34",
    "help": "1;36",
    "removed": "31",
    "added": "32",
    "plain": "",
}


class Painter:
    """Paints text when colour is wanted and leaves it alone when it is not."""

    def __init__(self, color: bool) -> None:
        self.color = color

    def __call__(self, text: str, style: str) -> str:
        code = STYLES[style]
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and code and text else text


class Canvas:
    """Rows of styled characters, written at row and column in any order; what is written last is seen."""

    def __init__(self) -> None:
        #: The characters of each row, and their styles.
        self._rows: list[tuple[list[str], list[str]]] = []

    def write(self, row: int, column: int, text: str, style: str) -> None:
        """Put `text` at a row and column (both from 0), growing the canvas as needed."""
        while len(self._rows) <= row:
            self._rows.append(([], []))
        chars, styles = self._rows[row]
        end = column + len(text)
        missing = end - len(chars)
        chars.extend(" " * missing)
        styles.extend(["plain"] * missing)
        chars[column:end] = text
        styles[column:end] = [style] * len(text)

    def lines(self, paint: Painter) -> list[str]:
        """The rows as text."""
        return [_painted(*row, paint) if paint.color else "".join(row[0]) for row in self._rows]


def _painted(chars: list[str], styles: list[str], paint: Painter) -> str:
    """A row, each run of one style painted at once."""
    at, parts = 0, []
    for style, run in groupby(styles):
        end = at + len(list(run))
        parts.append(paint("".join(chars[at:end]), style))
        at = end
    return "".join(parts)
