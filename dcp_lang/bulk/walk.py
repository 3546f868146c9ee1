"""Which files of a folder are submissions: sources by their name, compiled registrations by what they say."""

from __future__ import annotations

import os
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
            path = os.path.join(root, name)
            if not os.path.islink(path) and _is_submission(path):
                yield path


def _is_submission(path: str) -> bool:
    """Only regular files: a pipe of a submission's name would wait for a writer."""
    if not path.endswith((SOURCE, COMPILED)) or not os.path.isfile(path):
        return False
    return path.endswith(SOURCE) or _is_frozen(path)


def _is_frozen(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return _SCHEMA in file.read()
    except OSError:
        return False
