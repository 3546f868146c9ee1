"""Literate cases: Markdown that holds sources and what the compiler says of them.

A fenced ``dcp`` block is a source. A ``text`` block after it holds the whole rendering, in which the file is
called ``$FILE``. Marks at line ends (``# error: [E203]``, also ``warning`` and ``info``, several codes in a
row) name the codes reported on that line; a block with neither marks nor rendering must be free of findings.

``dcp base=NAME`` starts from ``tests/cases/bases/NAME/registration.dcp``: the block's ``- line`` is the line
of it to take out (compared without indentation, and found exactly once), the ``+ line`` after it go in at
its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.diagnostics.text import render_text

FILE = "$FILE"

Check = Callable[[str, str], Sequence[Diagnostic]]

_FENCE = re.compile(
    r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL
)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_MARK = re.compile(r"[ \t]*# (error|warning|info): ((?:\[[EWI][0-9]{3}\] ?)+)(?=$|# )", re.MULTILINE)


class Case(NamedTuple):
    """One source block; `expected` is its rendering and `place` where that stands in the document."""

    title: str
    base: str
    source: str
    expected: str | None
    place: slice


class Mark(NamedTuple):
    """A code reported on a line (from 1)."""

    line: int
    severity: str
    code: str


def read_cases(document: str) -> list[Case]:
    """The cases of a document, in order; each is titled by the heading above it."""
    cases: list[Case] = []
    for block in _FENCE.finditer(document):
        kind, _, options = block["info"].partition(" ")
        if kind == "dcp":
            titles = _HEADING.findall(document[: block.start()]) or [""]
            base = options.strip().removeprefix("base=")
            cases.append(Case(titles[-1], base, block["body"], None, slice(0)))
        elif kind == "text":
            cases[-1] = cases[-1]._replace(expected=block["body"], place=slice(*block.span("body")))
    return cases


def accepted(document: str, case: Case, actual: str) -> str:
    """The document with the rendering of `case` replaced by what came out."""
    return document[: case.place.start] + actual + document[case.place.stop :]


def marks_of(source: str) -> tuple[str, list[Mark]]:
    """The source without its marks, and the marks, sorted."""
    found = [
        Mark(source.count("\n", 0, match.start()) + 1, match[1], code)
        for match in _MARK.finditer(source)
        for code in re.findall(r"[EWI][0-9]{3}", match[2])
    ]
    return _MARK.sub("", source), sorted(found)


def reported(diagnostics: Iterable[Diagnostic]) -> list[Mark]:
    """What was reported, as marks, sorted."""
    return sorted(Mark(d.source.position(d.span.start).line, d.severity, d.code) for d in diagnostics)


def patched(base: str, patch: str) -> str:
    """`base` with lines exchanged by `patch`; raises `ValueError` when a line is not there exactly once."""
    lines = base.splitlines()
    at, indent = 0, ""
    for change in patch.splitlines():
        sign, text = change[:2], change[2:].strip()
        if sign == "- ":
            places = [i for i, line in enumerate(lines) if line.strip() == text]
            if len(places) != 1:
                raise ValueError(f"the base has {len(places)} lines `{text}`")
            at = places[0]
            indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
            del lines[at]
        elif sign == "+ ":
            lines.insert(at, indent + text)
            at += 1
        else:
            raise ValueError(f"neither `- ` nor `+ `: {change}")
    return "\n".join(lines) + "\n"


def whole_source(case: Case, bases: Path) -> str:
    """The source of a case, marks included, with its base filled in."""
    if not case.base:
        return case.source
    base = (bases / case.base / "registration.dcp").read_text(encoding="utf-8")
    return patched(base, case.source)


def run(source: str, check: Check) -> tuple[str, list[Mark], list[Mark]]:
    """Check a marked source: its rendering, the marks expected and the marks reported."""
    clean, expected = marks_of(source)
    found = check(FILE, clean)
    return render_text(found), expected, reported(found)
