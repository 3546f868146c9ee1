"""The page of a rule is a test: its example is reported, what it says to use instead is not."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from overlay import overlaid

from dcp_lang.diagnostics.pages import Page, all_pages
from dcp_lang.driver import check_text
from dcp_lang.language.values import Material
from dcp_lang.sema.materials import LEAVES_FOLDER, MISSING, MaterialError

BASES = Path(__file__).parents[1] / "cases" / "bases"
#: What only a real disk shows; `test_materials.py` is about these.
ON_DISK = {"E803", "E805", "E806", "E807", "E809"}
PAGES = [p for p in all_pages() if not p.code.startswith("E0") and p.code not in ON_DISK]


class Files:
    """Every file is there, but for ``missing…``; ``many/`` holds ten thousand files."""

    def material(self, path: str, folder: bool) -> Material:
        if path.startswith("missing"):
            raise MaterialError(MISSING, f"there is no file `{path}`")
        if path.startswith(".."):
            raise MaterialError(LEAVES_FOLDER, f"`{path}` leaves the folder")
        digest = "sha256:" + hashlib.sha256(path.encode()).hexdigest()
        files = (("a", digest, 1),) * 10_000 if path == "many/" else (("a", digest, 1),)
        return (
            Material("folder", path, digest, len(files), files)
            if folder
            else Material("file", path, digest, 1)
        )


def found(page: Page, section: str, base: str) -> set[str]:
    """The codes that the block of a section has, over a base."""
    blocks = re.findall(r"^```dcp\n(.*?)^```$", page.sections[section], re.MULTILINE | re.DOTALL)
    whole = (BASES / base / "registration.dcp").read_text(encoding="utf-8")
    return {d.code for block in blocks for d in check_text("page", overlaid(whole, block), Files())}


@pytest.mark.parametrize("page", [pytest.param(p, id=p.code) for p in PAGES])
def test_the_example_is_reported_and_what_to_use_instead_is_not(page: Page) -> None:
    bases = [base for base in ("evidence", "core") if page.code in found(page, "Example", base)]
    assert bases, (page.code, found(page, "Example", "evidence"), found(page, "Example", "core"))
    assert any(page.code not in found(page, "Use instead", base) for base in bases)
