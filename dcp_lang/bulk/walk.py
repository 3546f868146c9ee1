"""Which files of a folder are submissions: sources by their name, compiled registrations by what they say."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator

SOURCE, COMPILED = ".dcp", ".json"
#: How a frozen registration names itself; RFC 8785 puts no blank around the colon.
_SCHEMA = b'"schema":"dcp-lang/registration/'
_IGNORED = frozenset({"__pycache__", "node_modules"})


def submissions(paths: Iterable[str]) -> Iterator[str]:
    """Every submission, in a stable order: named files as they are, folders by path; links are not followed."""
    for path in paths:
        if path != "-" and os.path.isdir(path):
            yield from _below(path)
        else:
            yield path


def _below(folder: str) -> Iterator[str]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _IGNORED)
        for name in sorted(names):
            if name.endswith((SOURCE, COMPILED)) and _is_submission(path := os.path.join(root, name)):
                yield path


def _is_submission(path: str) -> bool:
    """Only regular files: a pipe of a submission's name would wait for a writer."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode) and (path.endswith(SOURCE) or _is_frozen(path))
    except OSError:
        return False


def _is_frozen(path: str) -> bool:
    with open(path, "rb") as file:
        return _SCHEMA in file.read()
