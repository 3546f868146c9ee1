"""The document as PDF: formulas drawn, nothing fetched, the same bytes again."""

from __future__ import annotations

from pathlib import Path

import pytest
from registrations import EVIDENCE, frozen

from dcp_lang.emit.document import Document
from dcp_lang.emit.document import pdf as pdf_module

pytest.importorskip("weasyprint", reason="no PDF: pip install dcp-lang[pdf]")
pytest.importorskip("ziamath", reason="no PDF: pip install dcp-lang[pdf]")

_SHORT = """## bound | Bound

$$ p_upper = 1 − α^{1/n} ≤ {{ thresholds.rho }}

Claimed by {{ parties.claimant }} for {{ thresholds.rho | percent }}.
"""


def short(folder: Path, page: str = "") -> Document:
    """A document of one section, so that the test prints one page and not twenty."""
    (folder / "preregistration").mkdir()
    (folder / "preregistration" / "document.j2").write_text(_SHORT, encoding="utf-8")
    if page:
        (folder / "preregistration.html.j2").write_text(page, encoding="utf-8")
    return Document(frozen(EVIDENCE), "sha256:" + "0" * 64, folder)


def test_formulas_are_drawn_and_the_bytes_stay(tmp_path: Path) -> None:
    document = short(tmp_path)
    data = pdf_module.render_pdf(document)
    assert data.startswith(b"%PDF-") and data == pdf_module.render_pdf(document)


def test_formulas_become_drawings_that_say_what_they_are(tmp_path: Path) -> None:
    from dcp_lang.emit.document.formula import parse_formula

    svg = pdf_module._drawn(parse_formula("p < α^{1/n}"), True)
    assert svg.startswith('<svg role="img" aria-label="p &lt; α^(1 / n)" style="vertical-align: -')
    assert svg.count("<path") >= 5 and "<math" not in svg


def test_nothing_is_fetched(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "secret.css").write_text("body { color: red }")
    page = f'<link rel="stylesheet" href="file://{tmp_path}/secret.css"><img src="http://192.0.2.1/x.png"><p>text</p>'
    pdf_module.render_pdf(short(tmp_path, page))
    assert caplog.text.count("nothing is fetched while rendering") == 2


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(pdf_module.PdfUnavailableError, match=r"dcp-lang\[pdf\]"):
        pdf_module.render_pdf(short(tmp_path))
