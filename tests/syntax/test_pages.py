"""Every rule of reading has a page: its example has the fault, what to use instead has none."""

from __future__ import annotations

import re

import pytest
from syntax_reading import read

from dcp_lang.diagnostics.pages import load_page
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.syntax.rules import RULES

#: Their examples cannot be shown in a few lines of text.
_UNSHOWN = {"E001", "E002", "E003", "E007"}


def _source(section: str) -> str:
    """The fenced source, with `<U+200B>` read as the character."""
    fence = re.fullmatch(r"```(?:dcp|text)\n(.*)\n```", section, re.DOTALL)
    assert fence
    return re.sub(r"<U\+([0-9A-F]{4})>", lambda m: chr(int(m[1], 16)), fence[1])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_page_shows_the_fault_and_the_way_out(rule: Rule) -> None:
    page = load_page(rule.code)
    assert page is not None
    assert page.slug == rule.name
    if page.code not in _UNSHOWN:
        assert read(_source(page.sections["Example"])).codes == [page.code]
        assert [c for c in read(_source(page.sections["Use instead"])).codes if c != "E006"] == []


def test_codes_ascend_and_belong_to_reading() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert all("E001" <= code <= "E059" for code in codes)
    assert all(rule.severity == "error" for rule in RULES)
