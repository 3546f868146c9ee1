"""The Snakemake target for real: one job per episode, killed with SIGKILL, unlocked, resumed, certified by replay."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dcp_harness")
pytest.importorskip("snakemake")

from dcp.bundle import verify_bundle
from dcp_harness.ledger import EventLedger

from .conftest import folder_in_memory, sessions_under_way

#: Waits before its first word, as a model does: most sessions that a kill meets have not acted.
AGENT = """
import time
from dcp_lang.integrations.scripted import Session

def slow(session: Session) -> None:
    time.sleep(0.5)
    session.write_json("guess.json", {"box": 0})
    session.finish()
"""
CORE = {"grade": "core", "challenger_episodes": 6, "positive_control_episodes": 1}


def snakemake(folder: Path, *options: str) -> list[str]:
    """The command that the Snakefile's own first lines give."""
    snakefile = folder / "build/runner/Snakefile"
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--snakefile",
        str(snakefile),
        "--directory",
        str(folder / "run"),
    ]
    return [
        *command,
        "--cores",
        "4",
        "--keep-going",
        *options,
        "--config",
        f"agent={folder / 'agent.py'}:slow",
    ]


def done(folder: Path) -> set[str]:
    return {path.stem for path in (folder / "run/jobs/done").glob("*.json")}


def starts(folder: Path) -> dict[str, int]:
    names = [path.name.split(".")[0] for path in (folder / "run/jobs/starts").glob("*.json")]
    return {name: names.count(name) for name in names}


class Trial:
    """One audit, killed when three challengers were done, and what stood on disk then."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        process = subprocess.Popen(
            snakemake(folder), start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline, run = time.monotonic() + 240, folder / "run/audit"
        while sum(job.startswith("challenge-") for job in done(folder)) < 3 or not sessions_under_way(run):
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.done, self.starts, self.under_way = done(folder), starts(folder), sessions_under_way(run)
        self.refused = subprocess.run(snakemake(folder, "--quiet", "all"), capture_output=True, text=True)
        self.unlocked = subprocess.run(snakemake(folder, "--unlock"), capture_output=True, text=True)
        self.resumed = subprocess.run(snakemake(folder, "--rerun-incomplete"), capture_output=True, text=True)


@pytest.fixture(scope="module")
def trial(compile_toy_in: Callable[..., Path]) -> Iterator[Trial]:
    with folder_in_memory() as folder:
        compile_toy_in(folder, audit=CORE, kernel={"min_n_ind": 1}, targets=("snakemake",))
        (folder / "agent.py").write_text(AGENT)
        yield Trial(folder)


def test_a_killed_run_says_how_to_go_on(trial: Trial) -> None:
    """Snakemake itself says nothing with `--quiet all`; the Snakefile does."""
    assert trial.refused.returncode != 0 and "add --unlock once" in trial.refused.stderr
    assert trial.unlocked.returncode == 0
    assert trial.resumed.returncode == 0, trial.resumed.stderr[-2000:]


def test_the_bundle_replays_with_every_episode(trial: Trial) -> None:
    bundle = trial.folder / "run/audit/bundle"
    report = verify_bundle(bundle)
    assert report["ok"] is True and report["kernel_replay_matches"] is True
    controls = json.loads((bundle / "payload/gate2.json").read_text())["controls"]
    assert [row["attempt_id"] for row in controls] == [f"challenge-{n:04d}" for n in range(1, 7)]


def test_what_was_done_is_not_started_again(trial: Trial) -> None:
    """But for jobs whose end Snakemake had not yet noted: their record stands, and no session runs."""
    again = {job for job, number in starts(trial.folder).items() if number > 1}
    assert again <= trial.starts.keys()
    sessions = events(trial.folder, "episode_prestarted")
    assert len({event["episode_id"] for event in sessions}) == len(sessions) == 7


def test_every_second_start_is_told(trial: Trial) -> None:
    again = {job: number for job, number in starts(trial.folder).items() if number > 1}
    assert again and again.keys() >= trial.under_way
    assert events(trial.folder, "candidates_committed")[0]["started_again"] == again


def test_a_session_under_way_is_lost_or_unresolved_and_never_redone(trial: Trial) -> None:
    controls = json.loads((trial.folder / "run/audit/bundle/payload/gate2.json").read_text())["controls"]
    outcomes = {row["attempt_id"]: row["outcome"] for row in controls}
    ended = {job for job, outcome in outcomes.items() if outcome != "artifact"}
    assert ended == trial.under_way
    assert {outcomes[job] for job in ended} <= {"infrastructure_invalid", "unresolved"}
    lost = {event["episode_id"] for event in events(trial.folder, "session_lost")}
    assert lost == {job for job in ended if outcomes[job] == "infrastructure_invalid"}


def test_private_scores_are_opened_after_the_barrier(trial: Trial) -> None:
    kinds = [event["event_type"] for event in EventLedger(trial.folder / "run/audit/events.jsonl").events()]
    committed = kinds.index("candidates_committed")
    assert kinds.count("episode_candidate_committed") == 6
    assert "episode_candidate_committed" not in kinds[committed:]
    # The target's own score is opened when its run ends, before any challenger starts.
    assert kinds[:committed].count("episode_completed") == 1
    assert kinds[committed:].count("episode_completed") == 6


def events(folder: Path, kind: str) -> list[dict[str, Any]]:
    found = EventLedger(folder / "run/audit/events.jsonl").events()
    return [event["payload"] for event in found if event["event_type"] == kind]
