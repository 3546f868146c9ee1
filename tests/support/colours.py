"""What the compiler's own lexer sees in a text, for those that colour it."""

from __future__ import annotations

from dcp_lang.syntax import tables
from dcp_lang.syntax.lexer import lex

_KINDS = {tables.STRING: "string", tables.NUMBER: "number", tables.UNIT: "unit"}


def seen(text: str) -> list[tuple[int, int, str]]:
    """Start, end and kind of every comment, string, number, unit and keyword; the name of a field is no keyword."""
    lexed = lex(text, lambda stop, _: stop + 1)
    found = [(c.span.start, c.span.end, "comment") for c in lexed.comments]
    for kind, start, end in lexed.tokens:
        is_name = text[end:].lstrip(" \t").startswith("=")
        if kind in _KINDS:
            found.append((start, end, _KINDS[kind]))
        elif text[start:end] in tables.SPELLINGS and text[start].isalpha() and not is_name:
            found.append((start, end, "keyword"))
    return found
