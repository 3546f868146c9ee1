"""The README's commands are those that the continuous integration runs."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_first_two_shell_blocks_install_compile_and_test() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    install, test = blocks[:2]
    assert install.count("\n") == test.count("\n") == 1
    assert "pip install . && .venv/bin/dcpc compile examples/" in install
    assert "pip install '.[test]' && .venv/bin/pytest" in test
