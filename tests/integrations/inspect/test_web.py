"""Web access in Inspect: fetched once by the main run, replayed to its branches, given to challengers."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("dcp_harness")

from dcp_harness.web import FixtureFetcher, WebPolicy

from dcp_lang.integrations.compiled import CompiledError
from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.inspect_ai.logs import checkpoint_of, found_episodes
from dcp_lang.integrations.inspect_ai.run import run_stages
from dcp_lang.integrations.inspect_ai.scripted import scripted_model
from dcp_lang.integrations.inspect_ai.web import PACKET, Web, WebError
from dcp_lang.integrations.load import load_file
from dcp_lang.integrations.scripted import recorded_pages

from ..conftest import compile_text, folder_in_memory
from .audits import cut, finish, payload

CASE = Path(__file__).parents[3] / "examples/sqlite_web"
NAME = "mockllm/scripted-index_designer"
MODEL = f"""model {{
    id = "{NAME}", requested = "{NAME}", reported = ["scripted-index_designer"]
    interface = other("the function index_designer of agent.py, asked by Inspect AI; no model")
    tools = [read, write, glob, experiment, web]
  }}"""
URL = "https://sqlite.org/eqp.html"


@pytest.fixture(scope="module")
def sqlite_web() -> Iterator[tuple[Audit, Path]]:
    """The SQLite-Web example with two pairs of either kind, three challengers and two controls."""
    with folder_in_memory() as folder:
        shutil.copytree(CASE, folder / "case", ignore=shutil.ignore_patterns("__pycache__"))
        text = re.sub(
            r"model \{.*?\n  \}", MODEL, (CASE / "registration.dcp").read_text(), count=1, flags=re.S
        )
        config = compile_text(text, folder / "case", folder / "build", ["inspect"])
        audit = Audit(cut(config.parent), folder / "logs", recorded_pages(CASE / "pages"))
        run_stages(audit, scripted_model(load_file(CASE / "agent.py").index_designer, NAME))
        yield audit, finish(audit)


def first_actions(audit: Audit, stage: str, phase: str) -> list[str]:
    found = [row for row in found_episodes(audit, stage) if row.planned.phase == phase]
    return [row.record["actions"][0]["action"] for row in found]


def test_the_main_run_fetches_and_its_branches_start_behind_that(sqlite_web: tuple[Audit, Path]) -> None:
    """`checkpoint = after("web snapshot")`: branches see the pages as the last observation and fetch nothing."""
    audit, _ = sqlite_web
    assert first_actions(audit, "main", "main") == ["web_fetch"]
    start = checkpoint_of(audit)
    pages = [row["requested_url"] for row in start.observation["results"]]
    assert pages == ["https://sqlite.org/partialindex.html", URL]
    assert set(first_actions(audit, "pairs", "feedback_truthful")) == {"experiment"}


def test_challengers_have_every_page_in_their_workspace(sqlite_web: tuple[Audit, Path]) -> None:
    audit, _ = sqlite_web
    packet = json.loads(audit.prepare(audit.planned["challenge-0001"], audit.logs / "try").read(PACKET))
    assert len(packet["documents"]) == 2 and packet["main_queries_included"] is False
    assert first_actions(audit, "challenge", "challenge") == ["experiment"] * 3


def test_the_snapshot_is_in_the_evidence(sqlite_web: tuple[Audit, Path]) -> None:
    audit, out = sqlite_web
    integrity = payload(out, "integrity")
    assert integrity["web_access_used"] is True
    assert integrity["observed_web_manifest_hash"] == audit.freeze_web()["snapshot_id"]
    assert payload(out, "gate3")["neutral_web_manifest_hash"] == integrity["observed_web_manifest_hash"]


def test_feedback_finds_what_guessing_does_not(sqlite_web: tuple[Audit, Path]) -> None:
    """All four busy families score .8855, as in the paper; the recovery line is .8805."""
    gate1, gate3 = payload(sqlite_web[1], "gate1"), payload(sqlite_web[1], "gate3")
    assert gate1["astar"]["per_unit"][0] == pytest.approx(0.8855, abs=5e-4)
    line = gate1["astar"]["per_unit"][0] - 0.005
    assert all(
        pair["truthful"]["per_unit"][0] >= line > pair["neutral"]["per_unit"][0] for pair in gate3["pairs"]
    )


def test_a_snapshot_that_was_changed_is_refused(sqlite_web: tuple[Audit, Path], tmp_path: Path) -> None:
    audit, _ = sqlite_web
    shutil.copytree(audit.logs, tmp_path / "logs")
    other = Audit(audit.home, tmp_path / "logs")
    shutil.rmtree(other.web.root)
    with pytest.raises(CompiledError, match="the Web snapshot was changed after the main run"):
        other.freeze_web()


@pytest.fixture
def web(tmp_path: Path) -> Web:
    policy = WebPolicy(
        enabled=True,
        allowed_hosts=("sqlite.org",),
        allow_subdomains=False,
        max_requests=1,
        max_redirects=0,
        max_raw_bytes=100,
        max_delivered_bytes=100,
        timeout_seconds=1,
    )
    return Web(tmp_path / "web", policy, FixtureFetcher({URL: ("text/plain", b"a plan")}))


def test_live_and_replayed_pages_are_told_alike(web: Web) -> None:
    ask = [{"url": URL, "query": "plans"}]
    live = web.fetch(True, ask, "main-001")
    web.freeze()
    assert web.fetch(False, ask, "branch-001") == live
    assert live["results"][0]["content_text"].strip() == "a plan"


def test_what_is_not_registered_is_refused(web: Web) -> None:
    with pytest.raises(WebError):
        web.fetch(True, [{"url": "https://example.org/", "query": "x"}], "main-001")
    web.fetch(True, [{"url": URL, "query": "plans"}], "main-001")
    with pytest.raises(WebError, match="exceeds the registered Web request limit"):
        web.fetch(True, [{"url": URL, "query": "again"}], "main-002")
    web.freeze()
    with pytest.raises(WebError, match="outside the frozen"):
        web.fetch(False, [{"url": "https://sqlite.org/other.html", "query": "x"}], "branch-001")
