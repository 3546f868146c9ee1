"""Every rule of `sema` has a case, and the shipped profile is a floor below which nothing sinks."""

from __future__ import annotations

from pathlib import Path

import pytest
from bases import base, findings

from dcp_lang.diagnostics.pages import all_pages
from dcp_lang.diagnostics.registry import Rule, index
from dcp_lang.sema.catalogue import RULES

CASES = Path(__file__).parents[1] / "cases"
#: Cases of these need a real disk: `test_materials.py`.
ON_DISK = {"E801", "E803", "E805", "E806", "E807", "E809"}
#: A case of this needs ten thousand files: the page's example is its case.
ON_PAGE = {"W704"}
#: A case of this needs 500 findings: `test_shown.py`.
LONG = {"I902"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_has_a_case_of_its_name(rule: Rule) -> None:
    if rule.code not in ON_DISK | ON_PAGE | LONG:
        assert (CASES / rule.code / f"{rule.name}.md").is_file()


def test_every_folder_of_cases_is_about_a_rule_that_has_a_page() -> None:
    folders = {p.name for p in CASES.iterdir() if p.is_dir() and p.name not in ("bases", "__pycache__")}
    assert folders - {page.code for page in all_pages()} == set()


def test_codes_and_names_are_distinct() -> None:
    assert len(index(RULES)) == 2 * len(RULES)


@pytest.mark.parametrize("name", ["core", "evidence"])
def test_the_bases_check_without_findings(name: str) -> None:
    assert findings(base(name)) == []
