"""The page in a browser: accessible, at home on a phone, in the dark, and silent towards the network."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import ask, violations
from registrations import VARIANTS, Made, made_from

#: What of the page is wider than the window, apart from what scrolls by itself.
_TOO_WIDE = """
const wide = [...document.querySelectorAll("main *")].filter(e =>
  e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.closest(".wide, pre, .display"));
answer({page: document.documentElement.scrollWidth, window: document.documentElement.clientWidth,
        wide: wide.slice(0, 3).map(e => e.outerHTML.slice(0, 120))});
"""
_COLOURS = """
const style = getComputedStyle(document.body);
answer([style.backgroundColor, style.color]);
"""


@pytest.fixture(scope="module")
def evidence() -> Made:
    """The fullest variant."""
    return made_from(VARIANTS["evidence"])


@pytest.mark.parametrize(("width", "dark"), [(1200, False), (400, True)])
def test_axe_finds_no_violation(evidence: Made, width: int, dark: bool, tmp_path: Path) -> None:
    assert violations(evidence.html.encode(), tmp_path, width=width, dark=dark) == []


def test_axe_would_find_one(tmp_path: Path) -> None:
    body = b"<img src='x'><p style='color:#999;background:#aaa'>hardly seen</p>"
    found = {rule for rule, _ in violations(b"<html><body>%b</body></html>" % body, tmp_path)}
    assert {"image-alt", "html-has-lang", "color-contrast"} <= found


def test_a_phone_shows_everything_without_scrolling_sideways(evidence: Made, tmp_path: Path) -> None:
    # Headless windows are at least 500 pixels wide.
    seen = ask(evidence.html.encode(), tmp_path, _TOO_WIDE, width=500)
    assert seen["wide"] == [] and seen["page"] <= seen["window"]


def test_dark_and_light(evidence: Made, tmp_path: Path) -> None:
    light = ask(evidence.html.encode(), tmp_path, _COLOURS)
    dark = ask(evidence.html.encode(), tmp_path, _COLOURS, dark=True)
    assert light[0] == "rgb(255, 255, 255)" and light != dark


def test_nothing_is_loaded(evidence: Made) -> None:
    """Not even by a browser that ignored the policy: no element names anything outside the page."""
    from pages import Page

    page = Page(evidence.html)
    policy = next(e.attributes["content"] for e in page.elements if "http-equiv" in e.attributes)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline';")
    for element in page.elements:
        assert not element.attributes.keys() & {"src", "srcset", "data", "action", "onload", "onclick"}
        assert element.attributes.get("href", "#").startswith("#")
    assert "url(" not in evidence.html and "@import" not in evidence.html


def test_the_check_report_and_the_decision_share_the_look() -> None:
    """One style sheet, and it holds nothing that the template language would read."""
    from dcp_lang.emit.document.environment import environment

    env = environment()
    assert env.loader is not None
    style = env.loader.get_source(env, "style.css")[0]
    assert not any(mark in style for mark in ("{{", "{%", "{#"))
    for name in ("preregistration.html.j2", "check.html.j2", "decision.html.j2"):
        assert '{% include "style.css" %}' in env.loader.get_source(env, name)[0]
