"""From the frozen registration to files: templates lay out what the sections say.

Templates are packaged; an authority may put files of the same names before them (`--templates DIR`). They
run in a sandbox, undefined names are errors, and everything they print is escaped unless this package made
it markup.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from markupsafe import Markup

from dcp_lang.canonical import canonical_bytes, load_strict
from dcp_lang.emit.document.content import document_sections
from dcp_lang.emit.document.environment import Functions, environment
from dcp_lang.emit.document.formula import Formula, mathml, plain
from dcp_lang.emit.document.html import html_line, html_prose
from dcp_lang.emit.document.markdown import markdown_fence, markdown_line, markdown_text
from dcp_lang.emit.document.text import visible

#: Writes a formula, given whether it stands on a line of its own.
Writer: TypeAlias = Callable[[Formula, bool], str]

_OPEN = b'<script type="application/json" id="registration">'
_CLOSE = b"</script>"


class NoRegistrationError(ValueError):
    """A page that holds no registration, or one that was altered."""


def document_files(
    frozen: Mapping[str, Any], sha256: str, *, templates: Path | None = None
) -> dict[str, bytes]:
    """`preregistration.md` and `preregistration.html` of a frozen registration; same input, same bytes."""
    document = Document(frozen, sha256, templates)
    return {
        "preregistration.md": document.markdown().encode(),
        "preregistration.html": document.html().encode(),
    }


class Document:
    """One frozen registration and its sections, ready to be written in any format."""

    def __init__(self, frozen: Mapping[str, Any], sha256: str, templates: Path | None = None) -> None:
        self._frozen = frozen
        self._templates = templates
        self.sha256 = sha256
        sections = document_sections(frozen, sha256, templates)
        self._context = {
            "title": str(frozen["fields"]["title"]["value"]),
            "grade": str(frozen["grade"]),
            "sha256": sha256,
            "sections": sections,
        }

    def markdown(self) -> str:
        """CommonMark with tables."""
        env = environment(self._templates, _escape_markdown, _MARKDOWN_FILTERS)
        return env.get_template("preregistration.md.j2").render(self._context)

    def html(self, formula: Writer = mathml) -> str:
        """One page that needs nothing else and embeds the registration."""
        page = environment(self._templates, None, _html_filters(formula)).get_template(
            "preregistration.html.j2"
        )
        return page.render(self._context, embedded=embedded(self._frozen))


def embedded(frozen: Mapping[str, Any]) -> Markup:
    """The registration as JSON that no HTML parser can leave: `<`, `>` and `&` are written as escapes."""
    text = canonical_bytes(frozen).decode()
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def extract_registration(html: bytes) -> bytes:
    """The exact bytes of the registration that a page embeds; NoRegistrationError when there is none."""
    _, opened, rest = html.partition(_OPEN)
    text, closed, _ = rest.partition(_CLOSE)
    if not (opened and closed):
        raise NoRegistrationError("the page holds no registration")
    try:
        return canonical_bytes(load_strict(text.strip(), canonical=False))
    except ValueError as error:
        raise NoRegistrationError(f"the registration in the page cannot be read: {error}") from error


def _escape_markdown(value: object) -> object:
    return value if isinstance(value, Markup) else markdown_text(str(value))


_MARKDOWN_FILTERS: Functions = (
    ("line", markdown_line),
    ("formula", lambda formula: Markup(f"`{plain(formula)}`")),
    ("fence", markdown_fence),
    ("letters", lambda text: Markup(visible(text))),
)


@lru_cache(maxsize=2)
def _html_filters(formula: Writer) -> Functions:
    return (
        ("line", lambda line: html_line(line, formula)),
        ("prose", html_prose),
        ("formula", lambda tree: Markup(formula(tree, True))),
        ("letters", visible),
        ("drawing", Markup),
    )
