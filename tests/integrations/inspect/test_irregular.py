"""Sessions that go wrong: counted by the registered table, disclosed, never dropped and never started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("dcp_harness")

from inspect_ai import eval as inspect_eval
from inspect_ai.model import ModelCost, ModelInfo, set_model_info

from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.inspect_ai.ledger import ACTED, STARTED
from dcp_lang.integrations.inspect_ai.logs import found_episodes
from dcp_lang.integrations.inspect_ai.run import run_stages
from dcp_lang.integrations.inspect_ai.scripted import scripted_model
from dcp_lang.integrations.inspect_ai.tasks import stage_task
from dcp_lang.integrations.mismatch import RegistrationMismatch

from .audits import MODEL, disclosed, finish, payload, policy, run

RunCore = Callable[[str], Audit]
RETRIED = "Inspect retried it after: ProviderUnreachable('connection reset')"


def outcomes(out: Path) -> dict[str, str]:
    return {row["attempt_id"]: row["outcome"] for row in payload(out, "gate2")["controls"]}


@pytest.mark.parametrize(
    ("agent", "outcome", "why"),
    [
        ("unreachable", "infrastructure_invalid", "error: ProviderUnreachable('connection refused')"),
        ("breaks_off", "unresolved", "error: ProviderUnreachable('connection reset')"),
    ],
)
def test_an_errored_sample_is_counted(run_core: RunCore, agent: str, outcome: str, why: str) -> None:
    """Before any assistant message it is infrastructure, after one nobody knows what it would have become."""
    out = finish(run_core(agent))
    assert outcomes(out) == {
        "challenge-0001": "artifact",
        "challenge-0002": outcome,
        "challenge-0003": "artifact",
    }
    assert disclosed(out)["irregular"] == {"challenge-0002": {"outcome": outcome, "what": [why]}}
    row = payload(out, "gate2")["controls"][1]
    assert row["per_unit"] is None and row["artifact_hash"] == ""
    assert row["infrastructure_outcome_independent"] is (outcome == "infrastructure_invalid")


def test_spent_turns_without_an_artifact_are_a_model_failure(run_core: RunCore) -> None:
    audit = run_core("talks")
    talked = found_episodes(audit, "challenge")[1]
    assert talked.record["ended"] == "turns"
    # Six registered turns, not seven: Inspect's own limit would let one more call through.
    assert len([m for m in talked.sample.messages if m.role == "assistant"]) == 6  # type: ignore[union-attr]
    assert outcomes(finish(audit))["challenge-0002"] == "model_failure"


def priced(core: Path, name: str) -> Path:
    """An audit that ended at its cost limit.

    Every answer of the mock reports one output token; at 3e5 USD per million four of them cost 1.2 USD.
    """
    audit = Audit(core, core.parent.parent / "logs")
    model = scripted_model(policy(name), MODEL)  # first: making it sets a price of its own
    price = ModelCost(input=0, output=0.3e6, input_cache_write=0, input_cache_read=0)
    set_model_info(MODEL, ModelInfo(cost=price))
    run_stages(audit, model)
    return finish(audit)


def test_a_limit_of_inspect_without_an_artifact_is_a_model_failure(core: Path) -> None:
    out = priced(core, "talks")
    assert outcomes(out)["challenge-0002"] == "model_failure"
    assert disclosed(out)["irregular"]["challenge-0002"]["what"] == ["limit: cost 1"]


def test_a_limit_with_an_artifact_counts_the_artifact(core: Path) -> None:
    """What stands when the budget is spent is committed (`selection.rule`); the agent needs four answers to write."""
    out = priced(core, "dawdles")
    assert outcomes(out)["challenge-0002"] == "artifact"
    assert disclosed(out)["irregular"]["challenge-0002"]["what"] == ["limit: cost 1"]


def test_a_retried_sample_is_disclosed_and_asks_no_model(core: Path) -> None:
    """Someone runs the task file with `--retry-on-error`: the solver refuses the second start."""
    audit = Audit(core, core.parent.parent / "logs")
    run_stages_by_hand(audit, "main")
    run_stages_by_hand(audit, "challenge", agent="breaks_off", retry_on_error=2)
    retried = found_episodes(audit, "challenge")[1]
    assert retried.disclosures[0] == "was under way when the run was interrupted; it was not started again"
    assert RETRIED in retried.disclosures
    out = finish(audit)
    assert outcomes(out)["challenge-0002"] == "unresolved"
    assert RETRIED in disclosed(out)["irregular"]["challenge-0002"]["what"]


def run_stages_by_hand(audit: Audit, stage: str, agent: str = "seeker", **options: Any) -> None:
    """As `inspect eval` would run the emitted file."""
    audit.logs.mkdir(exist_ok=True)
    audit.open()
    inspect_eval(
        stage_task(audit, stage),
        model=scripted_model(policy(agent), MODEL),
        log_dir=str(audit.logs / stage),
        display="none",
        **options,
    )


@pytest.mark.parametrize(("acted", "outcome"), [(False, "infrastructure_invalid"), (True, "unresolved")])
def test_a_start_that_is_in_the_ledger_is_never_repeated(core: Path, acted: bool, outcome: str) -> None:
    """What a kill leaves behind: a start, perhaps a first answer, and no sample."""
    audit = Audit(core, core.parent.parent / "logs")
    run_stages_by_hand(audit, "main")
    audit.ledger.start("challenge-0003")
    if acted:
        audit.ledger.append(ACTED, "challenge-0003")
    run_stages(audit, scripted_model(policy("seeker"), MODEL))
    killed = found_episodes(audit, "challenge")[2]
    assert killed.sample is None and len(killed.disclosures) == 2
    assert [len(audit.ledger.of(name, STARTED)) for name in audit.planned] == [1] * len(audit.planned)
    assert outcomes(finish(audit))["challenge-0003"] == outcome


def test_a_run_that_was_killed_goes_on_and_discloses(core: Path) -> None:
    """SIGKILL while challenge-0002 waits for its model; a rerun finishes the others and tells of this one."""
    logs = core.parent.parent / "logs"
    agent = Path(__file__).with_name("agents.py")
    command = [sys.executable, str(core / "inspect_task.py"), "run", str(logs), "--workers", "1"]
    running = subprocess.Popen([*command, "--agent", f"{agent}:hangs"], stderr=subprocess.DEVNULL)
    audit = Audit(core, logs)
    deadline = time.monotonic() + 120
    while not audit.ledger.of("challenge-0002", STARTED) and time.monotonic() < deadline:
        time.sleep(0.1)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    run_stages(audit, scripted_model(policy("seeker"), MODEL))
    first, second, third = found_episodes(audit, "challenge")[:3]
    assert first.disclosures == [] == third.disclosures
    assert "was under way when the run was interrupted" in second.disclosures[0]
    out = finish(audit)
    assert outcomes(out)["challenge-0002"] == "infrastructure_invalid"
    assert set(disclosed(out)["irregular"]) == {"challenge-0002"}


def test_a_main_run_without_artifact_stops_the_audit(core: Path) -> None:
    with pytest.raises(RegistrationMismatch, match=r"A9 main run: left no artifact `guess\.json`"):
        run(core, "idle")
    assert not (core.parent.parent / "logs/challenge").exists()


def test_a_main_run_that_breaks_off_stops_the_audit(core: Path) -> None:
    with pytest.raises(RegistrationMismatch, match=r"A9 main run: was not finished .*out of credit"):
        run(core, "penniless")
    assert not (core.parent.parent / "logs/challenge").exists()
