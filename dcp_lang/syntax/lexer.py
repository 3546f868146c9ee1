"""Text to tokens with one pattern, and the layout rule for line ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from dcp_lang.source import Span
from dcp_lang.syntax import tables
from dcp_lang.syntax.ast import Comment

#: Terminal, start, end.
Token: TypeAlias = tuple[int, int, int]

#: Called with an offset where no token starts; returns the token meant, if any, and where to read on.
Mend: TypeAlias = Callable[[int], tuple[Token | None, int]]


class Lexed(NamedTuple):
    """All tokens with every line end, and all comments."""

    tokens: list[Token]
    comments: list[Comment]


_FAULT = tables.PATTERN.groups


def lex(text: str, mend: Mend) -> Lexed:
    """Read tokens; wherever none starts, `mend` reports it and says where to go on."""
    tokens: list[Token] = []
    comments: list[Comment] = []
    position: int | None = 0
    while position is not None:
        position = _scan(text, position, tokens, comments)
        if position is not None:
            token, position = mend(position)
            if token:
                tokens.append(token)
    return Lexed(tokens, comments)


def _scan(text: str, position: int, tokens: list[Token], comments: list[Comment]) -> int | None:
    """Read tokens up to a fault; its offset, or None at the end of the text."""
    spellings = tables.SPELLINGS
    last = tokens[-1][0] if tokens else tables.NEWLINE
    for match in tables.PATTERN.finditer(text, position):
        kind: int = match.lastindex  # type: ignore[assignment]
        start, end = match.span(kind)
        if kind == tables.WORD:
            kind = spellings.get(match[kind], tables.UNIT if last == tables.NUMBER else kind)
        elif kind == tables.MARK:
            kind = spellings[match[kind]]
        elif kind == tables.COMMENT:
            comments.append(Comment(match[kind], last != tables.NEWLINE, Span(start, end)))
            continue
        elif kind == _FAULT:
            return start
        last = kind
        tokens.append((kind, start, end))
    return None


_CONTINUES = frozenset({tables.WHEN, tables.ELSE, tables.LBRACE})


def lay_out(tokens: list[Token]) -> list[Token]:
    """Drop line ends that end nothing: inside ( ) and [ ], after another, before `when`, `else` and `{`."""
    kept: list[Token] = []
    free = [False]
    for token in tokens:
        kind = token[0]
        if kind == tables.NEWLINE:
            if free[-1] or (kept and kept[-1][0] == tables.NEWLINE):
                continue
        elif kind in (tables.LPAR, tables.LSQB, tables.LBRACE):
            free.append(kind != tables.LBRACE)
        elif kind in (tables.RPAR, tables.RSQB, tables.RBRACE) and len(free) > 1:
            free.pop()
        if kind in _CONTINUES and kept and kept[-1][0] == tables.NEWLINE:
            kept.pop()
        kept.append(token)
    return kept
