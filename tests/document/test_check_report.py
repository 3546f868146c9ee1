"""`dcpc check --format html`: findings over a folder on one page."""

from __future__ import annotations

import re
from pathlib import Path

from browser import violations
from pages import Page
from registrations import CORE, EVIDENCE, AnyFiles, replaced

from dcp_lang.cli.report_html import render_report
from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.driver import Compilation
from dcp_lang.source import SourceFile

HOSTILE = "<script>alert(1)</script>.dcp"
FILES = {
    "sound.dcp": CORE,
    HOSTILE: replaced(
        EVIDENCE, {"ρ = 5%": "ρ = 9%", '"The index group"': '"</pre><script>alert(2)</script>"'}
    ),
    "three.dcp": replaced(
        EVIDENCE, {"pairs = 30": "pairs = 3", "ρ = 5%": "ρ = 9%", "claimant =": "claimantt ="}
    ),
}


def report() -> tuple[str, list[Diagnostic]]:
    """The page, and the findings it shows."""
    found = [d for n, t in FILES.items() for d in Compilation(SourceFile(n, t), AnyFiles()).diagnostics]
    return render_report(list(FILES), found), found


def test_every_file_and_every_finding_is_there() -> None:
    html, found = report()
    page = Page(html)
    text = page.text()
    assert "3 registrations, 2 with errors" in text
    for name in FILES:
        assert name in text
    assert len([e for e in page.elements if e.tag == "article"]) == len(found)
    for d in found:
        assert f"{d.severity}[{d.code}]: {d.message}" in text
        assert f"{d.source.name}:{d.source.position(d.span.start).line}:" in text


def test_the_table_counts_errors_warnings_and_notes() -> None:
    html, found = report()
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', html, re.DOTALL)[: len(FILES)]
    for (name, _), row in zip(FILES.items(), rows, strict=True):
        own = [d.severity for d in found if d.source.name == name]
        counts = [own.count("error"), own.count("warning"), own.count("info")]
        assert [int(n) for n in re.findall(r'<td class="number">(\d+)</td>', row)] == counts
        assert ("not sound" in row) == (counts[0] > 0)


def test_names_and_sources_stay_text() -> None:
    html, _ = report()
    page = Page(html)
    assert not any(e.tag == "script" for e in page.elements)
    links = {e.attributes["href"][1:] for e in page.elements if e.tag == "a"}
    assert links and links <= set(page.ids())


def test_a_clean_folder_says_so_and_the_bytes_stay() -> None:
    html = render_report(["a.dcp", "b.dcp", "a.dcp"], [])
    assert html == render_report(["a.dcp", "b.dcp"], [])
    text = Page(html).text()
    assert "2 registrations, 0 with errors" in text and "In all: no findings." in text
    assert "Rules that found" not in text
    assert "1 registration, 0 with errors" in Page(render_report(["a.dcp"], [])).text()


def test_axe_finds_no_violation(tmp_path: Path) -> None:
    html, _ = report()
    assert violations(html.encode(), tmp_path, width=500) == []
