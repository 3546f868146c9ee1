"""The markup of our own text, as the content templates print it, and its parser.

    ## anchor | Title          a section; sections are numbered from 0
    @ G2.3 | Label | origin    a numbered term; it holds what follows, up to the next one or a bare `@`
    ! text                     a paragraph that must not be overlooked
    - text, 1. text            list items
    $$ words                   a formula on its own line
    |= caption                 a table; then its head `|*` (`#` marks numeric columns), rows `|`, total `|+`
    text                       a paragraph, up to a blank line or the next mark

    **strong**  `code`  $formula$  [text](anchor)

Values of the registration never pass through this parser: the template prints a mark for each, and the parser
puts the value in its place. What an author wrote can therefore not become markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from dcp_lang.emit.document.blocks import (
    Block,
    Bullets,
    Display,
    Figure,
    Item,
    Items,
    Note,
    Paragraph,
    Section,
    Table,
)
from dcp_lang.emit.document.formula import Formula, number_formula, parse_formula
from dcp_lang.emit.document.inline import Code, Inline, Line, Link, Math, Number, Strong, User

_VALUE = re.compile("\ue000(\\d+)\ue001")
_INLINE = re.compile(
    "\ue000(?P<value>\\d+)\ue001"
    r"|\$(?P<math>[^$]+)\$"
    r"|\[(?P<text>[^\]]+)\]\((?P<anchor>[\w.-]+)\)"
    r"|\*\*(?P<strong>[^*]+)\*\*"
    r"|`(?P<code>[^`]+)`"
)
#: Marks whose text ends with their line.
_ONE_LINE = frozenset(("##", "@", "$$", "|=", "|*"))
_START = re.compile(r"(##|@|!|-|1\.|\$\$|\|[=*+]?)(?:\s+(.*)|$)")


class MarkupError(ValueError):
    """A content template that prints what this parser does not read."""


class Values:
    """The values that a template prints, each by its mark."""

    def __init__(self) -> None:
        self._values: list[Line | Block] = []

    def mark(self, value: Line | Block) -> str:
        """Keep a value and give the mark that stands for it."""
        self._values.append(value)
        return f"\ue000{len(self._values) - 1}\ue001"

    def line(self, number: str) -> Line:
        """The value of a mark within a line; MarkupError for a block, which needs a line of its own."""
        value = self._values[int(number)]
        if not isinstance(value, tuple):
            raise MarkupError(f"a {value.kind} stands within a line")
        return value

    def block(self, text: str) -> Block | None:
        """The block that a paragraph is, when it is nothing but the mark of one."""
        mark = _VALUE.fullmatch(text)
        value = self._values[int(mark[1])] if mark else ()
        return None if isinstance(value, tuple) else value


class _Chunk(NamedTuple):
    """What one mark introduces, continued lines joined."""

    mark: str
    text: str


def parse_document(text: str, values: Values) -> tuple[Section, ...]:
    """The sections that a content template printed."""
    reader = _Reader(list(_chunks(text)), values)
    sections: list[Section] = []
    while not reader.is_at(""):
        sections.append(reader.section(len(sections)))
    return tuple(sections)


def _chunks(text: str) -> Iterator[_Chunk]:
    """What each mark introduces; most text goes on until a blank line or the next mark."""
    mark, words = "", list[str]()
    for row in [*text.splitlines(), ""]:
        start = _START.match(row)
        if mark and (start or not row.strip() or mark in _ONE_LINE):
            yield _Chunk(mark, _tidy(" ".join(words)))
            mark, words = "", []
        if start:
            mark, words = start[1], [start[2] or ""]
        elif row.strip():
            mark, words = mark or "text", [*words, row.strip()]


def _tidy(text: str) -> str:
    """Conditions of a template leave blanks before commas and at the ends."""
    return re.sub(r"\s+(?=[,;.](\s|$))", "", text.strip())


class _Reader:
    """Reads chunks one after another; the marks decide what they make."""

    def __init__(self, chunks: list[_Chunk], values: Values) -> None:
        self._chunks = chunks
        self._values = values
        self._at = 0

    def is_at(self, *marks: str) -> bool:
        """Whether the next chunk has one of these marks; the end has the mark ""."""
        return (self._chunks[self._at].mark if self._at < len(self._chunks) else "") in marks

    def _take(self) -> str:
        self._at += 1
        return self._chunks[self._at - 1].text

    def _taken(self, mark: str) -> Iterator[str]:
        while self.is_at(mark):
            yield self._take()

    def section(self, number: int) -> Section:
        """A section with all its blocks."""
        if not self.is_at("##"):
            raise MarkupError(f"text before the first section: {self._take()!r}")
        anchor, title = self._take().split(" | ")
        blocks: list[Block] = []
        while not self.is_at("##", ""):
            blocks.append(self._items() if self.is_at("@") else self._block())
        return Section(number, anchor, title, tuple(blocks))

    def _items(self) -> Items:
        items = []
        while self.is_at("@"):
            head = self._take()
            if not head:
                break
            items.append(self._item(head))
        return Items(tuple(items))

    def _item(self, head: str) -> Item:
        id, label, *origin = head.split(" | ")
        blocks = []
        while not self.is_at("@", "##", ""):
            blocks.append(self._block())
        return Item(id, label, tuple(blocks), plain_text(self._line(origin[0])) if origin else "")

    def _block(self) -> Block:
        if self.is_at("-"):
            return Bullets(tuple(self._line(text) for text in self._taken("-")))
        if self.is_at("1."):
            return Bullets(tuple(self._line(text) for text in self._taken("1.")), ordered=True)
        if self.is_at("|="):
            return self._table()
        if self.is_at("$$"):
            return Display(self._formula(self._take()))
        if self.is_at("!"):
            return Note(self._line(self._take()))
        if not self.is_at("text"):
            raise MarkupError(f"a row without a table: {self._take()!r}")
        text = self._take()
        block = self._values.block(text) or Paragraph(self._line(text))
        # The table of a drawing's numbers stands beside it.
        return (
            replace(block, table=self._table()) if isinstance(block, Figure) and self.is_at("|=") else block
        )

    def _table(self) -> Table:
        caption = self._words(self._take())
        heads = [_ours(cell) for head in self._taken("|*") for cell in self._row(head)]
        rows = [self._row(text) for text in self._taken("|")]
        total = [self._row(text) for text in self._taken("|+")]
        numeric = frozenset(place for place, head in enumerate(heads) if head.startswith("# "))
        for row in rows + total:
            if len(row) != len(heads):
                raise MarkupError(f"{len(row)} cells below {len(heads)} heads in {caption!r}")
        names = tuple(head.removeprefix("# ") for head in heads)
        return Table(caption, names, tuple(rows + total), numeric, bool(total))

    def _row(self, text: str) -> tuple[Line, ...]:
        return tuple(self._line(cell.strip()) for cell in re.split(r"\s\|(?=\s|$)", f" {text}"))

    def _line(self, text: str) -> Line:
        line: list[Inline] = []
        end = 0
        for mark in _INLINE.finditer(text):
            line += [text[end : mark.start()], *self._piece(mark)]
            end = mark.end()
        return tuple(piece for piece in [*line, text[end:]] if piece != "")

    def _piece(self, mark: re.Match[str]) -> Line:
        match mark.lastgroup:
            case "value":
                return self._values.line(mark["value"])
            case "math":
                return (Math(self._formula(mark["math"])),)
            case "anchor":
                return (Link(mark["anchor"], self._words(mark["text"])),)
            case "strong":
                return (Strong(self._words(mark["strong"])),)
            case _:
                return (Code(mark["code"]),)

    def _words(self, text: str) -> str:
        return _ours(self._line(text))

    def _formula(self, text: str) -> Formula:
        marks = {mark[0]: self._formula_value(self._values.line(mark[1])) for mark in _VALUE.finditer(text)}
        return parse_formula(text, marks)

    def _formula_value(self, line: Line) -> Formula:
        match line:
            case (Number(_, exact),):
                return number_formula(exact)
            case (Math(formula),):
                return formula
            case _:
                raise MarkupError(f"{plain_text(line)!r} stands in a formula")


def _ours(line: Line) -> str:
    """The words of a line that may hold no value, since it would lose its mark there."""
    for piece in line:
        if not isinstance(piece, str):
            raise MarkupError(f"{plain_text((piece,))!r} stands where only words of the template may")
    return plain_text(line)


def plain_text(line: Line) -> str:
    """The words of a line."""
    return "".join(_words(piece) for piece in line)


def _words(piece: Inline) -> str:
    match piece:
        case str():
            return piece
        case Number(shown, _):
            return shown
        case User(text) | Code(text) | Strong(text) | Link(_, text):
            return text
        case Math():
            return ""
