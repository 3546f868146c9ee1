"""Rule pages: how they are read, and that every page of the package is whole."""

from __future__ import annotations

import re

import pytest

from dcp_lang.diagnostics.pages import HEADINGS, all_pages, load_page, page_files, parse_page
from dcp_lang.diagnostics.registry import Rule, index
from dcp_lang.source import SourceFile, Span

PAGE = """# E203 epsilon-not-below-delta-min

## What it does

Checks that `ε` is
below `δ_min`. And more.

## Why it is wrong

Because.

## Example

```dcp
ε = 0.6
```

## Use instead

```dcp
ε = 0.005
```

## Reference

Paper, section 4.
"""


def test_a_page_is_its_title_and_sections() -> None:
    page = parse_page(PAGE)
    assert page is not None
    assert (page.code, page.slug) == ("E203", "epsilon-not-below-delta-min")
    assert tuple(page.sections) == HEADINGS
    assert page.sections["Example"] == "```dcp\nε = 0.6\n```"
    assert page.summary == "Checks that `ε` is below `δ_min`."


@pytest.mark.parametrize(
    "text", ["", "# Title\n", "# E20 too-short\n", "# E203 Not-A-Slug\n", "E203 no-hash\n"]
)
def test_other_markdown_is_no_page(text: str) -> None:
    assert parse_page(text) is None


def test_every_markdown_file_of_the_package_is_a_page() -> None:
    assert [path.name for path in page_files() if parse_page(path.read_text(encoding="utf-8")) is None] == []


def test_every_page_has_the_headings_and_an_example_in_the_language() -> None:
    for page in all_pages():
        assert tuple(page.sections) == HEADINGS, page.code
        assert all(page.sections.values()), page.code
        # What is too large or no text at all is described, not shown.
        assert re.search(r"^```(dcp|text)$", page.sections["Example"], re.MULTILINE), page.code
        assert page.summary.endswith("."), page.code
        fences = re.findall(r"^```(.*)$", page.text, re.MULTILINE)
        assert all(fence in ("dcp", "text", "json", "sh") for fence in fences[::2]), page.code


def test_codes_and_names_are_unique() -> None:
    pages = all_pages()
    assert len({page.code for page in pages}) == len({page.slug for page in pages}) == len(pages)


def test_pages_are_found_by_code_and_by_name() -> None:
    for page in all_pages():
        assert load_page(page.code) == load_page(page.slug) == page
    assert load_page("E000") is None


def test_rules_are_found_by_code_and_by_name() -> None:
    one, two = Rule("E101", "unknown-name", "error", "…"), Rule("W101", "odd-name", "warning", "…")
    assert index([one, two]) == {"E101": one, "unknown-name": one, "W101": two, "odd-name": two}


@pytest.mark.parametrize(
    "clash", [Rule("E101", "other", "error", "…"), Rule("E102", "unknown-name", "error", "…")]
)
def test_two_rules_may_not_share_a_code_or_name(clash: Rule) -> None:
    with pytest.raises(ValueError, match=r"two rules are called (E101|unknown-name)"):
        index([Rule("E101", "unknown-name", "error", "…"), clash])


def test_a_rule_makes_its_diagnostic() -> None:
    source = SourceFile("a", "b")
    found = Rule("W101", "odd-name", "warning", "…").found(source, Span(0, 1), "odd", help="mend it")
    assert (found.code, found.name, found.severity, found.message) == ("W101", "odd-name", "warning", "odd")
    assert (found.source, found.span, found.help, found.fix) == (source, Span(0, 1), "mend it", None)
