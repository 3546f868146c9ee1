"""Inline content as Markdown (CommonMark with tables): the author's text can never become markup."""

from __future__ import annotations

import re

from markupsafe import Markup

from dcp_lang.emit.document.formula import plain
from dcp_lang.emit.document.inline import Code, Inline, Line, Link, Math, Number, Strong, User
from dcp_lang.emit.document.text import visible

#: Characters that start something anywhere in a line.
_ACTIVE = re.compile(r"([\\`*_\[\]<>|~$&#!^])")
#: What starts a block only at the beginning of a line: list marks, setext underlines, ordered lists.
_OPENING = re.compile(r"^([-+=]|\d+[.)](?=\s|$))")


def markdown_text(text: str) -> Markup:
    """Plain text on one line, with every active character escaped."""
    return Markup(_escaped(visible(text)))


def _escaped(text: str) -> str:
    return _opened(_ACTIVE.sub(r"\\\1", " ".join(text.split())))


def _opened(line: str) -> str:
    """A line whose first characters start no list, heading or rule."""
    return _OPENING.sub(lambda m: f"{m[1][:-1]}\\{m[1][-1]}", line)


def markdown_line(line: Line) -> Markup:
    """A line as Markdown, fit for a table cell too."""
    return Markup(_opened("".join(_piece(piece) for piece in line)))


def _piece(piece: Inline) -> str:
    match piece:
        case Number(shown, _):
            return shown
        case User(text):
            return _ACTIVE.sub(r"\\\1", " ".join(visible(text).split()))
        case Code(text):
            return _code(visible(text))
        case Strong(text):
            return f"**{text}**"
        case Math(formula):
            return _ACTIVE.sub(r"\\\1", plain(formula))
        case Link(anchor, text):
            return f"[{text}](#{anchor})"
        case str():
            return _ACTIVE.sub(r"\\\1", piece)


def _code(text: str) -> str:
    """A code span whose fence is longer than any run of backticks inside; bars escaped for tables."""
    text = " ".join(text.split())
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}".replace("|", "\\|")


def markdown_fence(text: str) -> Markup:
    """A fence longer than any run of backticks in the text."""
    return Markup("`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0)))
