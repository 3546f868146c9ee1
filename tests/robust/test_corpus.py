"""Inputs that once crashed or hung, and the typical shapes beside them: only findings, or a build.

Every file of `tests/corpus` is replayed; the shapes at the caps that need most memory run under a limit on it. What a
run costs is measured by `bench/run.py` for all shapes, not asserted here.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from judging import judge
from shapes import MAX_BYTES, shapes

ROOT = Path(__file__).resolve().parents[2]
CORPUS = sorted((ROOT / "tests" / "corpus").glob("*/*"))
#: Where the replayed sources lie: the files that they commit to are there.
FOLDER = ROOT / "examples" / "knapsack"

#: The shapes that need most memory, many findings, a long line and what once took gigabytes, and a number that once
#: hung for ever.
HEAVY = ["nearly known fields", "only '{'", "waivers of what is declared twice", "ten million episodes"]

_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (512 * 2**20,) * 2)
sys.path[:0] = {paths!r}
from shapes import shapes
from judging import judge
print(",".join(sorted({{d.code for d in judge({source!r}, shapes()[{name!r}])}})))
"""


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_only_findings(path: Path) -> None:
    found = judge(str(FOLDER / f"x{path.suffix}"), path.read_bytes())
    assert "I901" not in {d.code for d in found}
    assert any(d.is_error for d in found) == (path.parent.name == "faulty")


def test_the_command_line_says_the_same(capfd: pytest.CaptureFixture[str]) -> None:
    """Exit code 1 for the whole corpus at once, and nothing of ours on standard error."""
    from dcp_lang.cli import run

    assert run(["check", "--no-cache", str(ROOT / "tests" / "corpus")]) == 1
    assert "bug" not in capfd.readouterr().err


@pytest.mark.parametrize("name", HEAVY)
def test_shapes_at_the_caps_fit_into_memory(name: str) -> None:
    """512 MB of address space: more would end in a `MemoryError`."""
    assert MAX_BYTES // 2 < len(shapes()[name]) <= MAX_BYTES or name.startswith("ten million")
    source = str(ROOT / "examples" / "sqlite_web" / "x.dcp")
    code = _LIMITED.format(paths=[str(ROOT), str(ROOT / "tests" / "support")], name=name, source=source)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()
