"""Runs every literate case below this folder; ``--accept`` rewrites the renderings (not with ``-n``)."""

from __future__ import annotations

from pathlib import Path

import pytest
from literate import accepted, read_cases, run, whole_source

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
DOCUMENTS = sorted(HERE.glob("*/*.md"))
PLACES = [
    pytest.param(path, i, id=f"{path.parent.name}-{path.stem}-{i}")
    for path in DOCUMENTS
    for i, _ in enumerate(read_cases(path.read_text(encoding="utf-8")))
]


@pytest.mark.parametrize(("path", "number"), PLACES)
def test_case(
    path: Path, number: int, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dcp_lang.driver import check_text

    document = path.read_text(encoding="utf-8")
    case = read_cases(document)[number]
    if case.base:
        monkeypatch.chdir(EXAMPLES / case.base)  # where its files are
    text, expected, found = run(whole_source(case, EXAMPLES), check_text)
    if case.expected is None:
        assert found == expected, text
        return
    if request.config.getoption("--accept"):
        path.write_text(accepted(document, case, text), encoding="utf-8")
    assert text == read_cases(path.read_text(encoding="utf-8"))[number].expected
    assert set(expected) <= set(found)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_case_is_about_the_code_of_its_folder(path: Path) -> None:
    assert path.parent.name in path.read_text(encoding="utf-8").replace(f"# {path.parent.name}", "", 1)
