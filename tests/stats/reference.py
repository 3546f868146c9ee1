"""The independent reference tables (certified 20-digit values), when they are at hand."""

import json
import os
from fractions import Fraction
from functools import cache
from math import floor, log10
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


def half_unit(printed: str) -> Fraction:
    """Half a unit of the 20th significant digit: the most by which a correctly rounded number may be off."""
    value = abs(Fraction(printed))
    return Fraction(10) ** (floor(log10(value)) - 19) / 2 if value else Fraction(1, 10**40)


def agrees(value: Fraction, printed: str) -> bool:
    """Whether an exact `value` rounds to the number printed with 20 significant digits."""
    return abs(value - Fraction(printed)) <= half_unit(printed)
