"""Blocks and sections: what the document says, before any rendering decides how it looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from dcp_lang.emit.document.formula import Formula
from dcp_lang.emit.document.inline import Line


@dataclass(frozen=True)
class Paragraph:
    """One paragraph of ours."""

    line: Line
    kind: ClassVar[str] = "paragraph"


@dataclass(frozen=True)
class Note:
    """A paragraph that must not be overlooked."""

    line: Line
    kind: ClassVar[str] = "note"


@dataclass(frozen=True)
class Prose:
    """The author's own text, in paragraphs at blank lines."""

    text: str
    kind: ClassVar[str] = "prose"

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The paragraphs, each with its lines joined."""
        return tuple(" ".join(part.split()) for part in self.text.split("\n\n") if part.strip())


@dataclass(frozen=True)
class Display:
    """A formula on a line of its own."""

    formula: Formula
    kind: ClassVar[str] = "display"


@dataclass(frozen=True)
class Bullets:
    """A list; numbered when the order matters."""

    lines: tuple[Line, ...]
    ordered: bool = False
    kind: ClassVar[str] = "bullets"


@dataclass(frozen=True)
class Table:
    """A table whose first column heads its rows; `numeric` columns align right, a total row is last."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]
    numeric: frozenset[int] = frozenset()
    total: bool = False
    kind: ClassVar[str] = "table"


@dataclass(frozen=True)
class Figure:
    """A drawing as SVG, and the words that replace it; the table of its numbers stands beside it."""

    svg: str
    alt: str
    table: Table | None = None
    kind: ClassVar[str] = "figure"


@dataclass(frozen=True)
class Source:
    """Text kept letter by letter."""

    caption: str
    text: str
    kind: ClassVar[str] = "source"


@dataclass(frozen=True)
class Item:
    """One numbered term: a stable id, its name, what is registered, where that came from."""

    id: str
    label: str
    blocks: tuple[Block, ...]
    origin: str = ""


@dataclass(frozen=True)
class Items:
    """Numbered terms in a row."""

    items: tuple[Item, ...]
    kind: ClassVar[str] = "items"


Block: TypeAlias = Paragraph | Note | Prose | Display | Bullets | Table | Figure | Source | Items


@dataclass(frozen=True)
class Section:
    """One of the 21 sections; `anchor` is the same in every document."""

    number: int
    anchor: str
    title: str
    blocks: tuple[Block, ...]
