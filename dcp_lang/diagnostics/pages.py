"""Rule pages: one Markdown file per code, beside the code that raises it.

A page starts with ``# CODE slug`` and has the five headings of `HEADINGS`, in that order. It is the text of
``dcpc explain CODE``, the help of a SARIF rule and the source of the rules' reference.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from dcp_lang import resources

HEADINGS = ("What it does", "Why it is wrong", "Example", "Use instead", "Reference")

_TITLE = re.compile(r"# ([EWI][0-9]{3}) ([a-z0-9]+(?:-[a-z0-9]+)*)\n")
_HEADING = re.compile(r"^## (.+)\n", re.MULTILINE)
_SENTENCE = re.compile(r".+?[.!?](?=\s|$)", re.DOTALL)


class Page(NamedTuple):
    """One rule page; `sections` maps each heading to its text, `text` is the whole page."""

    code: str
    slug: str
    sections: dict[str, str]
    text: str

    @property
    def summary(self) -> str:
        """The first sentence of what the rule does, on one line."""
        body = self.sections.get(HEADINGS[0], "")
        sentence = _SENTENCE.match(body)
        return " ".join((sentence.group() if sentence else body).split())


def parse_page(text: str) -> Page | None:
    """The page that `text` holds; None when it does not start with ``# CODE slug``."""
    title = _TITLE.match(text)
    if title is None:
        return None
    parts = _HEADING.split(text[title.end() :])[1:]
    sections = {heading: body.strip() for heading, body in zip(parts[::2], parts[1::2], strict=True)}
    return Page(title[1], title[2], sections, text)


def page_files() -> list[Path]:
    """Every Markdown file of the package but its data (templates hold Markdown that is no page)."""
    root = Path(resources.package_dir())
    return sorted(path for path in root.rglob("*.md") if "_data" not in path.relative_to(root).parts)


def all_pages() -> tuple[Page, ...]:
    """All pages of the installed package, sorted by code."""
    texts = (path.read_text(encoding="utf-8") for path in page_files())
    return tuple(sorted(page for page in map(parse_page, texts) if page is not None))


def load_page(code: str) -> Page | None:
    """The page of a code (``E203``) or of a rule's name; None when there is none."""
    return next((page for page in all_pages() if code in (page.code, page.slug)), None)
