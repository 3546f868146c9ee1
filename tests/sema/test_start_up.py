"""What a check may load: nothing heavy, whatever the conditions are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SUPPORT = Path(__file__).parents[1] / "support"
#: Each of these would cost more than a whole check.
HEAVY = ("sympy", "lark", "click", "jinja2", "jsonschema", "dataclasses", "inspect", "scipy")

CHECK = """
import sys
sys.path.insert(0, {support!r})
before = set(sys.modules)
import bases
text = bases.base("evidence").replace("policy challenger {{", {extra!r} + "\\n  policy challenger {{")
print([d.code for d in bases.findings(text)], *sorted(set({heavy!r}) & (set(sys.modules) - before)))
"""


def _loaded(extra: str) -> str:
    source = str(Path(__file__).parents[1] / "cases" / "bases" / "evidence" / "registration.dcp")
    code = CHECK.format(support=str(SUPPORT), source=source, extra=extra, heavy=HEAVY)
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_a_sound_file_is_checked_without_anything_heavy() -> None:
    assert _loaded("require ε < x - score(b)") == "[]"


def test_what_is_not_linear_is_decided_without_sympy_too() -> None:
    assert _loaded("require x * (1 - x) <= 0.25") == "[]"
