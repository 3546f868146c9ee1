"""The registrations below one folder, which is all that the page can read or write."""

from __future__ import annotations

import os
from pathlib import Path

from dcp_lang.diagnostics.model import Sink
from dcp_lang.driver import Compilation
from dcp_lang.editing.line_ends import in_line_ends_of
from dcp_lang.emit.atomic import write_file
from dcp_lang.source import SourceFile
from dcp_lang.syntax import MAX_BYTES
from dcp_lang.workspace import DiskWorkspace

#: More registrations than a list on a page can show.
_MOST = 500


class Files:
    """`.dcp` files below a folder (or one of them), by their path below it."""

    def __init__(self, target: Path) -> None:
        target = target.resolve()
        self.root = target.parent if target.is_file() else target
        self._only = target.name if target.is_file() else None
        self._known: set[str] = set()
        self._workspaces: dict[str, DiskWorkspace] = {}

    def names(self) -> list[str]:
        """All of them, sorted; hidden ones, links and what lies behind links are left out."""
        if self._only is not None:
            return [self._only]
        found: list[str] = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "node_modules")
            paths = (Path(folder, name) for name in names if name.endswith(".dcp") and name[0] != ".")
            found += [
                p.relative_to(self.root).as_posix() for p in paths if p.is_file() and not p.is_symlink()
            ]
        return sorted(found)[:_MOST]

    def read(self, name: str) -> str:
        """The text of a file; KeyError where there is none, ValueError when it is no text or too large."""
        try:
            data = self._path(name).read_bytes()
        except FileNotFoundError:
            raise KeyError(name) from None
        if len(data) > MAX_BYTES:
            raise ValueError(f"{name} is larger than {MAX_BYTES} bytes")
        return data.decode()

    def write(self, name: str, text: str) -> None:
        """Replace a file, whole or not at all, or write it again; KeyError for any other name.

        The page knows no CRLF, the file may.
        """
        path = self._path(name)
        old = path.read_bytes().decode(errors="replace") if path.exists() else ""
        write_file(path, in_line_ends_of(text, old).encode())

    def compilation(self, name: str, text: str) -> Compilation:
        """The compilation of a text as if the file held it; KeyError for any other name."""
        folder = str(self._path(name).parent)
        workspace = self._workspaces.setdefault(folder, DiskWorkspace(folder))
        return Compilation(SourceFile(name, text), workspace, Sink())

    def refresh(self) -> None:
        """Forget the digests of committed files: they may have changed."""
        self._workspaces.clear()

    def _path(self, name: str) -> Path:
        """Where a file lies, or lay when it was listed: what is open on the page is not lost when its file is."""
        if name not in self._known:
            self._known.update(self.names())
        path = self.root / name
        if name not in self._known or path.is_symlink() or path.parent.resolve() != path.parent:
            raise KeyError(name)
        return path
