"""A folder with one sound submission, its files beside it, and a cache that is nobody else's."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dcp_lang.cli import run

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "knapsack"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of an example that checks clean; spaces and letters beyond ASCII in its path."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    target = tmp_path / "a submission é"
    shutil.copytree(EXAMPLE, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


@pytest.fixture
def sound(folder: Path) -> str:
    """The text of the sound registration."""
    return (folder / "registration.dcp").read_text("utf-8")


@pytest.fixture
def compiled(folder: Path) -> Path:
    """The sound submission, compiled in place."""
    assert run(["compile", str(folder / "registration.dcp"), "-o", str(folder / "out")]) == 0
    return folder / "out" / "registration.json"


@pytest.fixture
def codes(capfd: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """Run a command in this process; its exit code, then the codes of the errors that it shows."""

    def call(*arguments: str | Path) -> list[str]:
        capfd.readouterr()
        status = run([str(a) for a in arguments])
        shown = "".join(capfd.readouterr()).splitlines()
        return [str(status), *(line[6:10] for line in shown if line.startswith("error["))]

    return call


@pytest.fixture
def many(folder: Path, sound: str) -> Path:
    """Six submissions: the sound one, and five with one error each."""
    for number in range(5):
        text = sound.replace("ρ = 5%", f"ρ = {number + 2}00%")
        (folder / f"faulty_{number}.dcp").write_text(text, "utf-8")
    return folder
