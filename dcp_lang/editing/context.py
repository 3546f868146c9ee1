"""Where the cursor stands, told from the tokens before it: the text is unfinished, so there is no tree to ask."""

from __future__ import annotations

from typing import NamedTuple

from dcp_lang.editing.outline import NOWHERE, join, section_of
from dcp_lang.language.fields import FieldSpec, find_field
from dcp_lang.language.types import ChoiceType, EitherType, FieldType, ListType
from dcp_lang.source import Span
from dcp_lang.syntax import tables
from dcp_lang.syntax.build import ascii_name
from dcp_lang.syntax.lexer import Token, lex

_OPENERS = {tables.LBRACE: "{", tables.LPAR: "(", tables.LSQB: "["}
_CLOSERS = (tables.RBRACE, tables.RPAR, tables.RSQB)


class Frame(NamedTuple):
    """An open bracket: `{` with its section, `(` with its function, `[`; and how far the cursor is in it.

    `head` is what the current statement (or argument) begins with, `is_value` whether its `=` stands before,
    `last` the last word of its value.
    """

    bracket: str
    section: str = NOWHERE
    function: str = ""
    position: int = 0
    head: tuple[str, ...] = ()
    is_value: bool = False
    last: str = ""


class Context(NamedTuple):
    """The open brackets around the cursor, the word it stands in, and the terminal before that word."""

    frames: tuple[Frame, ...]
    word: Span
    before: int
    in_text: bool

    @property
    def block(self) -> Frame:
        """The innermost block, or the file itself."""
        return next(frame for frame in reversed(self.frames) if frame.bracket == "{")

    @property
    def field(self) -> FieldSpec | None:
        """The field whose value is being written."""
        block = self.block
        if not block.is_value or block.section == NOWHERE:
            return None
        return find_field(join(block.section, *block.head))

    @property
    def calls(self) -> tuple[Frame, ...]:
        """The lists and calls opened inside the value."""
        inner: list[Frame] = []
        for frame in reversed(self.frames):
            if frame.bracket == "{":
                break
            inner.append(frame)
        return tuple(reversed(inner))

    @property
    def expected(self) -> FieldType | None:
        """The type that is wanted here; None when the names of a call's parameters are, or nothing is known."""
        kind = self.field.type if self.field else None
        for frame in self.calls:
            kind = _inside(kind, frame) if kind is not None else None
        return kind


def context_at(text: str, offset: int) -> Context:
    """The context of a cursor; the word under it counts up to the cursor."""
    lexed = lex(text, lambda stop, _: stop + 1)
    before = [token for token in lexed.tokens if token[1] < offset]
    in_comment = any(c.span.start < offset <= c.span.end for c in lexed.comments)
    in_text = bool(before) and before[-1][0] == tables.STRING and offset < before[-1][2]
    word = Span(offset, offset)
    if before and before[-1][2] >= offset and _is_word(before[-1], text):
        word = Span(before[-1][1], offset)
        before.pop()
    last = before[-1][0] if before else tables.NEWLINE
    return Context(_frames(before, text), word, last, in_text or in_comment)


def opened_text(text: str, offset: int) -> tuple[Context, Span] | None:
    """Where the text begins that the cursor stands in, closed or not, and what of it stands before the cursor.

    None outside texts; a text of several lines counts as its first line only.
    """
    quote = text.rfind('"', text.rfind("\n", 0, offset) + 1, offset)
    if quote < 0:
        return None
    context = context_at(text, quote)
    return None if context.in_text else (context, Span(quote + 1, offset))


def _is_word(token: Token, text: str) -> bool:
    return text[token[1]].isalpha()


def _frames(tokens: list[Token], text: str) -> tuple[Frame, ...]:
    frames = [Frame("{")]
    for token in tokens:
        kind = token[0]
        if kind in _OPENERS:
            frames.append(_opened(frames[-1], _OPENERS[kind]))
        elif kind in _CLOSERS:
            if len(frames) > 1:
                frames.pop()
        else:
            frames[-1] = _advanced(frames[-1], token, text)
    return tuple(frames)


def _opened(above: Frame, bracket: str) -> Frame:
    if bracket == "{":
        return Frame("{", section_of(above.section, above.head)[0])
    if bracket == "(":
        return Frame("(", function=above.last if above.is_value else "".join(above.head[-1:]))
    return Frame("[")


def _advanced(frame: Frame, token: Token, text: str) -> Frame:
    kind, start, end = token
    if kind == tables.COMMA or (kind == tables.NEWLINE and frame.bracket == "{"):
        return frame._replace(head=(), is_value=False, last="", position=frame.position + 1)
    if kind == tables.EQUAL:
        return frame._replace(is_value=True)
    if not text[start].isalpha():
        return frame
    word = ascii_name(text[start:end])
    if frame.is_value:
        return frame._replace(last=word)
    return frame._replace(head=(*frame.head, word))


def _inside(kind: FieldType, frame: Frame) -> FieldType | None:
    if isinstance(kind, EitherType):
        return _inside(kind.first, frame) or _inside(kind.second, frame)
    if frame.bracket == "[":
        return kind.item if isinstance(kind, ListType) else None
    option = kind.find(frame.function) if isinstance(kind, ChoiceType) else None
    if option is None:
        return None
    if frame.is_value and frame.head:
        return next((p.type for p in option.parameters if p.name == frame.head[0]), None)
    return option.parameters[0].type if frame.position == 0 and option.parameters else None
