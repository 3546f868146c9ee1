"""The import budget of `check`: each of these modules would cost more than the check itself."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("click", "dataclasses", "inspect", "jinja2", "jsonschema", "lark", "pathlib", "scipy", "sympy")


def _loaded_by(statement: str) -> set[str]:
    """Modules that a statement loads beyond those that the interpreter starts with."""
    code = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return {name.split(".")[0] for name in run.stdout.split()}


def test_the_driver_loads_nothing_heavy() -> None:
    assert _loaded_by("import dcp_lang.driver") & set(HEAVY) == set()


def test_rendering_findings_loads_nothing_heavy() -> None:
    assert _loaded_by("import dcp_lang.diagnostics.text, dcp_lang.resources") & set(HEAVY) == set()
