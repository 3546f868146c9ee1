"""Brackets and line ends: whether brackets pair and stay within the caps, and which line ends count."""

from __future__ import annotations

from dcp_lang.syntax import tables
from dcp_lang.syntax.lexer import Token

#: Most words, signs and line ends of a source, a pair of brackets counted once: a hundred times as many as an example
#: has, and more than its text has where it is repeated to the cap on bytes.
MAX_TOKENS = 80_000

#: Most brackets around a place.
MAX_DEPTH = 32

#: Most operators that one expression may stack upon another; no tree is deeper than both caps together.
MAX_OPERATORS = 128

PARTNERS = {
    tables.LPAR: tables.RPAR,
    tables.LSQB: tables.RSQB,
    tables.LBRACE: tables.RBRACE,
}
CLOSERS = frozenset(PARTNERS.values())
#: Brackets and line ends.
STRUCTURE = CLOSERS | PARTNERS.keys() | {tables.NEWLINE}
OPERATORS = frozenset(
    tables.SPELLINGS[mark]
    for mark in [
        "+",
        "-",
        "*",
        "/",
        "and",
        "or",
        "not",
        "on",
        "within",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "in",
        "contains",
    ]  #
)
_NESTING = OPERATORS | STRUCTURE | {tables.COMMA}
_CONTINUES = frozenset({tables.WHEN, tables.ELSE, tables.LBRACE})


def counted(tokens: list[Token]) -> int:
    """How many tokens count towards the cap: all but opening brackets, whose partners do."""
    return sum(kind not in PARTNERS for kind, _, _ in tokens)


def is_long(tokens: list[Token]) -> bool:
    """Whether there are more tokens than are read."""
    return len(tokens) > MAX_TOKENS and counted(tokens) > MAX_TOKENS


class Nesting:
    """The brackets and operators around a place, from token to token."""

    __slots__ = ("awaited", "most", "operators")

    def __init__(self, around: int = 0) -> None:
        """`around`: brackets that are open already, and are closed elsewhere."""
        self.most = MAX_DEPTH - around
        #: The closers that are to come, the next one last.
        self.awaited: list[int] = []
        #: Operators around each open bracket, then those since the last separator.
        self.operators = [0]

    def fault(self, tokens: list[Token], start: int = 0) -> int | None:
        """Index of the first token from `start` on that closes nothing or lies too deep, the number of tokens
        when a bracket stays open, None when all is well. Goes on from where it stopped."""
        awaited, operators = self.awaited, self.operators
        for index in range(start, len(tokens)):
            kind = tokens[index][0]
            if kind not in _NESTING:
                continue
            if kind in PARTNERS:
                awaited.append(PARTNERS[kind])
                operators.append(operators[-1])
                if len(awaited) > self.most:
                    return index
            elif kind in CLOSERS:
                if not awaited or awaited.pop() != kind:
                    return index
                operators.pop()
            elif kind in OPERATORS:
                operators[-1] += 1
                if operators[-1] > MAX_OPERATORS:
                    return index
            elif kind == tables.COMMA or not awaited or awaited[-1] == tables.RBRACE:
                operators[-1] = operators[-2] if awaited else 0
        return len(tokens) if awaited else None


def lay_out(tokens: list[Token], end: int) -> list[Token]:
    """Drop line ends that end nothing: inside ( ) and [ ], after another, before `when`, `else` and `{`.

    Assumes brackets that pair. The end of the file comes last.
    """
    kept: list[Token] = []
    is_free = [False]
    last = tables.END
    for token in tokens:
        kind = token[0]
        if kind in STRUCTURE:
            if kind in PARTNERS:
                is_free.append(kind != tables.LBRACE)
            elif kind in CLOSERS:
                is_free.pop()
            elif is_free[-1] or last == tables.NEWLINE:
                continue
        if last == tables.NEWLINE and kind in _CONTINUES:
            kept.pop()
        last = kind
        kept.append(token)
    kept.append((tables.END, end, end))
    return kept


def starts_statement(tokens: list[Token], index: int) -> bool:
    """Whether what stands here can only be a statement: its keyword, or a head and then `=`, `{` or `:`."""
    kind = tokens[index][0] if index < len(tokens) else tables.END
    if kind != tables.WORD:
        return kind in _KEYWORDS
    for kind, _, _ in tokens[index + 1 : index + _LONGEST_HEAD]:
        if kind not in _HEAD:
            return kind in (tables.EQUAL, tables.LBRACE, tables.COLON)
    return False


_KEYWORDS = frozenset({tables.USE, tables.REQUIRE, tables.ALLOW, tables.DEFAULT, tables.EDITION})
_HEAD = frozenset({tables.WORD, tables.NUMBER, tables.UNIT, tables.STRING})

#: How far a guess about a statement looks ahead.
_LONGEST_HEAD = 8
