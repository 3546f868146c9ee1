"""Rules of the house: sizes of units, and no path of one machine anywhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GENERATED = {"dcp_lang/syntax/tables.py"}
SOURCES = sorted(
    path for path in (ROOT / "dcp_lang").rglob("*.py") if str(path.relative_to(ROOT)) not in GENERATED
)
FILE_LINES, FUNCTION_LINES = 400, 50


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_units_are_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= FILE_LINES
    functions = (
        n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    long = [f.name for f in functions if (f.end_lineno or f.lineno) - f.lineno >= FUNCTION_LINES]
    assert long == []


def test_no_machine_path_is_written_down() -> None:
    path_of_a_machine = re.compile(r"(?<![\w.])/(?:work|tmp|root|home)/\w")
    texts = [*SOURCES, *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CHANGELOG.md"))]
    assert [p.name for p in texts if path_of_a_machine.search(p.read_text(encoding="utf-8"))] == []


def test_the_paths_that_the_documents_name_exist() -> None:
    """Documents rot where they name files; every path of theirs from the top level must be there."""
    named = re.compile(
        r"(?<![\w/.$-])((?:dcp_lang|docs|examples|grammar|templates|tests|bench|editors)/[\w./-]*\w)"
    )
    for document in ("README.md", "ARCHITECTURE.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        assert [path for path in named.findall(text) if not (ROOT / path).exists()] == [], document
