"""Text of the author that tries to be more than text."""

from __future__ import annotations

import html
import re
from functools import cache

import pytest
from markdown_it import MarkdownIt
from pages import Page
from registrations import EVIDENCE, Made, made_from, replaced

TITLES = {
    "script": '<script>alert(1)</script> & <img src=x onerror=alert(2)> "quoted"',
    "template": "{{ 7*7 }} {% for x in y %} {# gone #} ${7*7} <%= 7*7 %>",
    "markdown": "| # *bold* _under_ `code` [link](http://evil.example) ~~no~~ <b>x</b> &amp; \\ !",
    "marks of ours": "**strong** `code` $x^2$ [text](card) | cell | @ G9.9 | Item",
    "list": "- 1. + = # > not a list",
    "right to left": "\u05d0\u05d1\u05d2 left \u200fmark",
}


def quoted(text: str) -> str:
    """A text as the language spells it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


@cache
def titled(text: str) -> Made:
    """The sample with this text in every kind of place: title, claim, list item, table cell, sentence."""
    return made_from(
        replaced(
            EVIDENCE,
            {
                '"Partial indexes chosen from measured work"': quoted(text),
                '"every query result is preserved"': quoted(text),
                '"the agent finishes, or its turns are spent"': quoted(text),
                '"a relational engine with partial indexes"': quoted(text),
                '"Work per family is plotted over turns."': quoted(f"{text}\n\n{text}"),
            },
        )
    )


@pytest.mark.parametrize("name", TITLES)
def test_text_stays_text_on_the_page(name: str) -> None:
    text = TITLES[name]
    page = Page(titled(text).html)
    assert {e.tag for e in page.elements} & {"script", "img", "b", "iframe"} == {"script"}
    assert sum(e.tag == "script" for e in page.elements) == 1  # the embedded registration
    headings = [
        "".join(w.text for w in page.words if w.is_in("h1")),
        "".join(w.text for w in page.words if w.is_in("title")),
    ]
    assert headings == [text, f"{text} · Preregistration"]
    assert sum(w.text == text for w in page.words if w.is_in("bdi", "p")) >= 5


@pytest.mark.parametrize("name", TITLES)
def test_text_stays_text_in_markdown(name: str) -> None:
    text = TITLES[name]
    made = titled(text)
    rendered = (
        MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough").render(made.markdown)
    )
    page = Page(rendered)
    assert "".join(w.text for w in page.words if w.is_in("h1")) == text
    whole = page.text()
    assert whole.count(text) >= 5
    assert not any(e.tag in ("script", "img", "b", "s") or "evil" in str(e.attributes) for e in page.elements)
    plain = Page(MarkdownIt("commonmark", {"html": True}).enable("table").render(titled("a title").markdown))
    assert [e.tag for e in page.elements] == [e.tag for e in plain.elements]


def test_the_embedded_registration_cannot_be_left() -> None:
    made = titled(TITLES["script"])
    script = made.html[made.html.index('<script type="application/json"') :]
    body = script[script.index(">") + 1 : script.index("</script>")]
    assert not re.search("[<>&]", body)


def test_reordering_and_hidden_characters_are_shown() -> None:
    """Strings of the language may hold them; nobody may be deceived by them."""
    from dcp_lang.emit.document.text import visible

    assert visible("pay \u202e001 DSU\u202c") == "pay ⟨U+202E⟩001 DSU⟨U+202C⟩"
    assert visible("a\u2066b\u0007c\ufeffd") == "a⟨U+2066⟩b⟨U+0007⟩c⟨U+FEFF⟩d"
    assert visible("ש\u200f, é, 日本, tab\tand\nline") == "ש\u200f, é, 日本, tab\tand\nline"


def test_long_prose_stays_off_the_first_page() -> None:
    """300 kB of prose, spread over the fields that take prose."""
    prose = "An honest sentence of the author's. " * 2_000
    made = made_from(
        replaced(
            EVIDENCE, {'"Work per family is plotted over turns."': quoted(prose + "\n\n" + prose[:20_000])}
        )
    )
    claim = EVIDENCE[EVIDENCE.index('"""') : EVIDENCE.rindex('"""') + 3]
    long_claim = made_from(replaced(EVIDENCE, {claim: f'"""\n    {prose}\n    """'}))
    assert html.unescape(made.html).count("An honest sentence") > 2 * 2_500  # shown, and embedded
    card = long_claim.html[long_claim.html.index('id="card"') : long_claim.html.index("<nav")]
    assert "An honest sentence" not in card and 'href="#hypotheses"' in card
    assert long_claim.html.count("<h1") == 1
