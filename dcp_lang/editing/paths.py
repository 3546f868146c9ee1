"""File names for `file("…")`: what lies beside the registration, and never anything outside its folder."""

from __future__ import annotations

import os
from itertools import islice
from typing import NamedTuple

from dcp_lang.driver import Compilation
from dcp_lang.sema.materials import MaterialError
from dcp_lang.workspace import IGNORED, DiskWorkspace, open_below, split_path

#: More names than anyone reads.
_MOST = 1000


class Entry(NamedTuple):
    """A file or folder that can be committed, by its name."""

    name: str
    is_folder: bool


def entries(compilation: Compilation, folder: str) -> list[Entry]:
    """What a registration can commit to in a folder below its own, sorted by name.

    `folder` is empty or ends with `/`. Hidden files, links, and names that no registration may hold are left out;
    every step is opened without following links, so nothing outside the registration's folder is listed.
    """
    workspace = compilation.workspace
    if not isinstance(workspace, DiskWorkspace):
        return []
    try:
        handle = open_below(workspace.root, split_path(folder) if folder else [])
    except (MaterialError, OSError):
        return []
    try:
        with os.scandir(handle) as found:
            rows = list(islice(filter(None, map(_entry, found)), _MOST))
    except OSError:  # a file, or a folder that may not be read
        return []
    finally:
        os.close(handle)
    own = "" if folder else os.path.basename(compilation.source.name)
    return sorted(row for row in rows if row.name != own)


def _entry(item: os.DirEntry[str]) -> Entry | None:
    is_folder = item.is_dir(follow_symlinks=False)
    if item.name.startswith(".") or item.name in IGNORED:
        return None
    try:
        split_path(item.name)
    except MaterialError:
        return None
    return Entry(item.name, is_folder) if is_folder or item.is_file(follow_symlinks=False) else None
