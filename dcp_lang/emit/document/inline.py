"""Inline content of the document: plain words of ours, and pieces that each rendering writes its own way.

Plain `str` is our own wording; every word of the author's is a `User`, every number of the registration a
`Number`. A rendering can therefore escape, isolate and check each kind without guessing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from dcp_lang.emit.document.formula import Formula


class Number(NamedTuple):
    """A number of the registration: as it is shown, and as it stands in the JSON (with its base unit)."""

    shown: str
    exact: str


class User(NamedTuple):
    """The author's own words."""

    text: str


class Code(NamedTuple):
    """A name, path, digest or command."""

    text: str


class Strong(NamedTuple):
    """Words of ours that carry the sentence."""

    text: str


class Math(NamedTuple):
    """A formula within a sentence."""

    formula: Formula


class Link(NamedTuple):
    """A reference to an anchor of this document."""

    anchor: str
    text: str


Inline: TypeAlias = str | Number | User | Code | Strong | Math | Link
Line: TypeAlias = tuple[Inline, ...]


def joined(parts: Sequence[Line], last: str = "and") -> Line:
    """Parts as a list in words: `a`, `a and b`, `a, b and c`."""
    line: list[Inline] = []
    for place, part in enumerate(parts):
        if place:
            line.append(f" {last} " if place == len(parts) - 1 else ", ")
        line += part
    return tuple(line)
