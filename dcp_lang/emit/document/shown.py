"""How exact numbers are shown: with their percentage, in the largest unit that keeps them exact."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dcp_lang.canonical import number_text
from dcp_lang.emit.document.inline import Number
from dcp_lang.language.units import CURRENCIES, NOUNS

_TIME = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
_DATA = (
    ("GiB", 2**30),
    ("GB", 10**9),
    ("MiB", 2**20),
    ("MB", 10**6),
    ("KiB", 2**10),
    ("kB", 10**3),
    ("B", 1),
)
#: A percentage with more decimals than this says less than the fraction itself.
_PERCENT_DECIMALS = 3


def plain_number(text: str | int) -> Number:
    """A number as it stands in the JSON."""
    return Number(grouped(str(text)), str(text))


def grouped(text: str) -> str:
    """Thousands separated by commas from 10,000 on."""
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}{point}{rest}" if whole.isdecimal() and len(whole) > 4 else text


def probability(text: str) -> Number:
    """A share with its percentage where that is short: `0.05 (5%)`, but `1/7`."""
    percent = number_text(100 * Fraction(text))
    decimals = len(percent.partition(".")[2])
    short = "/" not in percent and decimals <= _PERCENT_DECIMALS
    return Number(f"{text} ({percent}%)" if short else text, text)


def counted(count: int, noun: str) -> Number:
    """A count with its noun in the right number: `1 unit`, `90 episodes`."""
    return Number(f"{grouped(str(count))} {noun if count == 1 else NOUNS.get(noun, noun + 's')}", str(count))


def quantity(value: Mapping[str, Any]) -> Number:
    """An amount in the unit that reads best: 1800 s is `30 min`, 3221225472 B is `3 GiB`."""
    text, unit = value["amount"], value["unit"]
    amount = Fraction(text)
    if unit in CURRENCIES:
        shown = f"{_money(text)} {unit}"
    elif unit == "s":
        shown = _duration(amount)
    elif unit == "B":
        shown = _in_largest(amount, _DATA)
    else:
        shown = f"{grouped(text)} {unit}"
    return Number(shown, f"{text} {unit}")


def _money(text: str) -> str:
    whole, point, cents = text.partition(".")
    return f"{grouped(whole)}.{cents:0<2}" if point else grouped(text)


def _duration(seconds: Fraction) -> str:
    """Whole days, hours and minutes from the largest down; the rest in seconds."""
    parts, rest = [], seconds
    for word, size in _TIME[:-1]:
        count = rest // size
        if count:
            parts.append(f"{count} {word}")
            rest -= count * size
    if rest or not parts:
        parts.append(f"{number_text(rest)} s")
    return " ".join(parts)


def _in_largest(amount: Fraction, units: tuple[tuple[str, int], ...]) -> str:
    word, size = next((w, s) for w, s in units if amount % s == 0 or s == 1)
    return f"{grouped(number_text(amount / size))} {word}"
