"""An episode's workspace: the files that a model reads and writes, and nothing else of the machine.

There is no shell and no code execution, so a path that stays below the root is all the isolation that the tools
need. Files are text for the model and bytes for the record.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from dcp_lang.canonical import canonical_bytes, digest


class DeskError(ValueError):
    """A request that the workspace cannot serve; the model sees the reason."""


class Desk:
    """The folder of one episode."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, name: str) -> Path:
        """The place of a file; `DeskError` for a name that leaves the workspace."""
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or ".." in parts or "\0" in name:
            raise DeskError(f"`{name}` is not a file name below the workspace")
        return self.root.joinpath(*parts)

    def read(self, name: str) -> str:
        """Text of a file."""
        path = self.path(name)
        if not path.is_file():
            raise DeskError(f"there is no file `{name}`")
        try:
            return path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise DeskError(f"`{name}` is not a text file") from error

    def write(self, name: str, text: str) -> None:
        """Write a file, making its folders."""
        path = self.path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise DeskError(f"`{name}` cannot be written: {error.strerror}") from error

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace the one place where a file has the text `old`."""
        text = self.read(name)
        if text.count(old) != 1:
            raise DeskError(f"`{name}` has the text {text.count(old)} times, once is needed")
        self.write(name, text.replace(old, new))

    def glob(self, pattern: str) -> list[str]:
        """Names of the files that match a pattern, sorted."""
        return [name for name in self.names() if PurePosixPath(name).match(pattern)]

    def grep(self, text: str) -> list[str]:
        """Lines that contain a text, as `name:number:line`; files that are not text have none."""
        return [
            f"{name}:{number}:{line}"
            for name in self.names()
            for number, line in enumerate(self._text(name).splitlines(), start=1)
            if text in line
        ]

    def _text(self, name: str) -> str:
        return (self.root / name).read_bytes().decode("utf-8", errors="ignore")

    def names(self) -> list[str]:
        """Names of all files, sorted."""
        return sorted(p.relative_to(self.root).as_posix() for p in self.root.rglob("*") if p.is_file())

    def digest(self) -> str:
        """Digest of the names and bytes of all files."""
        return digest(canonical_bytes(self.snapshot()))

    def snapshot(self) -> dict[str, str]:
        """All files, each in base64: an artifact may hold any bytes."""
        return {name: base64.b64encode((self.root / name).read_bytes()).decode() for name in self.names()}

    def restore(self, files: Mapping[str, str]) -> None:
        """Put the files of a snapshot into the empty workspace."""
        for name, encoded in files.items():
            path = self.path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(encoded, validate=True))
