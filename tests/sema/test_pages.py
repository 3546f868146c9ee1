"""The page of a rule is a test: its example is reported, what it says to use instead is not."""

from __future__ import annotations

import re

import pytest
from bases import base, findings
from overlay import overlaid

from dcp_lang.diagnostics.pages import Page, all_pages
from dcp_lang.sema.catalogue import RULES

#: What only a real disk shows; `test_materials.py` is about these.
ON_DISK = {"E803", "E805", "E806", "E807", "E809"}
#: What only a file of 500 findings shows; `test_shown.py` is about it.
LONG = {"I902"}
CODES = {rule.code for rule in RULES} - ON_DISK - LONG
PAGES = [page for page in all_pages() if page.code in CODES]


def found(page: Page, section: str, name: str) -> set[str]:
    """The codes that the block of a section has, over a base."""
    blocks = re.findall(r"^```dcp\n(.*?)^```$", page.sections[section], re.MULTILINE | re.DOTALL)
    return {d.code for block in blocks for d in findings(overlaid(base(name), block))}


@pytest.mark.parametrize("page", [pytest.param(p, id=p.code) for p in PAGES])
def test_the_example_is_reported_and_what_to_use_instead_is_not(page: Page) -> None:
    bases = [name for name in ("evidence", "core") if page.code in found(page, "Example", name)]
    assert bases, (page.code, found(page, "Example", "evidence"), found(page, "Example", "core"))
    assert any(page.code not in found(page, "Use instead", name) for name in bases)
