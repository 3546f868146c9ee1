"""What a string literal means: escapes, and the indentation that a text of several lines does not have."""

from __future__ import annotations

import re

#: The escapes: a quote, a backslash, a line end, a tab.
ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}

_ESCAPE = r"\\([\s\S])"


def string_value(raw: str) -> str:
    """The text of a literal as written with its quotes.

    In three quotes the text is laid out freely: the line end after the opening quotes, the blanks before the
    closing quotes and the indentation that all later lines share do not belong to it.
    """
    value = _dedented(raw[3:-3].replace("\r\n", "\n")) if raw.startswith('"""') else raw[1:-1]
    return value if "\\" not in value else re.sub(_ESCAPE, lambda m: ESCAPES.get(m[1], m[0]), value)


def _dedented(text: str) -> str:
    """Without the blank first and last line and the indentation that all later lines share.

    The last line counts for the indentation even when it is blank, so the closing quotes can mark the margin.
    """
    first, *rest = text.split("\n")
    if not rest:
        return first
    margin = min(_indent(line) for line in [*filter(_is_text, rest), rest[-1]])
    lines = [line[margin:] if _is_text(line) else "" for line in rest]
    if _is_text(first):
        lines.insert(0, first)
    return "\n".join(lines if lines[-1] else lines[:-1])


def _is_text(line: str) -> bool:
    return bool(line.strip(" \t"))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
