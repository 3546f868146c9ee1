"""The decision as documents: safe, the same bytes each time, and every number taken from the record."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from peer_audits import Parts, Shape, core_audit, full_audit, reseal
from peer_bundles import write

from dcp_lang.verify.decision import DecisionRecord, decide
from dcp_lang.verify.report import markdown_cell, report_files
from dcp_lang.verify.summary import summary
from dcp_lang.verify.view import shown

HOSTILE = "<script>alert(1)</script>|`x`|[a](javascript:b)\"'&\x1b[31m"


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> DecisionRecord:
    folder = tmp_path_factory.mktemp("certified")
    shape = Shape(challengers=((0.4, 0.4),) * 70 + ((0.6, 0.7),) * 7, neutral=(False,) * 22)
    write(folder, full_audit(shape))
    return decide(folder)


def hostile(parts: Parts) -> Parts:
    """An audit whose free texts try to break out of every document."""
    reg = replace(parts.reg, model_id=HOSTILE, task_family_profile=HOSTILE)
    adequacy = replace(parts.g2.adequacy, calibration_id=HOSTILE)
    first, *rest = parts.g2.controls
    controls = (replace(first, artifact_hash=HOSTILE, per_unit=(0.9, 0.9)), *rest)
    return reseal(parts._replace(reg=reg, g2=replace(parts.g2, controls=controls, adequacy=adequacy)))


def test_same_record_same_bytes(certified: DecisionRecord) -> None:
    assert report_files(certified) == report_files(certified)
    assert set(report_files(certified)) == {"decision.json", "decision.md", "decision.html"}


class Tags(HTMLParser):
    """Every tag and attribute of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(page: bytes) -> Tags:
    tags = Tags()
    tags.feed(page.decode())
    return tags


def test_hostile_texts_stay_text(tmp_path: Path) -> None:
    write(tmp_path, hostile(core_audit()))
    record = decide(tmp_path)
    assert record.outcome == "recovered"
    files = report_files(record)
    page = parsed(files["decision.html"])
    assert "<script>alert(1)</script>" in page.text and "script" not in {tag for tag, _ in page.tags}
    assert b"<script" not in files["decision.md"] and b"`x`" not in files["decision.md"].replace(b"\\`", b"")
    assert "\x1b" not in summary(record)


def test_the_page_loads_nothing(certified: DecisionRecord) -> None:
    page = parsed(report_files(certified)["decision.html"])
    policies = [a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'"]
    assert not {"script", "link", "img", "iframe", "a", "form"} & {tag for tag, _ in page.tags}
    assert not any({"src", "href", "style"} & attributes.keys() for _, attributes in page.tags)
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)


def test_the_page_can_be_read_by_assistive_tools(certified: DecisionRecord) -> None:
    page = parsed(report_files(certified)["decision.html"])
    names = {tag for tag, _ in page.tags}
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    assert {"main", "h1", "h2", "th", "title"} <= names and ("html", {"lang": "en"}) in page.tags
    labelled = [a["aria-labelledby"] for _, a in page.tags if "aria-labelledby" in a]
    assert labelled and set(labelled) <= ids and len(ids) == len([1 for _, a in page.tags if "id" in a])
    assert all(a.get("scope") == "row" for tag, a in page.tags if tag == "th")


def panels(page: bytes) -> list[ElementTree.Element]:
    found = re.findall(r"<svg.*?</svg>", page.decode(), re.S)
    return [ElementTree.fromstring(svg) for svg in found]


def test_panels_show_the_scores_the_pairs_and_the_intervals(certified: DecisionRecord) -> None:
    scores, effect, null = panels(report_files(certified)["decision.html"])
    texts = ["".join(node.itertext()) for node in scores.iter("text")]
    assert {"baseline 0.2", "recovery line 0.895", "x 0.9", "70×", "7×"} <= set(texts)
    bars = [line for line in scores.iter("line") if line.get("class") == "bar"]
    # On the axis from 30 to 610: .4 stands at 262, the mean .65 of the others at 407; 70 and 7 in proportion.
    assert [(bar.get("x1"), bar.get("y1")) for bar in bars] == [("262", "50"), ("407", "113")]
    assert "22 truthful only" in ["".join(node.itertext()) for node in effect.iter("text")]
    whiskers = [line for line in null.iter("line") if line.get("class") == "interval"]
    assert len(whiskers) == 3 and float(whiskers[0].get("x1", "0")) < 320 < float(whiskers[0].get("x2", "0"))


def numbers(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set().union(*map(numbers, [*value.values(), *value]))
    if isinstance(value, list):
        return set().union(*map(numbers, value))
    return set(re.findall(r"\d+(?:\.\d+)?", str(value)))


def test_every_number_of_the_documents_is_in_the_record(certified: DecisionRecord) -> None:
    files = report_files(certified)
    known = numbers(json.loads(files["decision.json"]))
    prose = {"1", "2", "3"}  # the gates' names
    for name in ("decision.md", "decision.html"):
        body = re.sub(
            r"<style>.*?</style>|<svg.*?</svg>|sha256:\w+|<[^>]*>", "", files[name].decode(), flags=re.S
        )
        assert set(re.findall(r"\d+(?:\.\d+)?", body)) <= known | prose, name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.05", "0.05"),
        ("0.8855470070562801", "0.8855470070562801"),
        ("1/3", "1/3"),
        ("100000000000000000001/300000000000000000000", "0.333333333333…"),
        ("-0.123456789012345678901", "-0.123456789012…"),
        (None, "none"),
        ("a text that is no number at all", "a text that is no number at all"),
    ],
)
def test_long_numbers_are_cut_and_say_so(text: Any, expected: str) -> None:
    assert shown(text) == expected


def test_markdown_cells_hold_no_markup() -> None:
    assert markdown_cell("a|b\n*c* <i> `d`") == "a\\|b \\*c\\* &lt;i&gt; \\`d\\`"


def test_the_terminal_page_is_short_and_plain(certified: DecisionRecord) -> None:
    text = summary(certified)
    lines = text.split("\n")
    assert lines[0].split("  ")[1:] and "Evidence certified" in lines[0]
    assert len(lines) <= 50 and max(map(len, lines)) <= 100
    assert all(line.isprintable() for line in lines)


def test_an_unreadable_bundle_is_reported_too(tmp_path: Path) -> None:
    record = decide(tmp_path)
    files = report_files(record)
    assert b"No decision: the bundle cannot be read" in files["decision.html"]
    assert "manifest.json cannot be read" in summary(record)
