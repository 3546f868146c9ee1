"""What is built: wheel, source distribution and editable install all carry grammar, templates and pages."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CARRIED = ("grammar", "templates")


def _build(folder: Path, target: str, out: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (built,) = out.iterdir()
    return built


def _data_files() -> set[str]:
    """The project's grammar and templates, as the wheel names them."""
    found = (p for name in CARRIED for p in (ROOT / name).rglob("*") if p.is_file() and p.name != ".gitkeep")
    return {f"dcp_lang/_data/{path.relative_to(ROOT).as_posix()}" for path in found}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


def test_the_wheel_carries_grammar_templates_pages_and_types(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "dcp_lang").rglob("*.md")}
    wanted = {"dcp_lang/py.typed", "dcp_lang/diagnostics/diagnostics.schema.json"} | pages | _data_files()
    assert wanted - names == set()
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"dcp_lang"}


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sdist = _build(ROOT, "sdist", tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    again = _build(source, "wheel", tmp_path / "wheel")
    assert again.read_bytes() == wheel.read_bytes()


def _grammar_dir_as_seen(site: Path) -> Path:
    code = (
        f"import site; site.addsitedir({str(site)!r});"
        "from dcp_lang import resources; print(resources.data_dir('grammar')); resources.grammar_text()"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, capture_output=True, text=True)
    return Path(run.stdout.strip())


def test_an_installed_wheel_finds_its_own_grammar(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    assert _grammar_dir_as_seen(tmp_path) == tmp_path / "dcp_lang" / "_data" / "grammar"


def test_an_editable_install_finds_the_grammar_of_the_checkout(tmp_path: Path) -> None:
    editable = _build(ROOT, "wheel:editable", tmp_path / "dist")
    zipfile.ZipFile(editable).extractall(tmp_path / "site")
    assert _grammar_dir_as_seen(tmp_path / "site") == ROOT / "grammar"
