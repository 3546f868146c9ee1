"""The toy audit through the real harness, end to end: decisions, arms, threads, resumption."""

from __future__ import annotations

import copy
import dataclasses
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dcp_harness")

from dcp.bundle import verify_bundle
from dcp_harness import Phase, load_config
from dcp_harness.util import HarnessError

from dcp_lang.integrations.channel_audit import failed_checks
from dcp_lang.integrations.dcp_harness import (
    CompiledError,
    RegistrationMismatch,
    ScriptedBackend,
    main,
    run_audit,
)
from dcp_lang.integrations.harness_run import AuditHarness
from dcp_lang.integrations.load import load_file

from .conftest import MODEL, TOY, edit, folder_in_memory

Compile = Callable[..., Path]


def backend(policy: str = "seeker", seed: int = 1) -> ScriptedBackend:
    agent = load_file(TOY / "agent.py")
    return ScriptedBackend(getattr(agent, policy), model=MODEL, accepted=(MODEL,), seed=seed)


def payload(bundle: Path, name: str) -> Any:
    return json.loads((bundle / "payload" / f"{name}.json").read_text())


def observations(run: Path, phase: Phase) -> list[Any]:
    found = sorted((run / "episodes").glob(f"*/*{phase.value}/turns/*/observation.json"))
    return [json.loads(path.read_text())["observation"] for path in found]


def outcomes(bundle: Path) -> dict[str, Any]:
    """The scientific content of a bundle, without receipts, which depend on the run's nonce and order."""
    gate2, gate3 = payload(bundle, "gate2"), payload(bundle, "gate3")

    def branch(row: dict[str, Any]) -> tuple[Any, ...]:
        return row["branch_id"], row["outcome"], row["per_unit"], row["artifact_hash"], row["utility"]

    return {
        "gate1": payload(bundle, "gate1"),
        "challengers": [(c["attempt_id"], c["per_unit"], c["artifact_hash"]) for c in gate2["controls"]],
        "feedback": [(branch(p["truthful"]), branch(p["neutral"])) for p in gate3["pairs"]],
        "null": [(branch(p["reference_null"]), branch(p["proposed_sham"])) for p in gate3["sham"]["pairs"]],
        "verdict": payload(bundle, "certificate")["verdict"],
    }


@pytest.fixture(scope="module")
def small_audit(compile_toy_in: Compile) -> Iterator[Path]:
    with folder_in_memory() as folder:
        yield run_audit(compile_toy_in(folder), folder / "run", backend=backend())


def test_every_arm_gets_its_registered_policy(small_audit: Path) -> None:
    run = small_audit.parent
    truthful = {"weights": [1, 1, 1, 1, 1, 1, 9, 1]}
    assert observations(run, Phase.FEEDBACK_TRUTHFUL) == [truthful] * 2
    assert observations(run, Phase.FEEDBACK_NEUTRAL) == [{"weights": [2] * 8}] * 2
    withheld = json.loads((run / "episodes/challenge/challenge-0001/turns/001/observation.json").read_text())
    assert withheld["observation"]["scientific_feedback_withheld"] is True


def test_only_truthful_arms_and_the_main_run_find_the_prize(small_audit: Path) -> None:
    gate1, gate2, gate3 = (payload(small_audit, name) for name in ("gate1", "gate2", "gate3"))
    assert gate1["astar"]["per_unit"] == [1.0, 1.0]
    assert gate1["baseline"]["per_unit"] == [0.0, 0.0]
    assert [control["per_unit"] for control in gate2["controls"]] == [[0.0, 0.0]] * 3
    assert [pair["truthful"]["per_unit"] for pair in gate3["pairs"]] == [[1.0, 1.0]] * 2
    assert [pair["neutral"]["per_unit"] for pair in gate3["pairs"]] == [[0.0, 0.0]] * 2


def test_null_tasks_are_solved_whatever_the_channel_sends(small_audit: Path) -> None:
    pairs = payload(small_audit, "gate3")["sham"]["pairs"]
    assert [(p["reference_null"]["utility"], p["proposed_sham"]["utility"]) for p in pairs] == [
        (1.0, 1.0)
    ] * 2


def test_the_bundle_replays_and_two_controls_leave_the_audit_incomplete(small_audit: Path) -> None:
    """Two positive controls cannot show a recall of 0.8 (Clopper-Pearson: 2/2 at .005 gives .0707)."""
    report = verify_bundle(small_audit)
    assert report["ok"] is True and report["kernel_replay_matches"] is True
    assert report["saved_verdict"]["core_inconclusive_class"] == "audit_incomplete"
    assert payload(small_audit, "registration")["notes"]["dcp_lang"]["challengers"] == 3


def test_checked_attestations_hold_for_an_honest_run(small_audit: Path) -> None:
    integrity, gate3 = payload(small_audit, "integrity"), payload(small_audit, "gate3")
    assert integrity["iterative_lineage_eligible"] and integrity["symmetric_verifier_pass"]
    assert gate3["truthful_channel_audit_pass"] and gate3["neutral_channel_audit_pass"]
    assert gate3["sham"]["channel_checks_pass"]


def test_side_by_side_gives_the_serial_result(
    small_audit: Path, compile_toy: Compile, tmp_path: Path
) -> None:
    parallel = run_audit(compile_toy(), tmp_path / "run", backend=backend(), workers=4)
    assert outcomes(parallel) == outcomes(small_audit)
    assert verify_bundle(parallel)["ok"] is True


def test_core_certifies_at_the_least_number_of_challengers(compile_toy: Compile, tmp_path: Path) -> None:
    """(19/20)^59 = .04849 < 1/20, so 59 misses bound recovery by .05 at alpha .05 less the other gates'
    shares.

    With alpha .034 the least n is 66: .95^66 = .03387, .95^65 = .03565. All 24 controls give a recall of at
    least .8019 at alpha .005.
    """
    core = {"grade": "core", "challenger_episodes": 66, "positive_control_episodes": 24}
    config = compile_toy(kernel={"alpha_recovery": 0.034, "min_n_ind": 66}, audit=core)
    bundle = run_audit(config, tmp_path / "run", backend=backend(), workers=4)
    report = verify_bundle(bundle)
    assert report["ok"] is True and report["saved_verdict"]["core"] == "certified"


def test_a_replaced_pair_stays_within_the_registered_total(compile_toy: Compile, tmp_path: Path) -> None:
    """The flaky provider fails before the first action; whole pairs are replaced, never more than
    registered."""
    limits = {"max_feedback_pair_replacements": 1, "max_sham_pair_replacements": 2}
    audit = {"feedback_pairs": 10, "sham_pairs": 10, "positive_control_episodes": 1, **limits}
    config = compile_toy(audit=audit)
    bundle = run_audit(config, tmp_path / "run", backend=backend("flaky", seed=3), workers=2)
    gate3 = payload(bundle, "gate3")
    replaced = [pair["replacement_of"] for pair in gate3["pairs"] if pair["replacement_of"]]
    null_replaced = [pair["replacement_of"] for pair in gate3["sham"]["pairs"] if pair["replacement_of"]]
    failed = sum(
        branch["outcome"] == "infrastructure_invalid"
        for pair in gate3["pairs"]
        for branch in (pair["truthful"], pair["neutral"])
    )
    assert len(replaced) == 1 < failed
    assert len(null_replaced) <= 2
    assert verify_bundle(bundle)["ok"] is True


def test_a_main_run_without_artifact_stops_before_the_challengers(
    compile_toy: Compile, tmp_path: Path
) -> None:
    with pytest.raises(RegistrationMismatch, match="A9 main run: ended as model_failure"):
        run_audit(compile_toy(), tmp_path / "run", backend=backend("idle"))
    assert not (tmp_path / "run/episodes/challenge").exists()


def test_an_invalid_main_artifact_is_a_decision_not_a_stop(compile_toy: Compile, tmp_path: Path) -> None:
    """Confirmed invalidity refutes the claim, and the bundle says so."""
    bundle = run_audit(compile_toy(), tmp_path / "run", backend=backend("cheat"))
    assert payload(bundle, "gate1")["astar"]["validity"] == "invalid"
    report = verify_bundle(bundle)
    assert report["ok"] is True and report["saved_verdict"]["core"] != "certified"


def test_an_agent_that_leaves_its_workspace_fails(compile_toy: Compile, tmp_path: Path) -> None:
    with pytest.raises(RegistrationMismatch, match="A9"):
        run_audit(compile_toy(), tmp_path / "run", backend=backend("curious"))
    errors = (tmp_path / "run/episodes/main/main/turns/001/agent_stderr.log").read_text()
    assert "PermissionError: a scripted agent may not use open outside its workspace" in errors


def test_a_finished_audit_resumes_to_the_same_bundle(small_audit: Path) -> None:
    config = small_audit.parent.parent / "build/runner/dcp-harness.json"
    before = (small_audit / "manifest.json").read_bytes()
    assert run_audit(config, small_audit.parent, backend=backend()) == small_audit
    assert (small_audit / "manifest.json").read_bytes() == before


def test_an_adapter_changed_between_phases_is_refused(compile_toy: Compile, tmp_path: Path) -> None:
    config = compile_toy()
    harness = AuditHarness(load_config(config), tmp_path / "run", backend=backend())
    harness.capture()
    adapter = config.with_name("task.py")
    adapter.write_text(adapter.read_text().replace("[2] *", "[3] *"))
    with pytest.raises(HarnessError, match="audit materials can no longer be sealed") as refusal:
        harness.challenge()
    assert isinstance(refusal.value.__cause__, CompiledError)
    assert "`task.py` changed after compilation" in str(refusal.value.__cause__)


def test_a_scripted_agent_must_be_registered_as_one() -> None:
    agent = load_file(TOY / "agent.py")
    with pytest.raises(CompiledError, match="does not accept model `scripted-seeker`"):
        ScriptedBackend(agent.seeker, model=MODEL, accepted=("claude-sonnet-4-6",))


class Interrupted(ScriptedBackend):
    """A backend whose machine dies in the middle of one episode, once."""

    victim = "challenge-0002"

    def run(self, **turn: Any) -> Any:
        if turn["episode_id"] == self.victim:
            self.victim = ""
            raise KeyboardInterrupt
        return super().run(**turn)


@pytest.mark.parametrize("workers", [1, 3])
def test_an_interrupted_audit_resumes_and_never_starts_an_episode_twice(
    compile_toy: Compile, tmp_path: Path, workers: int
) -> None:
    """The episode that was under way stays unresolved, in plain sight; all others go on."""
    agent = load_file(TOY / "agent.py")
    dying = Interrupted(agent.seeker, model=MODEL, accepted=(MODEL,), seed=1)
    config = compile_toy()
    with pytest.raises(KeyboardInterrupt):
        run_audit(config, tmp_path / "run", backend=dying, workers=workers)
    bundle = run_audit(config, tmp_path / "run", backend=dying, workers=workers)
    outcomes = {row["attempt_id"]: row["outcome"] for row in payload(bundle, "gate2")["controls"]}
    assert outcomes == {
        "challenge-0001": "artifact",
        "challenge-0002": "unresolved",
        "challenge-0003": "artifact",
    }
    events = [json.loads(line) for line in (tmp_path / "run/events.jsonl").read_text().splitlines()]
    starts = [e["payload"]["episode_id"] for e in events if e["event_type"] == "episode_prestarted"]
    assert sorted(starts) == ["challenge-0001", "challenge-0002", "challenge-0003", "main"]


def test_progress_tells_every_stage(compile_toy: Compile, tmp_path: Path) -> None:
    stream = io.StringIO()
    run_audit(compile_toy(), tmp_path / "run", backend=backend(), workers=2, progress=stream)
    last = {line.split("  ")[-1] for line in stream.getvalue().splitlines()}
    finished = {
        "main run 1/1",
        "challengers 3/3",
        "positive controls 2/2",
        "paired branches 8/8",
        "scored 11/11",
    }
    assert finished <= last


# ---- attestations ------------------------------------------------------------------------------------------


@pytest.fixture
def finished(compile_toy: Compile, tmp_path: Path) -> tuple[Path, Any]:
    """The run folder of a toy audit, and its harness before finalisation."""
    harness = AuditHarness(load_config(compile_toy()), tmp_path / "run", backend=backend(), workers=2)
    harness.capture()
    harness.challenge()
    harness.gate3()
    return tmp_path / "run", harness


def failed(harness: Any) -> dict[str, list[str]]:
    return failed_checks(harness.adapter, harness._run_view())


@pytest.mark.parametrize(
    ("phase", "attestation"),
    [
        ("feedback_truthful", "truthful_channel_audit_pass"),
        ("feedback_neutral", "neutral_channel_audit_pass"),
        ("sham_proposed", "sham_channel_checks_pass"),
        ("sham_reference", "sham_channel_checks_pass"),
    ],
)
def test_an_answer_that_is_not_the_policys_fails_its_channel(
    finished: tuple[Path, Any], phase: str, attestation: str
) -> None:
    run, harness = finished
    assert failed(harness) == {}
    place = sorted((run / "episodes/gate3").glob(f"*-{phase}/turns/001/observation.json"))[0]
    edit(place, lambda document: document["observation"].update(weights=[0] * 8))
    assert list(failed(harness)) == [attestation]
    assert harness.adapter.build_evidence(harness._run_view()).gate3 is not None


def test_a_declared_attestation_is_withdrawn_by_its_check(finished: tuple[Path, Any]) -> None:
    run, harness = finished
    place = sorted((run / "episodes/gate3").glob("*-feedback_neutral/turns/001/observation.json"))[0]
    edit(place, lambda document: document["observation"].update(weights=[9] + [1] * 7))
    gate3 = harness.adapter.build_evidence(harness._run_view()).gate3
    assert gate3.truthful_channel_audit_pass is True
    assert gate3.neutral_channel_audit_pass is False


def test_an_undeclared_attestation_stays_false(finished: tuple[Path, Any]) -> None:
    _, harness = finished
    harness.adapter.compiled.document["attestations"]["materials_readable"] = False
    assert harness.adapter.build_evidence(harness._run_view()).gate2.adequacy.materials_readable is False


def test_an_unknown_attestation_is_an_error(finished: tuple[Path, Any]) -> None:
    _, harness = finished
    harness.adapter.compiled.document["attestations"]["looks_good"] = True
    with pytest.raises(CompiledError, match="unknown attestation `looks_good`"):
        harness.adapter.build_evidence(harness._run_view())


def test_one_artifact_with_two_scores_is_no_symmetric_verifier(finished: tuple[Path, Any]) -> None:
    """Challengers without feedback draw from four boxes: two of three may well commit the same guess."""
    _, harness = finished
    view = harness._run_view()
    first, second = (copy.deepcopy(record) for record in view.by_phase(Phase.CHALLENGE)[:2])
    second["evaluation"]["artifact_hash"] = first["evaluation"]["artifact_hash"]
    assert failed_checks(harness.adapter, dataclasses.replace(view, episodes=(*view.episodes, second))) == {}
    second["evaluation"]["per_unit"] = [0.5, 0.5]
    assert list(
        failed_checks(harness.adapter, dataclasses.replace(view, episodes=(*view.episodes, second)))
    ) == ["symmetric_verifier_pass"]


def test_a_main_run_without_feedback_is_no_lineage(compile_toy: Compile, tmp_path: Path) -> None:
    """An agent that commits at once never used an observation: a search-and-selection baseline."""
    harness = AuditHarness(load_config(compile_toy()), tmp_path / "run", backend=backend("guesser"))
    harness.capture()
    harness.challenge()
    harness.gate3()
    found = failed(harness)
    assert found.pop("iterative_lineage_eligible") == [
        "main: no file was written after an experiment's observation"
    ]
    # Nobody asked for anything, so no channel was tried either.
    assert found["neutral_channel_audit_pass"] == ["no agent of arm feedback_neutral made an experiment"]
    assert set(found) == {
        "truthful_channel_audit_pass",
        "neutral_channel_audit_pass",
        "sham_channel_checks_pass",
    }


# ---- command line ------------------------------------------------------------------------------------------


def test_command_line_checks_then_runs(
    compile_toy: Compile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The emitted run_audit.py calls `main` with the configuration beside it."""
    config = compile_toy()
    call = ["--run", str(tmp_path / "run"), "--agent", f"{TOY / 'agent.py'}:seeker", "--seed", "1"]
    assert main([*call, "--check"], config=config) == 0
    assert capsys.readouterr().out == "ready\n"
    assert not (tmp_path / "run").exists()
    assert main([*call, "--quiet", "--workers", "2"], config=config) == 0
    captured = capsys.readouterr()
    assert captured.out == f"{tmp_path / 'run/bundle'}\n" and captured.err == ""
    assert verify_bundle(tmp_path / "run/bundle")["ok"] is True


def test_command_line_refuses_with_code_1(
    compile_toy: Compile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = compile_toy(kernel={"family_max_audits": 2})
    call = ["--run", str(tmp_path / "run"), "--agent", f"{TOY / 'agent.py'}:seeker"]
    assert main([*call, "--check"], config=config) == 1
    assert "A3 family_max_audits: is 2, must be 1" in capsys.readouterr().out
    assert main(call, config=config) == 1
    assert "A3 family_max_audits: is 2, must be 1" in capsys.readouterr().err
    edit(config, lambda document: document["agent"].update(model="another-model"))
    assert main(call, config=config) == 1
    assert "does not accept model `another-model`" in capsys.readouterr().err


def test_command_line_prints_the_contracts_of_every_run(
    compile_toy: Compile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--run", str(tmp_path / "run"), "--contracts"], config=compile_toy()) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "dcp_harness_contract_set_v1"
