"""Inline content as HTML."""

from __future__ import annotations

from markupsafe import Markup, escape

from dcp_lang.emit.document.formula import mathml
from dcp_lang.emit.document.inline import Code, Inline, Line, Link, Math, Number, Strong, User
from dcp_lang.emit.document.text import visible


def html_line(line: Line) -> Markup:
    """A line as HTML; numbers carry the exact value of the JSON in `data`, words of the author stand in `bdi`."""
    return Markup("").join(_piece(piece) for piece in line)


def _piece(piece: Inline) -> Markup:
    match piece:
        case Number(shown, exact):
            return Markup('<data value="{}">{}</data>').format(exact, shown)
        case User(text):
            return Markup("<bdi>{}</bdi>").format(visible(text))
        case Code(text):
            return Markup("<code>{}</code>").format(visible(text))
        case Strong(text):
            return Markup("<strong>{}</strong>").format(text)
        case Math(formula):
            return Markup(mathml(formula))
        case Link(anchor, text):
            return Markup('<a href="#{}">{}</a>').format(anchor, text)
        case str():
            return escape(piece)


def html_prose(text: str) -> Markup:
    """One paragraph of the author's."""
    return escape(visible(text))
