"""The decision map as a ladder: questions downward, the outcome of each failure to the right."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from dcp_lang.emit.document.svg import WIDTH, arrow, box, drawing, label

_QUESTION, _OUTCOME = 186, 108
_STEP, _BOX = 58, 40
_CHARACTERS = {_QUESTION: 28, _OUTCOME: 15}


class Rung(NamedTuple):
    """A question, the answer that ends the audit there, and the outcome it ends in."""

    question: str
    answer: str
    outcome: str


def ladder(rungs: tuple[Rung, ...], last: str, core_first: bool) -> str:
    """The ladder as SVG; with `core_first` a line marks where Core is already certified."""
    parts: list[str] = []
    for place, rung in enumerate(rungs):
        top = 8 + place * _STEP
        middle = top + _BOX // 2
        parts += _boxed(0, top, _QUESTION, rung.question)
        parts += [arrow(_QUESTION, middle, WIDTH - _OUTCOME - 2, middle), *_answer(rung.answer, middle)]
        parts += _boxed(WIDTH - _OUTCOME - 1, top, _OUTCOME, rung.outcome)
        parts.append(arrow(_QUESTION // 2, top + _BOX, _QUESTION // 2, top + _STEP))
        if core_first and rung.question.startswith("p_upper"):
            parts.append(label(_QUESTION // 2 + 8, top + _BOX + 14, "Core certified"))
    end = 8 + len(rungs) * _STEP
    parts += _boxed(0, end, _QUESTION, last, bold=True)
    return drawing(end + _BOX + 8, "Decision ladder", parts)


def _answer(text: str, middle: int) -> list[str]:
    """The answer above its arrow, in small words."""
    centre = (_QUESTION + WIDTH - _OUTCOME) // 2
    rows = textwrap.wrap(text, 10)
    return [
        label(centre, middle - 4 - 12 * (len(rows) - 1 - place), row, "middle")
        for place, row in enumerate(rows)
    ]


def _boxed(x: int, top: int, width: int, text: str, *, bold: bool = False) -> list[str]:
    rows = textwrap.wrap(text, _CHARACTERS[width])
    first = top + _BOX // 2 + 4 - 7 * (len(rows) - 1)
    words = [
        label(x + width // 2, first + 14 * place, row, "middle", "bold" if bold else "")
        for place, row in enumerate(rows)
    ]
    return [box(x + 1, top, width - 2, _BOX, stroke=2 if bold else 1), *words]
