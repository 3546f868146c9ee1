"""The independent reference tables (60-digit values, computed apart from this project), when they are at hand."""

import json
import os
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

_FOLDER = Path(os.environ.get("DCP_ORACLE", Path(__file__).parents[2] / ".." / "shared" / "oracle"))

needs_oracle = pytest.mark.skipif(not (_FOLDER / "oracle.json").exists(), reason="no reference tables here")


@cache
def _tables() -> dict:
    return json.loads((_FOLDER / "oracle.json").read_text("utf-8"))


def rows(table: str) -> list[dict]:
    """The rows of one table as dictionaries by column; numbers are ints or exact decimal strings."""
    content = _tables()[table]
    return [dict(zip(content["cols"], row, strict=True)) for row in content["rows"]]


def facts(name: str):
    """One entry that is not a table."""
    return _tables()[name]


def agrees(value: Fraction, printed: str) -> bool:
    """Whether `value` is the number printed with 20 significant digits, rounded half-even."""
    expected = Fraction(printed)
    return abs(value - expected) <= abs(expected) * Fraction(51, 10**21)
