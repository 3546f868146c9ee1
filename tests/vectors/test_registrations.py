"""The vectors that are whole registrations: the sound one holds, every other one is refused at its own place."""

from __future__ import annotations

import json
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from generated import compiled, frozen_bytes
from second_reader import Node

from dcp_lang.canonical import digest
from dcp_lang.recheck import verify_registration

HERE = Path(__file__).parent
FOLDER = HERE / "registrations"
INDEX = json.loads((FOLDER / "index.json").read_bytes())
MAKER = "make_registrations.py"
#: The step of `dcpc verify-registration` that finds each kind; a digest is a matter of form.
STEPS = {
    "digest": "form",
    "certificate": "certificates",
    "sum": "certificates",
    "field": "form",
    "stale": "source and rules",
}
REJECTED = pytest.mark.parametrize("vector", INDEX["reject"], ids=lambda vector: vector["file"])


def test_the_sound_one_is_what_the_source_freezes_to(request: pytest.FixtureRequest) -> None:
    data = frozen_bytes(compiled((HERE / "registration.dcp").read_text(encoding="utf-8")))
    if request.config.getoption("--accept"):
        (FOLDER / "sound.json").write_bytes(data)
        runpy.run_path(str(HERE / MAKER))["write"]()
    assert (FOLDER / "sound.json").read_bytes() == data, "look, then run with --accept"


def test_the_files_are_as_made() -> None:
    found = {path.name: path.read_bytes() for path in FOLDER.glob("*.json")}
    assert found == runpy.run_path(str(HERE / MAKER))["build"]()


def test_the_sound_one_holds() -> None:
    data = (FOLDER / "sound.json").read_bytes()
    assert digest(data) == INDEX["accept"][0]["digest"]
    assert verify_registration(data, exact=True).holds


@REJECTED
def test_refused_at_its_own_place(vector: dict[str, str]) -> None:
    steps = verify_registration((FOLDER / vector["file"]).read_bytes()).steps
    found = {step.name: [f.pointer for f in step.faults] for step in steps if step.faults}
    start, _, end = vector["pointer"].partition("#")
    places = [p for p in found[STEPS[vector["kind"]]] if p.startswith(start) and p.endswith(end)]
    assert places, found
    # A form that cannot be read ends the check; certificates do not hide behind the source.
    if vector["kind"] == "stale":
        assert "certificates" not in found


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    reader = Node()
    yield reader
    assert reader.close() == 0


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
@pytest.mark.parametrize(
    "vector",
    [v for v in INDEX["reject"] if v["kind"] in ("digest", "certificate", "sum")],
    ids=lambda vector: vector["file"],
)
def test_the_second_reader_refuses_it_too(node: Node, vector: dict[str, str]) -> None:
    answer = node.read("registration", (FOLDER / vector["file"]).read_bytes())
    assert vector["pointer"] in answer["ok"]["faults"]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_second_reader_accepts_the_sound_one(node: Node) -> None:
    answer = node.read("registration", (FOLDER / "sound.json").read_bytes())
    assert answer == {"ok": {"digest": INDEX["accept"][0]["digest"], "faults": []}}
