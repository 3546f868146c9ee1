"""`expected-contracts.json` is the compiler's own: it needs no peer and does not depend on the place."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from dcp_lang.emit.expected import resolve

EXAMPLE = Path(__file__).parents[2] / "examples/affine/registration.dcp"
COMPILE = """
import sys
sys.modules |= dict.fromkeys(sys.argv[3:])
from dcp_lang.cli import run
raise SystemExit(run(["compile", sys.argv[1], "-o", sys.argv[2]]))
"""


def written_into(folder: Path, *missing: str) -> bytes:
    """What a fresh interpreter, in which some modules cannot be imported, writes for the example."""
    command = [sys.executable, "-c", COMPILE, str(EXAMPLE), str(folder), *missing]
    subprocess.run(command, capture_output=True, check=True)
    return (folder / "runner/expected-contracts.json").read_bytes()


def test_it_is_the_same_without_the_peers_and_elsewhere(tmp_path: Path) -> None:
    written = written_into(tmp_path / "a", "dcp", "dcp_harness")
    assert written == written_into(tmp_path / "deep/b")
    document = json.loads(written)
    assert document["peer"] == "dcp-harness 0.1.1" and document["expected"] and document["formulas"]


def test_a_formula_waits_for_all_its_facts() -> None:
    """sha256 of {"a":"1","b":"2"}, taken with sha256sum."""
    formulas = {"outer": {"a": {"$value": "x"}, "b": {"$value": "inner"}}, "inner": "2"}
    assert resolve("outer", formulas, {}) is None
    assert resolve("nothing", formulas, {}) is None
    digest = resolve("outer", formulas, {"x": "1"})
    assert digest == "sha256:21f76dfbfe6dfe21f762080ef484112cf2952974cef30741fd1931e1c6d92112"
