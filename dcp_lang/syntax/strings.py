"""What a string literal means: escapes, and the indentation that a text of several lines does not have."""

from __future__ import annotations

import re

#: The escapes: a quote, a backslash, a line end, a tab.
ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}

_ESCAPE = re.compile(r"\\([\s\S])")


def string_value(raw: str) -> str:
    """The text of a literal as written with its quotes.

    In three quotes the text is laid out freely: the line end after the opening quotes, the blanks before the
    closing quotes and the indentation that all later lines share do not belong to it.
    """
    value = _dedented(raw[3:-3]) if raw.startswith('"""') else raw[1:-1]
    return value if "\\" not in value else _ESCAPE.sub(lambda m: ESCAPES.get(m[1], m[0]), value)


def _dedented(text: str) -> str:
    """Without the first line end, the last blank line, and the indentation of the lines between."""
    first, *rest = text.split("\n")
    if not rest:
        return first
    margin = min((_indent(line) for line in rest[:-1] if line.strip(" \t")), default=len(rest[-1]))
    if rest[-1].strip(" \t"):
        margin = min(margin, _indent(rest[-1]))
    else:
        margin = min(margin, len(rest[-1])) if rest[:-1] else margin
        rest[-1] = ""
    lines = [line[margin:].rstrip(" \t") if not line.strip(" \t") else line[margin:] for line in rest]
    if not first.strip(" \t"):
        return "\n".join(lines).removesuffix("\n")
    return "\n".join([first, *lines]).removesuffix("\n")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
