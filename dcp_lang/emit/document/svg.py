"""Small drawings written by hand: the same bytes on every run, readable without colour.

Everything is drawn in `currentColor`, so a page in dark colours or printed in black needs no second drawing.
Coordinates are whole numbers of the view box.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from markupsafe import escape

#: Width of every drawing: the width of a phone, so that its words stay readable there.
WIDTH = 360
_INDEX = re.compile(r"_(\w+)(.?)")


def drawing(height: int, title: str, parts: Iterable[str]) -> str:
    """An SVG element of `WIDTH` x `height`; `title` names it to readers who do not see it."""
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    look = 'fill="none" stroke="currentColor" stroke-width="1" font-family="sans-serif" font-size="12"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" {size} {look}>'
    return f"{head}{''.join(parts)}</svg>"


def line(x1: int, y1: int, x2: int, y2: int, dash: str = "") -> str:
    """A straight line."""
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"{dashed}/>'


def label(x: int, y: int, text: str, anchor: str = "start", weight: str = "") -> str:
    """Words at a point; `anchor` is start, middle or end; an index after `_` stands lower (δ_min)."""
    bold = f' font-weight="{weight}"' if weight else ""
    words = _INDEX.sub(r'<tspan dy="3" font-size="9">\1</tspan><tspan dy="-3">\2</tspan>', str(escape(text)))
    place = f'x="{x}" y="{y}" text-anchor="{anchor}"'
    return f'<text {place} fill="currentColor" stroke="none"{bold}>{words}</text>'


def box(x: int, y: int, width: int, height: int, corner: int = 3, stroke: int = 1) -> str:
    """A rectangle with round corners."""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{corner}" stroke-width="{stroke}"/>'


def path(points: list[tuple[int, int]]) -> str:
    """A line through points."""
    steps = " ".join(f"{'L' if place else 'M'}{x} {y}" for place, (x, y) in enumerate(points))
    return f'<path d="{steps}" stroke-width="2"/>'


def dot(x: int, y: int, *, filled: bool = True) -> str:
    """A point; hollow when it must stand out without colour."""
    inside = ' fill="currentColor"' if filled else ""
    return f'<circle cx="{x}" cy="{y}" r="{3 if filled else 6}"{inside}/>'


def arrow(x1: int, y1: int, x2: int, y2: int) -> str:
    """An arrow to the right or downward."""
    tip = (
        f"{x2 - 6} {y2 - 4} L{x2} {y2} L{x2 - 6} {y2 + 4}"
        if y1 == y2
        else f"{x2 - 4} {y2 - 6} L{x2} {y2} L{x2 + 4} {y2 - 6}"
    )
    return line(x1, y1, x2, y2) + f'<path d="M{tip}"/>'
