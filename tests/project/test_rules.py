"""Every rule has its page, and the examples of pages are in the language."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module

import pytest

import dcp_lang
from dcp_lang.diagnostics.model import Sink
from dcp_lang.diagnostics.pages import Page, all_pages
from dcp_lang.diagnostics.registry import Rule, index
from dcp_lang.syntax import parse, read_source

PAGES = [pytest.param(page, id=page.code) for page in all_pages()]


def _found(page: Page, section: str) -> set[str]:
    """Codes that reading the ``dcp`` blocks of a section reports; ``<U+200B>`` stands for that character."""
    sink = Sink()
    for block in re.findall(r"^```dcp\n(.*?)^```$", page.sections[section], re.MULTILINE | re.DOTALL):
        text = re.sub(r"<U\+([0-9A-F]{4,6})>", lambda match: chr(int(match[1], 16)), block)
        source = read_source(page.code, text.encode(), sink)
        if source is not None:
            parse(source, sink)
    return {d.code for d in sink.sorted()}


@pytest.mark.parametrize("page", PAGES)
def test_the_example_shows_the_fault_and_the_other_one_mends_it(page: Page) -> None:
    about_syntax = page.code.startswith("E0") and "```dcp\n" in page.sections["Example"]
    assert _found(page, "Example") == ({page.code} if about_syntax else set())
    assert _found(page, "Use instead") == set()


def _rules() -> set[Rule]:
    """Every rule that a module of the passes defines."""
    passes = ("dcp_lang.syntax", "dcp_lang.sema", "dcp_lang.driver", "dcp_lang.emit")
    names = [
        m.name for m in pkgutil.walk_packages(dcp_lang.__path__, "dcp_lang.") if m.name.startswith(passes)
    ]
    modules = (import_module(name) for name in names if not name.endswith(".generate"))
    return {value for module in modules for value in vars(module).values() if isinstance(value, Rule)}


def test_rules_have_distinct_codes_and_names() -> None:
    rules = _rules()
    assert len(index(rules)) == 2 * len(rules) > 0


def test_every_rule_has_a_page_of_its_name() -> None:
    pages = {page.code: page.slug for page in all_pages()}
    assert {rule.code: rule.name for rule in _rules() if pages.get(rule.code) != rule.name} == {}


def test_a_summary_is_a_clause_without_a_stop() -> None:
    bad = [rule.code for rule in _rules() if not rule.summary[0].islower() and rule.summary[0].isalpha()]
    assert bad + [rule.code for rule in _rules() if rule.summary.endswith(".")] == []
