"""The template environment: packaged templates, an authority's own before them, in a sandbox.

Undefined names are errors; nothing that a template prints goes out unescaped, since each kind of template
passes what it prints through its own `finalize`, and pages are autoescaped besides.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from dcp_lang.resources import template_dir

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context

#: What templates may call: name and function.
Functions: TypeAlias = tuple[tuple[str, Callable[..., Any]], ...]


def environment(
    templates: Path | None = None,
    finalize: Callable[[Any], Any] | None = None,
    filters: Functions = (),
    tests: Functions = (),
) -> Environment:
    """A sandboxed environment over `templates` (when given) and the packaged ones."""
    if templates is None:
        return _packaged(finalize, filters, tests)
    return _environment([str(templates), template_dir()], finalize, filters, tests)


@lru_cache(maxsize=8)
def _packaged(finalize: Callable[[Any], Any] | None, filters: Functions, tests: Functions) -> Environment:
    """Kept, because translating the templates costs more than filling them in."""
    return _environment([template_dir()], finalize, filters, tests)


def _environment(
    folders: list[str], finalize: Callable[[Any], Any] | None, filters: Functions, tests: Functions
) -> Environment:
    # Loaded here: `dcpc` starts without it.
    from jinja2 import ChainableUndefined, FileSystemLoader, StrictUndefined, pass_context
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Missing(ChainableUndefined, StrictUndefined):
        """What is missing may be asked for (`notes.pilots is defined`), never printed or compared."""

    @pass_context  # or Jinja would finalize constants once, when it translates a template
    def finalized(_: Context, value: Any) -> Any:
        return finalize(value) if finalize else value

    env = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(folders),
        undefined=Missing,
        autoescape=True,
        finalize=finalized,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    env.filters.update(filters)
    env.tests.update(tests)
    return env
