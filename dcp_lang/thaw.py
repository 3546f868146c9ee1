"""A frozen registration compiled again from its own contents: the embedded source, profiles and file digests.

Nothing outside the JSON is read. Compiling gives the same bytes, or something in the file is not what the
compiler would have written.
"""

from __future__ import annotations

from typing import Any

from dcp_lang.driver import Compilation
from dcp_lang.language.values import Material
from dcp_lang.sema.materials import MISSING, MaterialError
from dcp_lang.source import SourceFile
from dcp_lang.syntax import ast


class FrozenWorkspace:
    """The files of a frozen registration: their digests are known, their bytes are not."""

    def __init__(self, frozen: dict[str, Any]) -> None:
        values = [field["value"] for field in frozen["fields"].values()]
        self._known = {m.path: m for v in values if isinstance(v, dict) for m in _material(v)}

    def material(self, path: str, folder: bool) -> Material:
        """The recorded digest of a file or folder; raises `MaterialError` for a path that is not recorded."""
        found = self._known.get(path) or self._known.get(path + "/" if folder else path)
        if found is None:
            raise MaterialError(MISSING, f"the registration records no file `{path}`")
        return found

    def bytes(self, path: str) -> bytes:
        """Always raises `MaterialError`: a frozen registration holds no file's bytes."""
        raise MaterialError(MISSING, f"the registration holds only the digest of `{path}`")


def _material(value: dict[str, Any]) -> list[Material]:
    if "file" in value:
        return [Material("file", value["file"], value["sha256"], value["size"])]
    if "folder" in value:
        rows = tuple((f["path"], f["sha256"], f["size"]) for f in value["files"])
        return [Material("folder", value["folder"], value["sha256"], sum(r[2] for r in rows), rows)]
    return []


class FrozenCompilation(Compilation):
    """The compilation of a frozen registration's normal form, with the profiles that it embeds."""

    def __init__(self, frozen: dict[str, Any]) -> None:
        super().__init__(SourceFile("registration.json", frozen["source"]), FrozenWorkspace(frozen))
        self._profiles = {p["name"]: p["source"] for p in frozen["profiles"]}

    def find_profile(self, use: ast.Use) -> SourceFile | None:
        """A profile that the registration embeds."""
        if isinstance(use.target, ast.Text) and use.target.value in self._profiles:
            return SourceFile(use.target.value, self._profiles[use.target.value])
        return None
