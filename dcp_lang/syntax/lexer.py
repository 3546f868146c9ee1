"""Text to tokens with one pattern."""

from __future__ import annotations

from collections.abc import Callable

from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.source import Span
from dcp_lang.syntax import tables
from dcp_lang.syntax.ast import Comment

if TYPE_CHECKING:
    from typing import TypeAlias

#: Terminal, start, end.
Token: TypeAlias = tuple[int, int, int]

_OTHER = tables.PATTERN.groups


class Lexed(Record):
    """All tokens with every line end, and all comments, both in order."""

    tokens: list[Token]
    comments: list[Comment]


#: Called with an offset where no token starts and with what was read so far; returns where to read on.
Mend: TypeAlias = Callable[[int, Lexed], int]


def lex(text: str, mend: Mend, start: int = 0, until: int | None = None) -> Lexed:
    """Read tokens; wherever none starts, `mend` may change what was read and says where to go on.

    Only a part of the text is read if its ends are given: as if it stood alone, with its offsets in the whole.
    """
    lexed = Lexed([], [])
    until = len(text) if until is None else until
    if text.endswith((" ", "\t"), start, until):
        # No token ends them: the pattern would be tried from each on, and each time read to the end.
        until = start + len(text[start:until].rstrip(" \t"))
    stop = _scan(text, start, until, lexed)
    while stop is not None:
        stop = _scan(text, mend(stop, lexed), until, lexed)
    return lexed


def _scan(text: str, position: int, until: int, lexed: Lexed) -> int | None:
    """Read on up to a place where no token starts; its offset, or None at the end."""
    tokens, comments = lexed
    spellings = tables.SPELLINGS
    last = tokens[-1][0] if tokens else tables.NEWLINE
    for match in tables.PATTERN.finditer(text, position, until):
        kind: int = match.lastindex  # type: ignore[assignment]
        start, end = match.span(kind)
        if kind == tables.WORD:
            kind = spellings.get(match[kind], tables.UNIT if last == tables.NUMBER else kind)
        elif kind == tables.MARK:
            kind = spellings[match[kind]]
        elif kind == tables.COMMENT:
            comments.append(Comment(match[kind], last != tables.NEWLINE, Span(start, end)))
            continue
        elif kind == _OTHER:
            return start
        last = kind
        tokens.append((kind, start, end))
    return None
