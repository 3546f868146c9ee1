"""Reading a page the way a test needs it: its words in order, each with the elements it stands in."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

#: Elements without an end tag.
_VOID = frozenset(("meta", "br", "hr", "img", "link", "input", "line", "rect", "circle", "path"))


class Element(NamedTuple):
    """An open element."""

    tag: str
    attributes: dict[str, str]


class Words(NamedTuple):
    """A run of text and the elements around it, outermost first."""

    text: str
    inside: tuple[Element, ...]

    def is_in(self, *tags: str) -> bool:
        """Whether one of these elements is around the text."""
        return any(element.tag in tags for element in self.inside)


class Page(HTMLParser):
    """A parsed page: its elements in order, and its runs of text. Fails on tags that do not match."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.words: list[Words] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open[-1].tag == tag, f"</{tag}> closes {self._open[-1:]}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self.words.append(Words(data, tuple(self._open)))

    def text(self, *without: str) -> str:
        """All text outside these elements and outside style and script."""
        return "".join(w.text for w in self.words if not w.is_in("style", "script", *without))

    def ids(self) -> list[str]:
        """The ids of all elements."""
        return [e.attributes["id"] for e in self.elements if "id" in e.attributes]
