"""The examples that compile, frozen once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from generated import frozen_bytes

from dcp_lang.driver import Compilation
from dcp_lang.source import SourceFile
from dcp_lang.workspace import DiskWorkspace

EXAMPLES = Path(__file__).parents[2] / "examples"


def compile_example(name: str) -> Compilation:
    """The compilation of an example among its own files."""
    source = (EXAMPLES / name / "registration.dcp").read_text(encoding="utf-8")
    return Compilation(SourceFile("registration.dcp", source), DiskWorkspace(str(EXAMPLES / name)))


@pytest.fixture(scope="session")
def compiled_examples() -> dict[str, Compilation]:
    """Every example by name."""
    names = sorted(path.parent.name for path in EXAMPLES.glob("*/registration.dcp"))
    return {name: compile_example(name) for name in names}


@pytest.fixture(scope="session")
def frozen_examples(compiled_examples: dict[str, Compilation]) -> dict[str, bytes]:
    """The frozen bytes of every example that compiles."""
    return {name: frozen_bytes(c) for name, c in compiled_examples.items() if c.is_sound}


@pytest.fixture(scope="session")
def web(frozen_examples: dict[str, bytes]) -> bytes:
    """An Evidence registration: `examples/sqlite_web`."""
    return frozen_examples["sqlite_web"]
