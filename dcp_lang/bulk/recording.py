"""A workspace that remembers what it was asked for and what it answered."""

from __future__ import annotations

from dcp_lang.record import TYPE_CHECKING
from dcp_lang.sema.materials import MaterialError

if TYPE_CHECKING:
    from typing import Any

    from dcp_lang.language.values import Material
    from dcp_lang.workspace import DiskWorkspace


class RecordingWorkspace:
    """Another workspace's answers, remembered."""

    def __init__(self, files: DiskWorkspace) -> None:
        self._files = files
        self._asked: dict[tuple[str, bool], str] = {}

    def material(self, path: str, folder: bool) -> Material:
        """As the other says."""
        try:
            found = self._files.material(path, folder)
        except MaterialError as error:
            self._asked[path, folder] = str(error)
            raise
        self._asked[path, folder] = found.sha256
        return found

    def bytes(self, path: str) -> bytes:
        """As the other says; the digest is remembered."""
        self.material(path, False)
        try:
            return self._files.bytes(path)
        except MaterialError as error:
            self._asked[path, False] = str(error)
            raise

    @property
    def asked(self) -> list[list[Any]]:
        """Everything that was asked: path, whether a folder was allowed, digest or fault."""
        return [[path, folder, said] for (path, folder), said in self._asked.items()]
