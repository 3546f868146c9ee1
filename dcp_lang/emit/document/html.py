"""Inline content as HTML."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup, escape

from dcp_lang.emit.document.formula import Formula, mathml
from dcp_lang.emit.document.inline import Code, Inline, Line, Link, Math, Number, Strong, User
from dcp_lang.emit.document.text import visible


def html_line(line: Line, formula: Callable[[Formula, bool], str] = mathml) -> Markup:
    """A line as HTML; numbers carry the value of the JSON in `data`, the author's words stand in `bdi`.

    `formula` writes a formula, given whether it stands on a line of its own.
    """
    return Markup("".join([_piece(piece, formula) for piece in line]))


def _piece(piece: Inline, formula: Callable[[Formula, bool], str]) -> Markup:
    match piece:
        case Number(shown, exact):
            return Markup(f'<data value="{escape(exact)}">{escape(shown)}</data>')
        case User(text):
            return Markup(f"<bdi>{escape(visible(text))}</bdi>")
        case Code(text):
            return Markup(f"<code>{escape(visible(text))}</code>")
        case Strong(text):
            return Markup(f"<strong>{escape(text)}</strong>")
        case Math(tree):
            return Markup(formula(tree, False))
        case Link(anchor, text):
            return Markup(f'<a href="#{escape(anchor)}">{escape(text)}</a>')
        case str():
            return escape(piece)


def html_prose(text: str) -> Markup:
    """One paragraph of the author's."""
    return escape(visible(text))
