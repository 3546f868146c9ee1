"""W704 on its limits: a million files, and 10 GiB, in all copies of the workspace together.

The runner makes four copies for every session of the plan and for the target's own.
"""

from __future__ import annotations

import pytest
from bases import base
from literate import patched

from dcp_lang.driver import Compilation
from dcp_lang.language.values import Material
from dcp_lang.source import SourceFile

DIGEST = "sha256:0b1f3c5d7e9a2b4c6d8e0f1a3b5c7d9e2f4a6b8c0d1e3f5a7b9c2d4e6f8a0b1d"


class Workspace:
    """A folder of so many files and bytes; every other material is a file."""

    def __init__(self, files: int, size: int) -> None:
        self.files, self.size = files, size

    def material(self, path: str, folder: bool) -> Material:
        digest = f"{DIGEST[:-4]}{len(path):04}"
        if folder:
            return Material("folder", path, digest, self.size, (("a", digest, 1),) * self.files)
        return Material("file", path, digest, 1)

    def bytes(self, path: str) -> bytes:
        raise AssertionError(path)


@pytest.mark.parametrize(
    ("controls", "files", "size", "said"),
    [
        (47, 2_000, 1, ""),  # 4 · (77 + 47 + 1) = 500 copies: exactly a million files
        (47, 2_001, 1, "500 copies of 2001 files make 1000500 files of 500 B together"),
        (50, 1, 20 << 20, ""),  # 512 copies of 20 MiB: exactly 10 GiB
        (50, 1, (20 << 20) + 1, "512 copies of 1 files make 512 files of 10737418752 B together"),
    ],
)
def test_what_is_still_no_burden(controls: int, files: int, size: int, said: str) -> None:
    text = patched(base("core"), f"- positive_controls = 24\n+ positive_controls = {controls}\n")
    compilation = Compilation(SourceFile("registration.dcp", text), Workspace(files, size))
    assert [(d.code, d.message) for d in compilation.diagnostics] == ([("W704", said)] if said else [])
