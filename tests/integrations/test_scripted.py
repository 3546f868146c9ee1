"""The scripted agent: confined, blind, repeatable, and honest in its receipts."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dcp_harness")

from dcp_harness.actions import read_action
from dcp_harness.util import hash_file

from dcp_lang.integrations.isolation import confined_to
from dcp_lang.integrations.scripted import ProviderUnreachable, ScriptedBackend, Session, recorded_pages

MODEL = "scripted-test"


def finisher(session: Session) -> None:
    session.write("drawn.txt", str(session.draw.random()))
    session.finish()


def unreachable(session: Session) -> None:
    raise ProviderUnreachable("no route")


def failing(session: Session) -> None:
    raise ZeroDivisionError


def run(tmp_path: Path, policy: Callable[[Session], None], name: str = "episode", seed: int = 0) -> Any:
    workspace = tmp_path / name / "workspace"
    workspace.mkdir(parents=True)
    backend = ScriptedBackend(policy, model=MODEL, accepted=(MODEL,), seed=seed)
    return backend.run(
        workspace=workspace, prompt="", record_dir=tmp_path / name / "turns/001", episode_id=name
    )


def drawn(tmp_path: Path, name: str) -> str:
    return (tmp_path / name / "workspace/drawn.txt").read_text()


def test_a_turn_leaves_a_valid_action_and_a_receipt_of_its_stream(tmp_path: Path) -> None:
    result = run(tmp_path, finisher)
    assert read_action(tmp_path / "episode/workspace").kind == "finish"
    assert result.execution_ok and result.assistant_models == (MODEL,)
    assert result.stdout_hash == hash_file(Path(result.stdout_path))


def test_draws_are_fixed_by_seed_and_episode(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    run(tmp_path, finisher, "one")
    run(tmp_path / "again", finisher, "one")
    run(tmp_path, finisher, "two")
    (tmp_path / "other").mkdir()
    run(tmp_path / "other", finisher, "one", seed=1)
    assert drawn(tmp_path, "one") == drawn(tmp_path / "again", "one")
    assert len({drawn(tmp_path, "one"), drawn(tmp_path, "two"), drawn(tmp_path / "other", "one")}) == 3


def test_a_failing_policy_is_a_failed_session(tmp_path: Path) -> None:
    result = run(tmp_path, failing)
    assert result.returncode == 1 and not result.infrastructure_invalid_preaction
    assert "ZeroDivisionError" in Path(result.stderr_path).read_text()


def test_an_unreachable_provider_names_no_model(tmp_path: Path) -> None:
    result = run(tmp_path, unreachable)
    assert result.infrastructure_invalid_preaction and not result.model_action_started
    assert result.assistant_models == () and not result.identity_complete


def test_identity_changes_with_policy_and_seed() -> None:
    hashes = {
        ScriptedBackend(policy, model=MODEL, accepted=(MODEL,), seed=seed).interface_hash
        for policy in (finisher, failing)
        for seed in (0, 1)
    }
    assert len(hashes) == 4


@pytest.mark.parametrize(
    "act",
    [
        lambda outside: (outside / "secret").read_text(),
        lambda outside: os.listdir(outside),
        lambda outside: (outside / "new").write_text("x"),
        lambda outside: os.rename("inside", outside / "inside"),
        lambda outside: subprocess.run(["true"]),
        lambda outside: os.system("true"),
        lambda outside: socket.create_connection(("127.0.0.1", 9)),
        lambda outside: __import__("sqlite3").connect(outside / "db"),
        lambda outside: __import__("gc").get_objects(),
        lambda outside: __import__("sys")._getframe(),
        lambda outside: Path("link").read_bytes(),
    ],
)
def test_a_confined_agent_cannot_leave(tmp_path: Path, act: Callable[[Path], object]) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    (outside / "secret").write_text("x")
    (home / "inside").write_text("x")
    (home / "link").symlink_to(outside / "secret")
    before = Path.cwd()
    os.chdir(home)
    try:
        with pytest.raises(PermissionError, match="scripted agent may not use"), confined_to(home):
            act(outside)
        assert (outside / "secret").read_text() == "x"  # the confinement has ended
    finally:
        os.chdir(before)


def test_a_confined_agent_works_at_home(tmp_path: Path) -> None:
    with confined_to(tmp_path):
        (tmp_path / "a").mkdir()
        (tmp_path / "a/b.txt").write_text("text")
        assert (tmp_path / "a/b.txt").read_text() == "text"
        assert os.listdir(tmp_path) == ["a"]


def test_a_sibling_with_the_same_beginning_is_outside(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home2").write_text("x")
    with pytest.raises(PermissionError), confined_to(tmp_path / "home"):
        (tmp_path / "home2").read_text()


def test_recorded_pages_know_their_urls_only(tmp_path: Path) -> None:
    from dcp_harness.config import WebConfig
    from dcp_harness.util import HarnessError
    from dcp_harness.web import WebPolicy

    (tmp_path / "page.html").write_text("<p>text</p>")
    (tmp_path / "pages.json").write_text(
        '{"https://example.org/page": {"file": "page.html", "content_type": "text/html"}}'
    )
    fetcher = recorded_pages(tmp_path)
    policy = WebPolicy.from_config(WebConfig(enabled=True, allowed_hosts=("example.org",)))
    assert fetcher.fetch("https://example.org/page", policy).raw_body == b"<p>text</p>"
    assert fetcher.live_network_used is False
    with pytest.raises(HarnessError, match="no fixture"):
        fetcher.fetch("https://example.org/other", policy)
