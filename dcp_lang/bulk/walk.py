"""Which files of a folder are submissions: sources by their name, compiled registrations by what they say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from dcp_lang.bulk.submission import READ_AT_MOST, Submission
from dcp_lang.workspace import open_below

SOURCE, COMPILED = ".dcp", ".json"
#: How a frozen registration names itself; RFC 8785 puts no blank around the colon.
_SCHEMA = b'"schema":"dcp-lang/registration/'
_IGNORED = frozenset({"__pycache__", "node_modules"})
#: Deeper than anyone sorts files; every step is taken again for every file.
MAX_DEPTH = 64
_CHUNK = 2**20
#: Where the text of a JSON object may begin: after blanks, or after a byte order mark.
_BEFORE = b"\xef\xbb\xbf \t\r\n"


def below(top: str, compiled: bool) -> Iterator[Submission]:
    """Every submission below a folder, by path; links are not followed."""
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        steps = waiting.pop()
        path = os.path.join(top, *steps)
        try:
            folders, names = _listed(top, steps)
        except OSError as error:
            yield Submission(path, fault=error.strerror or str(error))
            continue
        for name in names:
            if name.endswith(SOURCE) or (compiled and _is_frozen(top, (*steps, name))):
                yield Submission(os.path.join(path, name), top, (*steps, name))
        waiting += [(*steps, name) for name in reversed(folders)]


def _listed(top: str, steps: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The folders to walk and the regular files that may be submissions, each sorted; raises OSError."""
    if len(steps) > MAX_DEPTH:
        raise OSError(None, f"folders are nested deeper than {MAX_DEPTH}")
    folders, names = [], []
    handle = open_below(top, steps)
    try:
        with os.scandir(handle) as found:
            for entry in found:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
                elif entry.name.endswith((SOURCE, COMPILED)) and entry.is_file(follow_symlinks=False):
                    names.append(entry.name)
    finally:
        os.close(handle)
    return sorted(f for f in folders if not f.startswith(".") and f not in _IGNORED), sorted(names)


def _is_frozen(top: str, steps: tuple[str, ...]) -> bool:
    """Whether a file holds the mark of a frozen registration, as far as a submission is read."""
    with suppress(OSError):
        handle = open_below(top, steps)
        try:
            return _has_mark(handle)
        finally:
            os.close(handle)
    return False


def _has_mark(handle: int) -> bool:
    kept = os.read(handle, _CHUNK)
    if not kept.lstrip(_BEFORE).startswith(b"{"):
        return False
    for _ in range(READ_AT_MOST // _CHUNK):
        if _SCHEMA in kept or not (chunk := os.read(handle, _CHUNK)):
            break
        kept = kept[-len(_SCHEMA) :] + chunk
    return _SCHEMA in kept
