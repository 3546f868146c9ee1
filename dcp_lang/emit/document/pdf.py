"""The document as PDF, on request (extra `[pdf]`): the page of `render.Document.html`, printed by WeasyPrint.

WeasyPrint does not lay out MathML (0.01^(1/90) would come out as 0.011/90), so formulas go in as drawings,
made by ziamath with their text as description. Nothing is fetched while rendering.
"""

from __future__ import annotations

from typing import NoReturn

from markupsafe import escape

from dcp_lang.emit.document.formula import Formula, mathml, plain
from dcp_lang.emit.document.render import Document

#: Height of letters in formulas, in CSS pixels: 9.5 pt text, as the style sheet prints it.
_SIZE = 13


class PdfUnavailableError(Exception):
    """The extra `[pdf]` is not installed."""


def render_pdf(document: Document) -> bytes:
    """The document as a tagged PDF; the same bytes on every run with the same WeasyPrint and fonts.

    Raises PdfUnavailableError without the extra.
    """
    try:
        import weasyprint
        import ziamath
    except ImportError as error:
        raise PdfUnavailableError(f"PDF needs dcp-lang[pdf]: {error}") from error
    ziamath.config.svg2 = False  # plain paths: WeasyPrint does not resolve symbols across drawings
    html = document.html(_drawn)
    page = weasyprint.HTML(string=html, url_fetcher=_Refuse())
    pdf = page.write_pdf(pdf_variant="pdf/ua-1", pdf_identifier=document.sha256.encode())
    assert isinstance(pdf, bytes)
    return pdf


def _drawn(formula: Formula, _: bool) -> str:
    """A formula as SVG, set on the line of the text around it."""
    import ziamath

    drawing = ziamath.Math(mathml(formula), size=_SIZE)
    shift = f"vertical-align: {drawing.getyofst():.2f}px"
    head = f'<svg role="img" aria-label="{escape(plain(formula))}" style="{shift}"'
    return str(drawing.svg()).replace("<svg", head, 1)


class _Refuse:
    """A fetcher that fetches nothing; WeasyPrint then warns and leaves the place empty."""

    _fail_on_errors = False

    def __call__(self, url: str, *_: object, **__: object) -> NoReturn:
        raise ValueError(f"nothing is fetched while rendering: {url}")
