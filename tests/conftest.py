"""Shared by all tests: golden files that ``--accept`` rewrites, and the independent reference data."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="rewrite expected outputs with what came out")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with a golden file, or with ``--accept`` write it there."""

    def check(path: Path, actual: str) -> None:
        if request.config.getoption("--accept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(actual.encode())
        assert actual == path.read_bytes().decode(), f"{path.name} differs; look, then run with --accept"

    return check


@pytest.fixture(scope="session")
def oracle() -> Path:
    """The folder of independent reference data; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("DCP_ORACLE") or ROOT.parent / "shared" / "oracle")
    if not folder.is_dir():
        pytest.skip("no reference data: set DCP_ORACLE")
    return folder
