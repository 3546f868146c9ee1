"""The place where the tests of this folder build."""

from pathlib import Path

import pytest

from dcp_lang.emit import atomic


@pytest.fixture(params=["one step", "two steps"])
def out(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for a build, once with the one-step swap and once as on systems without it."""
    if request.param == "two steps":
        monkeypatch.setattr(atomic, "_exchange", lambda one, other: False)
    return tmp_path / "parent" / "out"
