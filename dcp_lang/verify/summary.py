"""The decision on one terminal page."""

from textwrap import wrap

from dcp_lang.verify.decision import DecisionRecord
from dcp_lang.verify.view import Section, sections

_WIDTH = 100
_LABEL = 32
_LINES = 4
#: What a reader at a terminal needs; the documents hold the rest.
_SHOWN = (
    "verdict",
    "outcome",
    "recovery",
    "feedback",
    "calibration",
    "neutral",
    "binding",
    "boundaries",
    "concerns",
)
_BRIEF = ("validity", "population", "checkpoint", "required", "bundle")


def summary(record: DecisionRecord) -> str:
    """The record in at most about fifty lines of 100 columns, without colour."""
    parts = [part for part in sections(record.as_json()) if part.id in _SHOWN]
    return "\n".join(line for part in parts for line in _lines(part))


def _lines(part: Section) -> list[str]:
    lines = [part.title] if part.id != "verdict" else []
    for label, text in part.rows:
        if label not in _BRIEF:
            lines += _row(label, text)
    return lines


def _row(label: str, text: str) -> list[str]:
    clean = "".join(char if char.isprintable() else "�" for char in text)
    first, *rest = wrap(clean, _WIDTH - _LABEL - 2, max_lines=_LINES, placeholder=" …") or [""]
    return [f"  {label:<{_LABEL}}{first}", *(" " * (_LABEL + 2) + line for line in rest)]
