"""Base registrations and files for tests of the passes after parsing."""

from __future__ import annotations

import hashlib
from pathlib import Path

from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.driver import Compilation
from dcp_lang.language.values import Material
from dcp_lang.sema.materials import LEAVES_FOLDER, MISSING, MaterialError
from dcp_lang.source import SourceFile

BASES = Path(__file__).parents[1] / "cases" / "bases"


class Files:
    """A workspace in which every file is there, but for ``missing…``, and ``many/`` holds ten thousand."""

    def __init__(self, texts: dict[str, str] | None = None) -> None:
        self.texts = texts or {}

    def material(self, path: str, folder: bool) -> Material:
        """A material whose digest is that of its name."""
        if path.startswith("missing"):
            raise MaterialError(MISSING, f"there is no file `{path}`")
        if path.startswith(".."):
            raise MaterialError(LEAVES_FOLDER, f"`{path}` leaves the folder")
        digest = "sha256:" + hashlib.sha256(path.encode()).hexdigest()
        files = (("a", digest, 1),) * (10_000 if path == "many/" else 1)
        if folder:
            return Material("folder", path, digest, len(files), files)
        return Material("file", path, digest, 1)

    def bytes(self, path: str) -> bytes:
        """The text of a file, for profiles."""
        return self.texts[path].encode()


def base(name: str) -> str:
    """The text of a base registration, `core` or `evidence`; it checks without findings."""
    return (BASES / name / "registration.dcp").read_text(encoding="utf-8")


def compilation(text: str, texts: dict[str, str] | None = None) -> Compilation:
    """A source with every file that it names."""
    return Compilation(SourceFile("registration.dcp", text), Files(texts))


def findings(text: str, texts: dict[str, str] | None = None) -> list[Diagnostic]:
    """What is found in a source with every file that it names."""
    return compilation(text, texts).diagnostics
