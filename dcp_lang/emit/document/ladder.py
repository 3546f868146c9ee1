"""The decision map as a ladder: questions downward, the outcome of each failure to the right."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from dcp_lang.emit.document.svg import WIDTH, arrow, box, drawing, label

_QUESTION, _OUTCOME = 186, 108
_STEP, _BOX = 58, 40
_CHARACTERS = {_QUESTION: 28, _OUTCOME: 15}


class Rung(NamedTuple):
    """A question, the answer that ends the audit there, and its outcome; a result has no answer."""

    question: str
    answer: str
    outcome: str


def ladder(rungs: tuple[Rung, ...]) -> str:
    """The ladder as SVG."""
    parts = [part for place, rung in enumerate(rungs) for part in _rung(8 + place * _STEP, rung)]
    parts += [
        arrow(_QUESTION // 2, 8 + place * _STEP + _BOX, _QUESTION // 2, 8 + (place + 1) * _STEP)
        for place in range(len(rungs) - 1)
    ]
    return drawing(len(rungs) * _STEP, "Decision ladder", parts)


def _rung(top: int, rung: Rung) -> list[str]:
    if not rung.answer:
        return _boxed(0, top, _QUESTION, rung.question, bold=True)
    middle, outcome = top + _BOX // 2, WIDTH - _OUTCOME - 1
    return [
        *_boxed(0, top, _QUESTION, rung.question),
        arrow(_QUESTION, middle, outcome - 1, middle),
        label((_QUESTION + outcome) // 2, middle - 5, rung.answer, "middle"),
        *_boxed(outcome, top, _OUTCOME, rung.outcome),
    ]


def _boxed(x: int, top: int, width: int, text: str, *, bold: bool = False) -> list[str]:
    rows = textwrap.wrap(text, _CHARACTERS[width])
    first = top + _BOX // 2 + 4 - 7 * (len(rows) - 1)
    weight = "bold" if bold else ""
    words = [
        label(x + width // 2, first + 14 * place, row, "middle", weight) for place, row in enumerate(rows)
    ]
    return [box(x + 1, top, width - 2, _BOX, stroke=2 if bold else 1), *words]
