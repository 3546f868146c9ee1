"""Every number in the document is found in the JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from markdown_it import MarkdownIt
from pages import Page, Words
from registrations import Made

from dcp_lang.language.units import find_unit

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:/\d+)?")
#: Digits of our own wording: numbers of sections, gates, terms and outcomes, and what the protocol itself fixes.
_OURS = re.compile(r"Gates? [123]|[A-Z]\d+(?:\.\d+)?|E[_₀]0?|registration\.json|\bD\d+\b")
#: Numbers of the rules themselves: 1 - ρ, α/4 in each tail, the empirical Bernstein half-width, axes from 0 to 1.
_OF_THE_RULES = {"0", "0.5", "1", "2", "3", "4", "14"}


def texts(value: Any) -> Iterator[str]:
    """All numbers and texts of a JSON value."""
    if isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif not isinstance(value, bool):
        yield str(value)


def quantities(value: Any) -> Iterator[str]:
    """All quantities of a JSON value, as `number unit`."""
    if isinstance(value, dict):
        if value.keys() == {"amount", "unit"}:
            yield f"{value['amount']} {value['unit']}"
        for item in value.values():
            yield from quantities(item)
    elif isinstance(value, list):
        for item in value:
            yield from quantities(item)


def known(made: Made) -> set[str]:
    """Numbers of the JSON, its quantities, and the sizes of its files in bytes."""
    numbers = set(texts(made.frozen))
    sizes = {f"{n} B" for n in numbers if n.isdecimal()}
    return numbers | set(quantities(made.frozen)) | sizes


def value_of(shown: str) -> Fraction:
    """What a shown number means in base units: `1 h 30 min`, `3 GiB`, `12,500.50 USD`, `90 episodes`."""
    total = Fraction(0)
    for number, word in re.findall(r"(\d[\d,]*(?:\.\d+)?(?:/\d+)?)\s*([A-Za-z]*)", shown):
        unit = find_unit(word)
        total += Fraction(number.replace(",", "")) * (unit.factor if unit else 1)
    return total


def is_ours(words: Words) -> bool:
    """Text of our own wording: no value, no author's words, no name, no digest, no number of another scheme."""
    if words.is_in("data", "bdi", "code", "style", "script", "title", "h1", "svg", "math"):
        return False
    around = [e.attributes for e in words.inside]
    return not any(a.get("class") in ("prose", "id", "at") or a.get("id") == "crosswalk" for a in around)


def test_every_marked_number_is_in_the_json_and_shown_as_it_is(document: Made) -> None:
    allowed = known(document)
    marked = [w for w in Page(document.html).words if w.is_in("data")]
    assert len(marked) > 100
    for words in marked:
        exact = words.inside[-1].attributes["value"]
        shown, _, percent = words.text.partition(" (")
        assert exact in allowed, words
        number = Fraction(exact.split()[0])
        assert value_of(shown) == number, words
        assert not percent or Fraction(percent.removesuffix("%)")) == 100 * number, words


def test_our_own_wording_holds_no_other_number(document: Made) -> None:
    for words in filter(is_ours, Page(document.html).words):
        rest = _OURS.sub("", words.text)
        assert set(_NUMBER.findall(rest)) <= {"1", "2", "3", "4"}, words


def test_numbers_of_formulas_and_drawings_are_in_the_json(document: Made) -> None:
    allowed = known(document) | _OF_THE_RULES
    for words in Page(document.html).words:
        if words.is_in("mn", "text"):
            assert set(_NUMBER.findall(words.text)) <= allowed, words


def test_the_markdown_has_the_numbers_of_the_page_and_no_others(document: Made) -> None:
    page = Page(document.html)
    formulas = " ".join(e.attributes["alttext"] for e in page.elements if e.tag == "math")
    read = Page(MarkdownIt("commonmark").enable("table").render(document.markdown))
    assert set(_NUMBER.findall(read.text())) == set(_NUMBER.findall(f"{page.text('math', 'svg')} {formulas}"))
