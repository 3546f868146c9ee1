"""Every rule has its page, every page its rule; the examples of pages are in the language."""

from __future__ import annotations

import re

import pytest

from dcp_lang.diagnostics.model import Sink
from dcp_lang.diagnostics.pages import Page, all_pages
from dcp_lang.source import SourceFile
from dcp_lang.syntax import parse

PAGES = [pytest.param(page, id=page.code) for page in all_pages()]


def _found(page: Page, section: str) -> set[str]:
    """Codes that parsing the ``dcp`` blocks of a section reports."""
    sink = Sink()
    for block in re.findall(r"^```dcp\n(.*?)^```$", page.sections[section], re.MULTILINE | re.DOTALL):
        parse(SourceFile(page.code, block), sink)
    return {d.code for d in sink.sorted()}


@pytest.mark.parametrize("page", PAGES)
def test_the_example_shows_the_fault_and_the_other_one_mends_it(page: Page) -> None:
    about_syntax = page.code.startswith("E0") and "```dcp\n" in page.sections["Example"]
    assert _found(page, "Example") == ({page.code} if about_syntax else set())
    assert _found(page, "Use instead") == set()
