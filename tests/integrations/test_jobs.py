"""One audit as many jobs gives the audit of one process; a job that must not run refuses."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dcp_harness")

from dcp.bundle import verify_bundle
from dcp_harness.ledger import EventLedger

from dcp_lang.integrations.dcp_harness import main, run_audit

from .conftest import TOY, edit, folder_in_memory
from .test_toy_audit import backend, outcomes

Compile = Callable[..., Path]
CHALLENGE = [f"challenge-{n:04d}" for n in (3, 1, 2)] + ["positive-control-0001", "positive-control-0002"]
PAIRS = ["sham-0002", "feedback-0001", "sham-0001", "feedback-0002"]


class Audit:
    """A compiled audit with its run folder, jobs asked for by name as the Snakefile asks for them."""

    def __init__(self, folder: Path, config: Path, policy: str = "seeker", seed: int = 1) -> None:
        self.folder, self.config = folder, config
        self._options = ["--run", str(folder / "run"), "--jobs", str(folder / "jobs"), "--quiet"]
        self._options += ["--agent", f"{TOY / 'agent.py'}:{policy}", "--seed", str(seed)]

    def job(self, *names: str, more: tuple[str, ...] = ()) -> list[int]:
        return [main([*self._options, "--job", name, *more], config=self.config) for name in names]

    def runs(self, *names: str) -> None:
        assert self.job(*names) == [0] * len(names)

    @property
    def starts(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "jobs/starts").iterdir())

    def done(self, name: str) -> Any:
        return json.loads((self.folder / f"jobs/done/{name}.json").read_text())

    def events(self) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = EventLedger(self.folder / "run/events.jsonl").events()
        return events


@pytest.fixture
def audit(compile_toy: Compile, tmp_path: Path) -> Audit:
    return Audit(tmp_path, compile_toy())


@pytest.fixture(scope="module")
def whole(compile_toy_in: Compile) -> Iterator[Audit]:
    """All jobs of an evidence audit, in an order that the workflow allows."""
    with folder_in_memory() as folder:
        audit = Audit(folder, compile_toy_in(folder))
        audit.runs(
            "main", *CHALLENGE, "commit-challenge", "score-challenge", *PAIRS, "commit-gate3", "bundle"
        )
        yield audit


def test_the_jobs_give_the_audit_of_one_process(whole: Audit, compile_toy: Compile, tmp_path: Path) -> None:
    serial = run_audit(compile_toy(), tmp_path / "run", backend=backend())
    bundle = Path(whole.done("bundle")["bundle"])
    assert outcomes(bundle) == outcomes(serial)
    assert verify_bundle(bundle)["ok"] is True


def test_contracts_are_sealed_and_phases_begun_before_their_first_episode(whole: Audit) -> None:
    kinds = [(event["event_type"], event["payload"].get("phase")) for event in whole.events()]
    first = [kind for kind, _ in kinds].index
    challengers = [
        i for i, (kind, phase) in enumerate(kinds) if kind == "episode_prestarted" and phase != "main"
    ]
    assert kinds.index(("phase_started", "challenge")) < challengers[0]
    assert kinds.index(("phase_completed", "challenge")) < first("gate3_contracts_presealed")
    assert first("gate3_contracts_presealed") < first("gate3_branch_prestarted")


def test_every_start_has_its_receipt(whole: Audit) -> None:
    receipt = json.loads((whole.folder / "jobs/starts/challenge-0001.1.json").read_text())
    compiled = json.loads(whole.config.with_name("compiled.json").read_text())
    assert receipt["registration"] == compiled["registration_sha256"] and receipt["start"] == 1
    assert len(whole.starts) == 14 and all(name.endswith(".1.json") for name in whole.starts)


def test_the_barrier_names_every_record(whole: Audit) -> None:
    commit = whole.done("commit-challenge")
    assert commit["started_again"] == {} and len(commit["records"]) == len(CHALLENGE)
    run = whole.folder / "run/episodes/challenge/challenge-0002/generation_record.json"
    assert (
        commit["records"]["challenge/challenge-0002"] == json.loads(run.read_text())["generation_record_hash"]
    )
    assert len(whole.done("commit-gate3")["records"]) == 2 * len(PAIRS)


def test_a_pair_is_replaced_within_its_total(compile_toy: Compile, tmp_path: Path) -> None:
    """The provider of the flaky agent fails in some first turns; the last job replaces one pair, as registered."""
    counts = {"feedback_pairs": 10, "sham_pairs": 2, "positive_control_episodes": 1, "challenger_episodes": 1}
    config = compile_toy(audit=counts | {"max_feedback_pair_replacements": 1}, kernel={"min_n_ind": 1})
    audit = Audit(tmp_path, config, "flaky", seed=3)
    pairs = [f"feedback-{n:04d}" for n in range(1, 11)] + ["sham-0001", "sham-0002"]
    audit.runs("main", "challenge-0001", "positive-control-0001", "commit-challenge", "score-challenge")
    audit.runs(*pairs, "commit-gate3", "bundle", "bundle")
    bundle = Path(audit.done("bundle")["bundle"])
    gate3 = json.loads((bundle / "payload/gate3.json").read_text())
    assert sum(1 for pair in gate3["pairs"] if pair["replacement_of"]) == 1
    assert verify_bundle(bundle)["ok"] is True


def test_jobs_refuse_until_their_turn(audit: Audit, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.job("challenge-0001") == [1]
    audit.runs("main", *CHALLENGE[:-1])
    assert audit.job("commit-challenge", "score-challenge", "no-such-job", "bundle") == [1, 1, 1, 1]
    said = capsys.readouterr().err
    assert "run the job `main` first" in said
    assert "1 jobs of phase challenge are not done, the first is positive-control-0002" in said
    assert "phase challenge is not committed" in said and "no job `no-such-job`" in said
    assert not (audit.folder / "run/episodes/challenge/challenge-0001/record.json").exists()


def test_a_job_that_still_runs_is_not_started_again(audit: Audit, capsys: pytest.CaptureFixture[str]) -> None:
    audit.runs("main")
    with (audit.folder / "jobs/locks/challenge-0001").open("a+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert audit.job("challenge-0001") == [1]
    assert "job challenge-0001 is still running elsewhere" in capsys.readouterr().err
    assert audit.starts == ["main.1.json"]
    audit.runs("challenge-0001")


def test_an_episode_does_not_run_beside_a_phase(audit: Audit, capsys: pytest.CaptureFixture[str]) -> None:
    audit.runs("main")
    with (audit.folder / "run/run.lock").open("a+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert audit.job("challenge-0001") == [1]
    assert "a phase of the audit is being closed" in capsys.readouterr().err


def test_a_second_start_runs_no_session_and_is_told(audit: Audit) -> None:
    audit.runs("main", *CHALLENGE, CHALLENGE[0], "commit-challenge")
    assert audit.done(CHALLENGE[0])["starts"] == 2 and f"{CHALLENGE[0]}.2.json" in audit.starts
    starts = [e["payload"]["episode_id"] for e in audit.events() if e["event_type"] == "episode_prestarted"]
    assert starts.count(CHALLENGE[0]) == 1
    told = [e["payload"] for e in audit.events() if e["event_type"] == "candidates_committed"]
    assert [event["started_again"] for event in told] == [{CHALLENGE[0]: 2}]


def test_a_record_changed_after_the_barrier_is_not_scored(
    audit: Audit, capsys: pytest.CaptureFixture[str]
) -> None:
    audit.runs("main", *CHALLENGE, "commit-challenge")
    record = audit.folder / "run/episodes/challenge/challenge-0001/generation_record.json"
    edit(record, lambda document: document.update(generation_record_hash="sha256:" + "0" * 64))
    assert audit.job("score-challenge") == [1]
    assert "changed after they were committed" in capsys.readouterr().err
    assert not record.with_name("record.json").exists()


def test_another_registration_does_not_go_on(audit: Audit, capsys: pytest.CaptureFixture[str]) -> None:
    audit.runs("main")
    assert audit.job("challenge-0001", more=("--registration", "sha256:" + "0" * 64)) == [1]
    assert "compiled.json is another's" in capsys.readouterr().err
    edit(
        audit.config.with_name("compiled.json"),
        lambda document: document.update(source_sha256="sha256:" + "1" * 64),
    )
    assert audit.job("challenge-0001") == [1]
    assert "existing run has a different adapter_identity_hash" in capsys.readouterr().err
