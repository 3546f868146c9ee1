"""An audit that is killed anywhere and resumed: no session that may have acted runs twice, and the bundle replays."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dcp_harness")

from dcp.bundle import verify_bundle
from dcp_harness.ledger import EventLedger

from dcp_lang.integrations.dcp_harness import RegistrationMismatch, ScriptedBackend, Session, run_audit
from dcp_lang.integrations.load import load_file
from dcp_lang.integrations.resume import is_silent

from .conftest import MODEL, TOY, sessions_under_way

Compile = Callable[..., Path]

#: Two challengers and one control, core grade: every kind of write of such an audit, and few of each.
SMALL = {"grade": "core", "challenger_episodes": 2, "positive_control_episodes": 1}


class Killed(BaseException):
    """What a kill looks like from inside: nothing after it runs."""


class Counting(ScriptedBackend):
    """Notes every session that it runs, by episode and turn."""

    def __init__(self, policy: Callable[[Session], None] | None = None) -> None:
        super().__init__(policy or load_file(TOY / "agent.py").seeker, model=MODEL, accepted=(MODEL,), seed=1)
        self.sessions: Counter[tuple[str, str]] = Counter()

    def run(self, **turn: Any) -> Any:
        self.sessions[turn["episode_id"], turn["record_dir"].name] += 1
        return super().run(**turn)


def events(run: Path, kind: str) -> list[dict[str, Any]]:
    return [e["payload"] for e in EventLedger(run / "events.jsonl").events() if e["event_type"] == kind]


def kill_at(monkeypatch: pytest.MonkeyPatch, number: int) -> list[int]:
    """Kill at the `number`-th write that is forced to disk; what is returned counts them."""
    count = [0]
    really = os.fsync

    def fsync(descriptor: Any) -> None:
        count[0] += 1
        if count[0] == number:
            raise Killed
        really(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    return count


def test_killed_at_any_write_and_resumed(
    compile_toy: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two fsyncs per file (its bytes, its folder's entry): an odd step visits both sides of the renames."""
    config = compile_toy(kernel={"min_n_ind": 1}, audit=SMALL)
    whole = kill_at(monkeypatch, 0)
    run_audit(config, tmp_path / "whole", backend=Counting())
    monkeypatch.undo()
    config.with_name("started.json").unlink()
    outcomes = Counter[str]()
    for number in range(20, whole[0], 17):
        run, agent = tmp_path / f"run-{number}", Counting()
        kill_at(monkeypatch, number)
        with pytest.raises(Killed):
            run_audit(config, run, backend=agent)
        monkeypatch.undo()
        outcomes[resumed(config, run, agent)] += 1
        config.with_name("started.json").unlink()
    assert outcomes["replayed"] > 5


def resumed(config: Path, run: Path, agent: Counting) -> str:
    """Resume a killed audit; how it ended, every session accounted for."""
    try:
        bundle = run_audit(config, run, backend=agent)
    except RegistrationMismatch as refusal:
        assert "A9 main run" in str(refusal)
        return "main run lost"
    report = verify_bundle(bundle)
    assert report["ok"] is True and report["kernel_replay_matches"] is True
    lost = {payload["episode_id"] for payload in events(run, "session_lost")}
    twice = {episode for (episode, _), times in agent.sessions.items() if times > 1}
    assert twice <= lost and all(episode.startswith("positive-control") for episode in twice)
    return "replayed"


def test_a_start_killed_before_it_registered_is_made_again(
    compile_toy: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of a killed start blocks the slot (A34) and cannot resume (A1); nothing was run in it."""
    config, run, agent = compile_toy(kernel={"min_n_ind": 1}, audit=SMALL), tmp_path / "run", Counting()

    def dies(*args: Any) -> None:
        os._exit(9)

    if os.fork() == 0:  # a real end of the process: no clean-up of ours runs
        monkeypatch.setattr("dcp_harness.ledger.EventLedger.append", dies)
        run_audit(config, run, backend=agent)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.wait()[1]) == 9
    assert (run / "state.json").exists() and config.with_name("started.json").exists()
    assert verify_bundle(run_audit(config, run, backend=agent))["ok"] is True


def before_acting(session: Session) -> None:
    raise Killed


def after_acting(session: Session) -> None:
    session.write("notes.txt", "heavy boxes first")
    raise Killed


class Dying(Counting):
    """Dies in the first turn of one episode, once."""

    def __init__(self, victim: str, death: Callable[[Session], None]) -> None:
        super().__init__()
        self._victim, self._death = victim, death
        self._dying = threading.local()

    def run(self, **turn: Any) -> Any:
        self._dying.now = turn["episode_id"] == self._victim
        self._victim = "" if self._dying.now else self._victim
        return super().run(**turn)

    def _play(self, session: Session) -> tuple[str, bool]:
        if self._dying.now:
            self._death(session)
        return super()._play(session)


@pytest.mark.parametrize(
    ("death", "outcome", "core"),
    [(before_acting, "infrastructure_invalid", "certified"), (after_acting, "unresolved", "inconclusive")],
)
def test_a_challenger_that_dies_is_told_by_its_outcome(
    compile_toy: Compile, tmp_path: Path, death: Any, outcome: str, core: str
) -> None:
    """One of 67 challengers lost leaves the 66 that alpha .034 needs (.95^66 = .03387)."""
    core_audit = {"grade": "core", "challenger_episodes": 67, "positive_control_episodes": 24}
    config = compile_toy(kernel={"alpha_recovery": 0.034, "min_n_ind": 66}, audit=core_audit)
    agent, run = Dying("challenge-0040", death), tmp_path / "run"
    with pytest.raises(Killed):
        run_audit(config, run, backend=agent, workers=3)
    bundle = run_audit(config, run, backend=agent, workers=3)
    controls = json.loads((bundle / "payload/gate2.json").read_text())["controls"]
    assert {row["attempt_id"]: row["outcome"] for row in controls}["challenge-0040"] == outcome
    assert verify_bundle(bundle)["saved_verdict"]["core"] == core
    assert agent.sessions["challenge-0040", "001"] == 1
    told = [{"episode_id": "challenge-0040", "agent_acted": False}]
    assert events(run, "session_lost") == (told if core == "certified" else [])


@pytest.mark.parametrize(("death", "successes"), [(before_acting, 2), (after_acting, 1)])
def test_a_positive_control_that_dies_starts_again_in_sight_or_fails(
    compile_toy: Compile, tmp_path: Path, death: Any, successes: int
) -> None:
    """The harness would run it again in the old workspace, unseen (A15)."""
    config, agent, run = compile_toy(), Dying("positive-control-0002", death), tmp_path / "run"
    with pytest.raises(Killed):
        run_audit(config, run, backend=agent)
    bundle = run_audit(config, run, backend=agent)
    assert json.loads((run / "challenge/summary.json").read_text())["positive_control_successes"] == successes
    assert events(run, "session_lost") == [
        {"episode_id": "positive-control-0002", "agent_acted": death is after_acting}
    ]
    starts = [p["episode_id"] for p in events(run, "positive_control_prestarted")]
    assert starts.count("positive-control-0002") == 2
    assert agent.sessions["positive-control-0002", "positive-control-0002"] == (
        1 if death is after_acting else 2
    )
    assert verify_bundle(bundle)["ok"] is True


def test_a_pair_that_loses_a_branch_is_replaced_within_its_total(
    compile_toy: Compile, tmp_path: Path
) -> None:
    audit = {"feedback_pairs": 10, "sham_pairs": 10, "max_feedback_pair_replacements": 1}
    audit |= {"max_sham_pair_replacements": 1, "positive_control_episodes": 1}
    agent, run = Dying("feedback-pair-0003-attempt-01-feedback_neutral", before_acting), tmp_path / "run"
    config = compile_toy(audit=audit)
    with pytest.raises(Killed):
        run_audit(config, run, backend=agent, workers=3)
    bundle = run_audit(config, run, backend=agent, workers=3)
    pairs = json.loads((bundle / "payload/gate3.json").read_text())["pairs"]
    assert [pair["pair_id"] for pair in pairs if pair["replacement_of"]] == ["feedback-pair-0003-attempt-02"]
    assert len(pairs) == 11 and verify_bundle(bundle)["ok"] is True


@pytest.mark.parametrize(
    ("lines", "silent"),
    [
        ([], True),
        (['{"type": "system", "subtype": "init"}'], True),
        (['{"type": "system"}', '{"type": "assistant"}'], False),
        (['{"type": "result"}'], False),
        (["not JSON"], False),
        (["[1]"], False),
        (['{"type": "ass'], False),
    ],
)
def test_a_stream_is_silent_until_the_agent_says_a_word(
    tmp_path: Path, lines: list[str], silent: bool
) -> None:
    (tmp_path / "claude_stream.jsonl").write_text("\n".join(lines))
    assert is_silent(tmp_path) is silent


def test_without_a_stream_nothing_is_known(tmp_path: Path) -> None:
    assert not is_silent(tmp_path)


SLOW_AGENT = """
import time
from dcp_lang.integrations.scripted import Session

def slow(session: Session) -> None:
    time.sleep(1)
    if not session.exists("CANARY.txt"):
        session.write_json("guess.json", {"box": 0})
    session.finish()
"""


def test_kill_9_of_run_audit_and_resume(compile_toy: Compile, tmp_path: Path) -> None:
    """A real SIGKILL of the command, with sessions under way."""
    agent, run = tmp_path / "agent.py", tmp_path / "run"
    agent.write_text(SLOW_AGENT)
    config = compile_toy(audit={"grade": "core", "challenger_episodes": 12}, kernel={"min_n_ind": 1})
    command = [sys.executable, str(config.with_name("run_audit.py")), "--run", str(run), "--quiet"]
    command += ["--agent", f"{agent}:slow", "--workers", "4"]
    process = subprocess.Popen(command, start_new_session=True)
    ended = "episodes/challenge/*/generation_record.json"
    wait_for(lambda: len(list(run.glob(ended))) >= 3 and sessions_under_way(run))
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    under_way = sessions_under_way(run)
    again = subprocess.run(command, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    bundle = Path(again.stdout.strip())
    assert verify_bundle(bundle)["ok"] is True
    controls = json.loads((bundle / "payload/gate2.json").read_text())["controls"]
    assert len(controls) == 12 and under_way
    lost = {row["attempt_id"] for row in controls if row["outcome"] != "artifact"}
    assert lost == under_way
    assert {row["outcome"] for row in controls if row["attempt_id"] in lost} <= {
        "infrastructure_invalid",
        "unresolved",
    }


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
