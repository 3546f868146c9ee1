"""Our own sentences: literal patterns in which marks stand for pieces of the registration.

    {path}       a field, a figure (`figures.…`) or a part given by name, shown as its type asks
    {path%}      the same as a share with its percentage
    {path#}      the bare number of a count, without its noun
    $words$      a formula (`formula.math`)
    [text](id)   a link within the document
    **text**     strong, `text` code

Only literals of ours are patterns. What the author wrote is put in as a value and never read for marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from dcp_lang.emit.document.formula import math
from dcp_lang.emit.document.inline import Code, Inline, Line, Link, Math, Strong

_MARK = re.compile(
    r"\{(?P<path>[\w.]+)(?P<form>[%#]?)\}"
    r"|\$(?P<math>[^$]+)\$"
    r"|\[(?P<text>[^\]]+)\]\((?P<anchor>[\w.-]+)\)"
    r"|\*\*(?P<strong>[^*]+)\*\*"
    r"|`(?P<code>[^`]+)`"
)

#: Finds the value of a path, shown in a form (`%`, `#` or none).
Lookup = Callable[[str, str], Line]


def fill(pattern: str, lookup: Lookup, parts: Mapping[str, Line]) -> Line:
    """The pattern with its marks replaced; what `lookup` raises for an unknown path is let through."""
    line: list[Inline] = []
    end = 0
    for mark in _MARK.finditer(pattern):
        line += [pattern[end : mark.start()], *_piece(mark, lookup, parts)]
        end = mark.end()
    return tuple(piece for piece in [*line, pattern[end:]] if piece != "")


def _piece(mark: re.Match[str], lookup: Lookup, parts: Mapping[str, Line]) -> Line:
    match mark.lastgroup:
        case "math":
            return (Math(math(mark["math"])),)
        case "anchor":
            return (Link(mark["anchor"], mark["text"]),)
        case "strong":
            return (Strong(mark["strong"]),)
        case "code":
            return (Code(mark["code"]),)
        case _:
            return parts[mark["path"]] if mark["path"] in parts else lookup(mark["path"], mark["form"])
