"""Reads a sound text piece by piece; a piece that was read before is moved to its place, not read again.

A registration's body is cut before lines that are indented by two, as the formatter indents its statements. A piece
stands for itself where it is a sequence of whole statements, and then it says the same wherever it stands. So one of a
thousand like submissions costs what is new in it, and so does a keystroke in an editor. Where a cut is wrong (in a text
of more lines) its piece has a fault, and the text is read as one.
"""

from __future__ import annotations

from itertools import pairwise

from dcp_lang.memory import Memory
from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.source import Span
from dcp_lang.syntax import ast
from dcp_lang.syntax.build import Builder
from dcp_lang.syntax.layout import Nesting, lay_out
from dcp_lang.syntax.lexer import lex
from dcp_lang.syntax.parser import run

if TYPE_CHECKING:
    from typing import Any, TypeVar

    Tree = TypeVar("Tree", bound=tuple[Any, ...])


#: Shorter pieces, but for those at a blank line, cost more to tell apart than to read.
_SHORTEST = 60
#: What a line that is indented by two starts with where it starts no statement.
_GOES_ON = frozenset(" \t\n#)]}")


class FaultyError(Exception):
    """The text has a fault; where and which is for `recovery` to say."""


class _Read(Record):
    """What a piece that starts at an offset holds."""

    start: int
    body: tuple[ast.Statement, ...]
    comments: tuple[ast.Comment, ...]


#: Pieces by their text; a character weighs about 20 bytes.
_known = Memory(2**19)


def read_whole(text: str) -> ast.File:
    """The tree of a text without faults; raises `FaultyError` for any other."""
    read = _read(text, Builder(text), 0, len(text))
    if not read.body:
        raise FaultyError
    return ast.File(read.body, read.comments, Span(0, len(text)))


def read_in_pieces(text: str) -> ast.File | None:
    """As `read_whole`, for a text that ends in a registration; None where its pieces do not stand for themselves."""
    cuts = _cuts(text)
    if len(cuts) < 2:
        return None
    builder = Builder(text)
    try:
        before, block, after = _frame(text, builder, cuts[0], cuts[-1])
        reads = [_remembered(text, builder, a, b) for a, b in pairwise(cuts)]
    except FaultyError:
        return None
    body = tuple(s for read in reads for s in read.body)
    comments = (*before.comments, *(c for read in reads for c in read.comments), *after)
    statements = (*before.body, block._replace(body=body))
    return ast.File(statements, comments, Span(0, len(text)))


def _cuts(text: str) -> list[int]:
    """Where the body of the registration starts, where it is cut, and where it ends; empty where it cannot be told."""
    head = text.find("\nregistration ")
    start, end = text.find("\n", head + 1) + 1, text.rfind("\n}") + 1
    if not 0 <= head < start < end:
        return []
    cuts, line = [start], text.find("\n  ", start, end)
    while line >= 0:
        is_due = line - cuts[-1] > _SHORTEST or text[line - 1] == "\n"
        if is_due and text[line + 3] not in _GOES_ON:
            cuts.append(line + 1)
        line = text.find("\n  ", line + 1, end)
    return [*cuts, end]


def _frame(
    text: str, builder: Builder, start: int, end: int
) -> tuple[_Read, ast.Block, tuple[ast.Comment, ...]]:
    """What stands before the registration, its block without a body, and the comments after that."""
    head, tail = lex(text, _fail, 0, start), lex(text, _fail, end, len(text))
    statements = _tree([*head.tokens, *tail.tokens], builder, len(text))
    block = statements[-1] if statements else None
    if type(block) is not ast.Block or block.body or block.span.end != end + 1:
        raise FaultyError
    return _Read(0, statements[:-1], tuple(head.comments)), block, tuple(tail.comments)


def _remembered(text: str, builder: Builder, start: int, end: int) -> _Read:
    """A piece of the text, read only where the like of it was not."""
    piece = text[start:end]
    read: _Read | None = _known.get(piece)
    if read is None:
        read = _read(text, builder, start, end, around=1)
    elif read.start != start:
        by = start - read.start
        read = _Read(start, _moved(read.body, by), _moved(read.comments, by))
    else:
        return read
    _known.keep(piece, read, end - start)
    return read


def _read(text: str, builder: Builder, start: int, end: int, around: int = 0) -> _Read:
    """The statements and comments of a part of the text, inside so many brackets."""
    lexed = lex(text, _fail, start, end)
    return _Read(start, _tree(lexed.tokens, builder, end, around), tuple(lexed.comments))


def _tree(tokens: list[Any], builder: Builder, end: int, around: int = 0) -> tuple[ast.Statement, ...]:
    if Nesting(around).fault(tokens) is not None:
        raise FaultyError
    return tuple(run(lay_out(tokens, end), builder, _fail))


def _fail(*_: Any) -> int:
    raise FaultyError


def _moved(tree: Tree, by: int) -> Tree:
    """A tree with every span so many characters further on."""
    if tree.__class__ is Span:
        return tuple.__new__(Span, (tree[0] + by, tree[1] + by))  # type: ignore[return-value]
    parts = []
    for part in tree:
        parts.append(_moved(part, by) if isinstance(part, tuple) else part)
    return tuple.__new__(tree.__class__, parts)
