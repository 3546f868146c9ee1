"""Runs every literate case below this folder; ``--accept`` rewrites the renderings (not with ``-n``)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from literate import accepted, read_cases, run, whole_source

from dcp_lang.driver import check_text
from dcp_lang.language.values import Material
from dcp_lang.sema.materials import MISSING, MaterialError

HERE = Path(__file__).parent
BASES = HERE / "bases"
DOCUMENTS = sorted(HERE.glob("*/*.md"))
PLACES = [
    pytest.param(path, i, id=f"{path.parent.name}-{path.stem}-{i}")
    for path in DOCUMENTS
    for i, _ in enumerate(read_cases(path.read_text(encoding="utf-8")))
]


class AnyFiles:
    """A workspace in which every file is there, with the digest of its name, but for ``missing…``."""

    def material(self, path: str, folder: bool) -> Material:
        """A material of one byte; raises `MaterialError` for names that start with ``missing``."""
        if path.startswith("missing"):
            raise MaterialError(MISSING, f"there is no file `{path}`")
        digest = "sha256:" + hashlib.sha256(path.encode()).hexdigest()
        return Material("folder" if folder else "file", path, digest, 1)


@pytest.mark.parametrize(("path", "number"), PLACES)
def test_case(path: Path, number: int, request: pytest.FixtureRequest) -> None:
    document = path.read_text(encoding="utf-8")
    case = read_cases(document)[number]
    source = whole_source(case, BASES)
    text, expected, found = run(source, lambda name, clean: check_text(name, clean, AnyFiles()))
    if case.expected is None:
        assert found == expected, text
        return
    if request.config.getoption("--accept"):
        path.write_text(accepted(document, case, text), encoding="utf-8")
    assert text == read_cases(path.read_text(encoding="utf-8"))[number].expected
    assert set(expected) <= set(found)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_case_is_about_the_code_of_its_folder(path: Path) -> None:
    """The code stands in a mark or in a rendering, not only in the title."""
    cases = read_cases(path.read_text(encoding="utf-8"))
    assert any(f"[{path.parent.name}]" in case.source + (case.expected or "") for case in cases)
