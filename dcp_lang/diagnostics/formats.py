"""The output formats by name; each renderer is imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from dcp_lang.diagnostics import FORMAT_NAMES
from dcp_lang.diagnostics.model import Diagnostic

Renderer = Callable[[Sequence[Diagnostic]], str]


def _text(diagnostics: Sequence[Diagnostic]) -> str:
    from dcp_lang.diagnostics.text import render_text

    return render_text(diagnostics)


def _json(diagnostics: Sequence[Diagnostic]) -> str:
    from dcp_lang.diagnostics.json_ import render_json

    return render_json(diagnostics)


def _sarif(diagnostics: Sequence[Diagnostic]) -> str:
    from dcp_lang.diagnostics.sarif import render_sarif

    return render_sarif(diagnostics)


def _github(diagnostics: Sequence[Diagnostic]) -> str:
    from dcp_lang.diagnostics.github import render_github

    return render_github(diagnostics)


def _markdown(diagnostics: Sequence[Diagnostic]) -> str:
    from dcp_lang.diagnostics.markdown import render_markdown

    return render_markdown(diagnostics)


def pieces(form: str, diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """The text of a format in pieces, a finding at a time where the format allows it: none is kept then."""
    if form == "json":
        from dcp_lang.diagnostics.json_ import json_pieces

        yield from json_pieces(diagnostics)
    elif form == "github":
        yield from (_github([d]) for d in diagnostics)
    else:
        yield FORMATS[form](list(diagnostics))


#: Every format of ``--format``; ``text`` is plain here, a terminal calls `text.render_text` itself.
FORMATS: dict[str, Renderer] = dict(
    zip(FORMAT_NAMES, (_text, _json, _sarif, _github, _markdown), strict=True)
)
