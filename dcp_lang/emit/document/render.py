"""From the frozen registration to files: templates lay out what the sections say.

Templates are packaged; an authority may put files of the same names before them (`--templates DIR`). They run in a
sandbox, undefined names are errors, and everything they print is escaped unless this package made it markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from dcp_lang.canonical import canonical_bytes, load_strict
from dcp_lang.emit.document.formula import mathml, plain
from dcp_lang.emit.document.html import html_line, html_prose
from dcp_lang.emit.document.markdown import markdown_fence, markdown_line, markdown_text
from dcp_lang.emit.document.sections import sections
from dcp_lang.emit.document.text import visible
from dcp_lang.emit.document.view import View
from dcp_lang.resources import template_dir

if TYPE_CHECKING:
    from jinja2 import Environment

_OPEN = b'<script type="application/json" id="registration">'
_CLOSE = b"</script>"


class NoRegistrationError(ValueError):
    """A page that holds no registration, or one that was altered."""


def document_files(
    frozen: Mapping[str, Any], sha256: str, *, templates: Path | None = None
) -> dict[str, bytes]:
    """`preregistration.md` and `preregistration.html` of a frozen registration; same input, same bytes."""
    view = View(frozen, sha256)
    return {
        "preregistration.md": render_markdown(view, templates).encode(),
        "preregistration.html": render_html(view, templates).encode(),
    }


def render_markdown(view: View, templates: Path | None = None) -> str:
    """The document as CommonMark with tables."""
    env = _environment(templates, html=False)
    env.filters |= {
        "line": markdown_line,
        "formula": _markdown_formula,
        "fence": markdown_fence,
        "letters": _letters,
    }
    return env.get_template("preregistration.md.j2").render(_context(view))


def render_html(view: View, templates: Path | None = None) -> str:
    """The document as one page that needs nothing else and embeds the registration."""
    env = _environment(templates, html=True)
    env.filters |= {"line": html_line, "prose": html_prose, "formula": _html_formula, "letters": visible}
    return env.get_template("preregistration.html.j2").render(
        _context(view) | {"embedded": embedded(view.frozen)}
    )


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


def _context(view: View) -> dict[str, Any]:
    parts = sections(view)
    return {
        "title": str(view.value("title")),
        "grade": view.frozen["grade"],
        "sha256": view.sha256,
        "first": parts[:2],
        "rest": parts[2:],
        "sections": parts,
        "fields": {path: entry["value"] for path, entry in view.fields.items()},
    }


def _environment(templates: Path | None, *, html: bool) -> Environment:
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    folders = [str(templates)] if templates else []
    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader([*folders, template_dir()]),
        undefined=StrictUndefined,
        # Escaping is always on; for Markdown, what is not markup of ours is escaped as Markdown first.
        autoescape=True,
        finalize=None if html else _escape_markdown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    loader = environment.loader
    assert loader is not None
    environment.globals["style"] = Markup(loader.get_source(environment, "style.css")[0])
    return environment


def _escape_markdown(value: object) -> object:
    return value if isinstance(value, Markup) else markdown_text(str(value))


def _letters(text: str) -> Markup:
    """Text for a fenced block, letter by letter."""
    return Markup(visible(text))


def _markdown_formula(formula: Any) -> Markup:
    return Markup(f"`{plain(formula)}`")


def _html_formula(formula: Any) -> Markup:
    return Markup(mathml(formula, display=True))
