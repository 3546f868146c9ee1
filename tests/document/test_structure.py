"""The document's skeleton: 21 sections, anchors that stay, links that lead somewhere, sentences without holes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import Page
from registrations import CORE, EVIDENCE, Made, made_from, replaced

from dcp_lang.language.fields import FIELDS
from dcp_lang.resources import template_dir

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
            r"None( of these| once| is named| are planned| are registered| is registered| at reg|\.$)",
            sentence,
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


def test_no_field_is_left_out() -> None:
    """Every row of the field table is named in the content templates, or is one of those a loop goes through."""
    folder = Path(template_dir()) / "preregistration"
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.j2"))
    missing = {path.removesuffix(".*") for path in FIELDS if path.removesuffix(".*") not in text}
    looped = {p for p in missing if p.startswith("budget.") and f'"{p.rpartition(".")[2]}")' in text}
    # A pair may be replaced before its first action only; G3.11 says so.
    assert missing - looped == {"gate.feedback.replacements.only"}


def test_rare_fields_have_their_place() -> None:
    made = made_from(
        replaced(
            EVIDENCE,
            {
                'title = "': 'salt = "000102030405060708090a0b0c0d0e0f"\n  title = "',
                "exhaustive(16 units)": 'exhaustive(16 units, aggregate = "the sum over a day")',
                "  mode =": "  attestations = [materials_readable, opportunity_floor_met]\n  mode =",
                "policy neutral {": 'policy neutral { generator = file("neutral.py"),',
                "pairs = 30": 'pairs = 30, calibration = "null-1"',
            },
        )
    )
    text = Page(made.html).text()
    for words in (
        "000102030405060708090a0b0c0d0e0f",
        "A unit stands for an aggregate: the sum over a day",
        "checked: materials readable and opportunity floor met.",
        "Made by neutral.py, 2 B, sha256:",
        "the study is null-1.",
    ):
        assert words in text


def test_an_amendment_names_what_it_amends_and_why() -> None:
    old = "sha256:1f9201a53cb7496589efb24d733277dec0dc15682bac73dc5b3856c8b023e9e2"
    changes = {"  mode =": f'  supersedes = "{old}"\n  reason = "The pilot showed a fault."\n  mode ='}
    text = Page(made_from(replaced(CORE, changes)).html).text()
    assert f"frozen, amendment of {old}, because: The pilot showed a fault." in text
