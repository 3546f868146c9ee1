"""Audits that several files test. Imported also where Inspect is not installed, so it imports nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..conftest import folder_in_memory

if TYPE_CHECKING:
    from dcp_lang.integrations.inspect_ai.audit import Audit


@pytest.fixture(scope="session")
def certified() -> Iterator[tuple[Audit, Path]]:
    """A Core audit as it was compiled, with enough episodes to certify, and its output folder."""
    from .audits import compiled_core, finish, run

    with folder_in_memory() as folder:
        audit = run(compiled_core(folder))
        yield audit, finish(audit)


@pytest.fixture
def core(tmp_path: Path) -> Path:
    """A Core audit of three challengers and two controls, not yet run."""
    from .audits import CORE, build

    return build(tmp_path, **CORE)


@pytest.fixture
def run_core(core: Path) -> Callable[[str], Audit]:
    """Run the small Core audit with an agent."""
    from .audits import run

    return lambda agent: run(core, agent)
