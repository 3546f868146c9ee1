"""The template environment: packaged templates, an authority's own before them, in a sandbox.

Undefined names are errors; nothing that a template prints goes out unescaped, since each kind of template
passes what it prints through its own `finalize`, and pages are autoescaped besides.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dcp_lang.resources import template_dir

if TYPE_CHECKING:
    from jinja2 import Environment


def environment(
    templates: Path | None = None, *, autoescape: bool = False, finalize: Callable[[Any], Any] | None = None
) -> Environment:
    """A sandboxed environment over `templates` (when given) and the packaged ones."""
    # Loaded here: `dcpc` starts without it.
    from jinja2 import ChainableUndefined, FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Missing(ChainableUndefined, StrictUndefined):
        """What is missing may be asked for (`notes.pilots is defined`), never printed or compared."""

    folders = [str(templates)] if templates else []
    return ImmutableSandboxedEnvironment(
        loader=FileSystemLoader([*folders, template_dir()]),
        undefined=Missing,
        autoescape=autoescape,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
