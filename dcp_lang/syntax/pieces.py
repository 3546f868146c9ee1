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
from dcp_lang.syntax.layout import MAX_TOKENS, Nesting, is_long, lay_out
from dcp_lang.syntax.lexer import Lexed, lex
from dcp_lang.syntax.parser import run

if TYPE_CHECKING:
    from typing import Any


#: Shorter pieces, but for those at a blank line, cost more to tell apart than to read.
_SHORTEST = 60
#: What follows the blanks of a line that is indented by two where it starts no statement.
_GOES_ON = frozenset(["", *" \t\n#)]}"])
#: Characters that are as sound as letters and digits.
_COMMON = frozenset("δεραμ–—“”‘’…≤≥−")
#: Makes one of all texts that differ in their digits only.
_SHAPE = bytes.maketrans(b"123456789", b"000000000")


class FaultyError(Exception):
    """The text has a fault; where and which is for `recovery` to say. `lexed` is the text, if its tokens have none."""

    def __init__(self, lexed: Lexed | None = None) -> None:
        self.lexed = lexed


class Read(Record):
    """A piece, the offset that it starts at, what it holds, and its size in tokens."""

    text: str
    start: int
    body: tuple[ast.Statement, ...]
    comments: tuple[ast.Comment, ...]
    size: int


#: Pieces by their text and where they start, and by their text but for its digits; a character weighs about 20 bytes.
_known = Memory(2**20)


def read_whole(text: str) -> ast.File:
    """The tree of a text without faults; raises `FaultyError` for any other."""
    read = _read(text, 0, len(text))
    if not read.body:
        raise FaultyError
    return ast.File(read.body, read.comments, Span(0, len(text)))


def read_in_pieces(text: str) -> ast.File | None:
    """As `read_whole`, for a text that ends in a registration; None where its pieces do not stand for themselves."""
    cuts = _cuts(text)
    if len(cuts) < 2:
        return None
    start, end = cuts[0], cuts[-1]
    try:
        above, block, comments, size = _frame(text[:start] + text[end:], start, end)
        reads = []
        for a, b in pairwise(cuts):
            reads.append(read := _remembered(text, a, b))
            size += read.size
            if size > MAX_TOKENS:
                return None
    except FaultyError:
        return None
    block = block._replace(body=tuple([s for read in reads for s in read.body]))
    inside = [c for read in reads for c in read.comments]
    return ast.File((*above, block), tuple(sorted((*comments, *inside), key=_place)), Span(0, len(text)))


def _place(comment: ast.Comment) -> int:
    return comment.span.start


def _cuts(text: str) -> list[int]:
    """Where the body of the registration starts, where it is cut, and where it ends; empty where it cannot be told."""
    head = text.find("\nregistration ")
    start, end = text.find("\n", head + 1) + 1, text.rfind("\n}") + 1
    if not 0 <= head < start < end:
        return []
    first, *lines = text[start:end].split("\n  ")
    cuts, line = [start], start + len(first)
    for rest in lines:
        if rest[:1] not in _GOES_ON and (line - cuts[-1] > _SHORTEST or text[line - 1] == "\n"):
            cuts.append(line + 1)
        line += len(rest) + 3
    return [*cuts, end]


def _frame(
    text: str, start: int, end: int
) -> tuple[tuple[ast.Statement, ...], ast.Block, tuple[ast.Comment, ...], int]:
    """Of a text without its body: what stands before the block, the block and the comments, placed around the body; its
    size in tokens."""
    read = _remembered(text, 0, len(text))
    block = read.body[-1] if read.body else None
    if type(block) is not ast.Block or block.body or block.span.end != start + 1:
        raise FaultyError
    by = end - start
    comments = tuple([c if c.span.start < start else _further(c, by) for c in read.comments])
    return read.body[:-1], block._replace(span=Span(block.span.start, end + 1)), comments, read.size


def _further(comment: ast.Comment, by: int) -> ast.Comment:
    start, end = comment.span
    return comment._replace(span=Span(start + by, end + by))


def _remembered(text: str, start: int, end: int) -> Read:
    """A piece of the text, read only where the like of it was not; the same object where it stood at the same place."""
    piece = text[start:end]
    read: Read | None = _known.get((piece, start))
    if read is not None:
        return read
    shape = piece.encode(errors="surrogatepass").translate(_SHAPE)
    like: Read | None = _known.get(shape)
    # Of digits only this matters: after a comma no number begins with a zero.
    if like is None or ",0" in piece:
        read = _read(text, start, end, around=1)
    else:
        from dcp_lang.syntax.alike import alike  # a first text needs it not

        found = alike(like, piece, start)
        read = _read(text, start, end, around=1) if found is None else Read(piece, start, *found, like.size)
    _known.keep(shape, read, end - start)
    _known.keep((piece, start), read, end - start)
    return read


def _read(text: str, start: int, end: int, around: int = 0) -> Read:
    """The statements and comments of a part of the text, inside so many brackets."""
    if _deserves_a_look(text[start:end]):
        raise FaultyError
    lexed = lex(text, _fail, start, end)
    tokens, comments = lexed
    if is_long(tokens) or Nesting(around).fault(tokens) is not None:
        raise FaultyError(lexed)
    try:
        body = tuple(run(lay_out(tokens, end), Builder(text), _fail))
    except FaultyError:
        raise FaultyError(lexed) from None
    return Read(text[start:end], start, body, tuple(comments), len(tokens))


def _deserves_a_look(text: str) -> bool:
    """Whether a text holds a character that is not printed, or may not be in Unicode normalization form C.

    A text does where one of its pieces does: no character takes part in a composition over a line end.
    """
    shown = text.replace("\r\n", "\n").replace("\n", "").replace("\t", "")
    if not shown.isprintable():
        return True
    # No character before U+0300 takes part in composition.
    if shown.isascii() or max(set(shown) - _COMMON, default="") < "\u0300":
        return False
    import unicodedata

    return not unicodedata.is_normalized("NFC", text)


def _fail(*_: Any) -> int:
    raise FaultyError
