"""Finds the grammar, the profiles and the templates, in a wheel, a checkout and an editable install alike.

A wheel carries them below ``dcp_lang/_data``; a checkout (and an editable install of it) has them beside the
package. Only `os` is used: `pathlib` and `importlib.resources` would cost several milliseconds of start-up.
"""

from __future__ import annotations

import os
from functools import lru_cache

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_SUFFIX = ".dcp"


def package_dir() -> str:
    """The folder of the package, below which the rule pages lie."""
    return _PACKAGE


def data_dir(name: str) -> str:
    """The folder `name` (``grammar`` or ``templates``), wherever this installation keeps it."""
    packed = os.path.join(_PACKAGE, "_data", name)
    return packed if os.path.isdir(packed) else os.path.join(os.path.dirname(_PACKAGE), name)


def grammar_text() -> str:
    """The text of the only grammar, ``grammar/dcp.lark``."""
    return _read(os.path.join(data_dir("grammar"), "dcp.lark"))


@lru_cache(maxsize=1)
def profile_names() -> tuple[str, ...]:
    """Names (``name/version``) of the shipped profiles, sorted."""
    files = os.listdir(_profile_dir())
    return tuple(sorted(_profile_name(file) for file in files if file.endswith(_SUFFIX)))


@lru_cache(maxsize=8)
def profile_text(name: str) -> str:
    """The source of the shipped profile `name` (``dcp.kernel/2``).

    Raises `KeyError` when no such profile is shipped; the name is looked up, never joined to a path
    unchecked.
    """
    if name not in profile_names():
        raise KeyError(name)
    return _read(os.path.join(_profile_dir(), name.replace("/", "-") + _SUFFIX))


def template_dir() -> str:
    """The folder of the document templates, fit for a Jinja ``FileSystemLoader``."""
    return data_dir("templates")


def _profile_dir() -> str:
    return os.path.join(data_dir("grammar"), "profiles")


def _profile_name(file: str) -> str:
    # A slash cannot stand in a file name: the version follows the last hyphen (dcp.kernel-2.dcp).
    name, _, version = file.removesuffix(_SUFFIX).rpartition("-")
    return f"{name}/{version}"


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as stream:
        return stream.read()
