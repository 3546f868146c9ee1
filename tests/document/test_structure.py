"""The document's skeleton: 21 sections, anchors that stay, links that lead somewhere, sentences without holes."""

from __future__ import annotations

import re

import pytest
from pages import Page
from registrations import Made

ANCHORS = [
    "status", "card", "hypotheses", "timing", "parties", "information", "task", "gate1", "gate2", "gate3", "errors",
    "sizes", "budgets", "procedure", "losses", "decision", "exploratory", "deviations", "provenance", "limits",
    "crosswalk",
]  # fmt: skip


def test_sections_stand_in_order_with_their_anchors(made: Made) -> None:
    sections = [e.attributes["id"] for e in Page(made.html).elements if e.tag == "section"]
    assert sections == ANCHORS
    found = re.findall(r'^## <a id="(\w+)"></a>(\d+) \S', made.markdown, re.MULTILINE)
    assert found == [(anchor, str(number)) for number, anchor in enumerate(ANCHORS)]


def test_ids_are_unique_and_every_link_has_a_target(made: Made) -> None:
    page = Page(made.html)
    ids = page.ids()
    assert len(ids) == len(set(ids))
    links = {e.attributes["href"] for e in page.elements if e.tag == "a"}
    assert links and all(link[0] == "#" and link[1:] in ids for link in links)
    targets = re.findall(r'<a id="([\w.]+)"></a>', made.markdown)
    assert len(targets) == len(set(targets))
    assert set(re.findall(r"\]\(#([\w.]+)\)", made.markdown)) <= set(targets)


#: Terms that every registration has, and those of one kind only: an id never moves to another term.
LABELS = {
    "H1": "Outcome", "H2": "Recovery", "S2": "Valid artifacts", "S9": "Selection", "G1.2": "Criterion",
    "G2.1": "Recovery line", "G2.3": "Episodes", "G2.5": "Recovery bound", "G2.8": "Positive controls",
    "X3": "Spare episodes",
}  # fmt: skip
FEEDBACK_LABELS = {"H3": "Feedback", "G3.2": "Checkpoint c", "G3.6": "Pairs", "G3.11": "Replacement"}


def test_ids_mean_the_same_in_every_document(made: Made) -> None:
    items = dict(
        re.findall(r'^### <a id="([\w.]+)"></a>\1 ([^(\n]*?)(?: \(.*\))?$', made.markdown, re.MULTILINE)
    )
    expected = LABELS | (FEEDBACK_LABELS if made.frozen["grade"] == "evidence" else {})
    assert expected.items() <= items.items()
    assert made.frozen["grade"] == "evidence" or not FEEDBACK_LABELS.keys() & items.keys()


def test_no_holes_in_the_text(made: Made) -> None:
    text = Page(made.html).text()
    for hole in ("undefined", "{{", "}}", "\ue000", "\ue001", " ,", " ;", ". .", "()", "  ."):
        assert hole not in text, hole
    for sentence in re.findall(r"\bNone\b.{0,16}", text):
        assert re.match(
            r"None( of these| once| is named| are planned| are registered| at reg|\.$)", sentence
        ), sentence
    assert not re.search(
        r"<(h1|h2|dt|dd|caption|td|p)[^>]*>\s*</\1>", re.sub(r"<td[^>]*></td>", "", made.html)
    )


@pytest.mark.parametrize(
    "one", ["units", "audits", "episodes", "pairs", "candidates", "files", "turns", "requests"]
)
def test_one_of_a_kind_is_singular(made: Made, one: str) -> None:
    assert not re.search(rf"(?<![\d.,])1 {one}\b", Page(made.html).text())


def test_every_section_says_something(made: Made) -> None:
    page = Page(made.html)
    for anchor in ANCHORS:
        words = "".join(
            w.text
            for w in page.words
            if any(e.attributes.get("id") == anchor for e in w.inside) and not w.is_in("h2")
        )
        assert len(words.split()) >= 5, anchor


def test_the_first_page_answers_the_first_questions(made: Made) -> None:
    """Claim, thresholds, n and decision rule stand before the list of sections."""
    top = made.html[: made.html.index("<nav")]
    fields = made.frozen["fields"]
    assert "removes at least half of the traffic-weighted work" in top
    assert f">{fields['gate.recovery.episodes']['value']}</data>" in top
    for path in ("delta_min", "rho", "recall_min"):
        assert f'<data value="{fields[f"thresholds.{path}"]["value"]}">' in top
    rule = "retrospective" if made.name == "retrospective" else "Core is certified when"
    assert rule in Page(made.html).text()[: Page(made.html).text().index("Hypotheses")]
