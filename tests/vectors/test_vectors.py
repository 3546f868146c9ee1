"""The vectors are as `make.py` writes them, and the loader takes and refuses them for the stated reasons."""

import json
import runpy
from pathlib import Path

import pytest
from spelling import fault

from dcp_lang.canonical import digest

HERE = Path(__file__).parent
INDEX = json.loads((HERE / "index.json").read_bytes())


def test_the_files_are_as_made() -> None:
    paths = [HERE / "index.json", *HERE.glob("accept/*.json"), *HERE.glob("reject/*.json")]
    found = {p.relative_to(HERE).as_posix(): p.read_bytes() for p in paths}
    assert found == runpy.run_path(str(HERE / "make.py"))["build"]()


@pytest.mark.parametrize("vector", INDEX["accept"], ids=lambda vector: vector["file"])
def test_accepted(vector: dict[str, str]) -> None:
    data = (HERE / vector["file"]).read_bytes()
    assert fault(data) is None
    assert digest(data) == vector["digest"]


@pytest.mark.parametrize("vector", INDEX["reject"], ids=lambda vector: vector["file"])
def test_refused_for_its_own_fault(vector: dict[str, str]) -> None:
    assert fault((HERE / vector["file"]).read_bytes()) == vector["kind"]


def test_there_are_enough_and_each_kind_is_explained() -> None:
    kinds = {vector["kind"] for vector in INDEX["reject"]}
    rows = [
        line.split("`")[1] for line in (HERE / "README.md").read_text().splitlines() if line.startswith("| `")
    ]
    assert len(INDEX["reject"]) >= 40
    assert sorted(kinds) == rows
    assert all(vector["why"] for vector in INDEX["accept"] + INDEX["reject"])
