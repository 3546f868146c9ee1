"""Logs that are not exactly the registered audit: refused with the reason, before a bundle is written."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("dcp_harness")

from inspect_ai import eval as inspect_eval
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import get_model

from dcp_lang.integrations.compiled import CompiledError
from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.inspect_ai.bundle import write_bundle
from dcp_lang.integrations.inspect_ai.logs import LogError, checkpoint_of, found_episodes
from dcp_lang.integrations.inspect_ai.run import main, run_stages
from dcp_lang.integrations.inspect_ai.scorer import score_audit
from dcp_lang.integrations.inspect_ai.scripted import scripted_model
from dcp_lang.integrations.inspect_ai.tasks import stage_task
from dcp_lang.integrations.mismatch import RegistrationMismatch

from ..conftest import edit, folder_in_memory
from .audits import CORE, MODEL, build, disclosed, finish, payload, policy, run

Finished = Callable[[], Audit]
OTHER = "sha256:" + "0" * 64


@pytest.fixture(scope="module")
def _once() -> Any:
    with folder_in_memory() as folder:
        yield run(build(folder, **CORE))


@pytest.fixture
def finished(_once: Audit, tmp_path: Path) -> Audit:
    """A copy of a small finished audit, not scored."""
    place = tmp_path / "copy"
    shutil.copytree(_once.logs.parent, place)
    return Audit(place / "build/runner", place / "logs")


def rewrite(audit: Audit, change: Callable[[EvalLog], None], stage: str = "challenge") -> None:
    """Change the log of a stage."""
    path = next((audit.logs / stage).glob("*.eval"))
    log = read_eval_log(str(path))
    change(log)
    write_eval_log(log, str(path))


def refused(audit: Audit, reason: str) -> None:
    """Scoring is refused for `reason`, and so there is no bundle."""
    with pytest.raises(LogError, match=reason):
        score_audit(audit)
    with pytest.raises(LogError):
        write_bundle(audit, audit.logs.parent / "out")
    assert not (audit.logs.parent / "out").exists()


def test_a_missing_sample_is_refused(finished: Audit) -> None:
    rewrite(finished, lambda log: log.samples.pop(1))  # type: ignore[union-attr]
    refused(finished, "episode challenge-0002 has no sample: run stage `challenge` to its end")


def test_a_stage_that_never_ran_is_refused(finished: Audit) -> None:
    shutil.rmtree(finished.logs / "challenge")
    refused(finished, "episode challenge-0001 has no sample")


def test_a_foreign_digest_is_refused(finished: Audit) -> None:
    def change(log: EvalLog) -> None:
        log.eval.task_version = OTHER

    rewrite(finished, change)
    refused(finished, f"challenge/.*eval: is of registration sha256:.*, not {finished.plan.registration}")


def test_the_log_of_another_registration_is_refused(finished: Audit) -> None:
    def change(log: EvalLog) -> None:
        log.eval.task_version = OTHER
        log.eval.metadata["dcp"]["registration"] = OTHER  # type: ignore[index]

    rewrite(finished, change)
    refused(finished, f"is of registration {OTHER}, not {finished.plan.registration}")


def test_the_log_of_another_run_is_refused(finished: Audit) -> None:
    """The same registration, run twice: each ledger has an opening of its own, and logs name it."""

    def change(log: EvalLog) -> None:
        log.eval.metadata["dcp"]["seal"] = OTHER  # type: ignore[index]

    rewrite(finished, change)
    refused(finished, "is of another audit: it does not name the opening of this ledger")


def test_a_sample_that_is_no_registered_episode_is_refused(finished: Audit) -> None:
    def change(log: EvalLog) -> None:
        extra = log.samples[0].model_copy(update={"id": "challenge-0004", "uuid": "another"})  # type: ignore[index]
        log.samples.append(extra)  # type: ignore[union-attr]

    rewrite(finished, change)
    refused(finished, "sample challenge-0004 is no registered episode")


def test_a_sample_without_the_receipt_of_its_start_is_refused(finished: Audit) -> None:
    """A sample that was played outside the ledger, for a second chance."""

    def change(log: EvalLog) -> None:
        log.samples[1].store["dcp"]["receipt"] = OTHER  # type: ignore[index]

    rewrite(finished, change)
    refused(finished, "episode challenge-0002 has a sample without the receipt of its start")


@pytest.mark.parametrize(
    ("setting", "value", "reason"),
    [
        ("epochs", 2, "epochs is 2, must be 1"),
        ("limit", 3, "limit is 3, must be None"),
        ("turn_limit", 7, "turn_limit is 7, must be 6"),
        ("cost_limit", None, "cost_limit is None, must be 1.0"),
        ("fail_on_error", True, "fail_on_error is True, must be False"),
        ("message_limit", 9, "message_limit is 9, must be None"),
    ],
)
def test_settings_that_change_the_audit_are_refused(
    finished: Audit, setting: str, value: Any, reason: str
) -> None:
    rewrite(finished, lambda log: setattr(log.eval.config, setting, value))
    refused(finished, reason)


def test_another_asked_model_is_refused(finished: Audit) -> None:
    rewrite(finished, lambda log: setattr(log.eval, "model", "mockllm/other"))
    refused(finished, f"asked model mockllm/other, registered is {MODEL}")


def test_fallback_models_are_refused(finished: Audit) -> None:
    rewrite(
        finished,
        lambda log: setattr(log.eval.model_generate_config, "fallback_models", ["mockllm/other"]),
    )
    refused(finished, "could ask other models than the registered one")


def test_challengers_that_were_asked_otherwise_are_refused(finished: Audit) -> None:
    """A temperature is not registered, but it must be the same for target and challengers."""
    rewrite(finished, lambda log: setattr(log.eval.model_generate_config, "temperature", 0.2))
    refused(finished, "challenge: the model was asked with other settings than in `main`")


def test_an_answer_of_another_model_is_a_contract_violation(finished: Audit) -> None:
    """The provider may serve what it likes; what it reports decides."""

    def change(log: EvalLog) -> None:
        event = next(e for e in log.samples[1].events if isinstance(e, ModelEvent))  # type: ignore[index]
        event.output.model = "scripted-other"

    rewrite(finished, change)
    out = finish(finished)
    outcomes = [row["outcome"] for row in payload(out, "gate2")["controls"]]
    assert outcomes == ["artifact", "execution_contract_violation", "artifact"]
    assert disclosed(out)["provenance_faults"] == ["challenge-0002: answered by scripted-other"]
    assert payload(out, "integrity")["provenance_pass"] is False


def test_an_unscored_audit_has_no_bundle(finished: Audit) -> None:
    with pytest.raises(LogError, match="episode main is not scored: run `score` first"):
        write_bundle(finished, finished.logs.parent / "out")


def test_a_log_that_changes_after_scoring_is_refused(finished: Audit) -> None:
    score_audit(finished)
    rewrite(finished, lambda log: None)
    reason = "a log in logs was changed, added or removed"
    with pytest.raises(CompiledError, match=reason):
        score_audit(finished)
    with pytest.raises(CompiledError, match=reason):
        write_bundle(finished, finished.logs.parent / "out")


def test_a_score_that_changes_afterwards_is_refused(finished: Audit) -> None:
    """And scoring again does not replace it: the verifier is opened once."""
    paths = score_audit(finished)
    assert score_audit(finished) == paths

    def change(log: EvalLog) -> None:
        log.samples[0].scores["dcp_verifier"].metadata["dcp"]["per_unit"] = [1.0, 1.0]  # type: ignore[index]

    rewrite(finished, change, "scored/challenge")
    for step in (score_audit, lambda audit: write_bundle(audit, audit.logs.parent / "out")):
        with pytest.raises(CompiledError, match="a log in scored was changed, added or removed"):
            step(finished)


def test_files_that_change_before_scoring_cost_the_provenance(finished: Audit) -> None:
    """A challenger's guess is replaced in the log: the ledger holds the digest of what it committed."""

    def change(log: EvalLog) -> None:
        guess = base64.b64encode(b'{"box": 7}').decode()
        log.samples[2].store["dcp"]["files"]["guess.json"] = guess  # type: ignore[index]

    rewrite(finished, change)
    out = finish(finished)
    fault = "challenge-0003: the record in the log is not the committed one"
    assert disclosed(out)["provenance_faults"] == [fault]
    assert payload(out, "integrity")["provenance_pass"] is False
    assert payload(out, "certificate")["verdict"]["core"] == "inconclusive"


def test_a_changed_main_run_gives_no_checkpoint(finished: Audit) -> None:
    def change(log: EvalLog) -> None:
        log.samples[0].store["dcp"]["checkpoints"][0]["HINT.json"] = "e30="  # type: ignore[index]

    rewrite(finished, change, "main")
    with pytest.raises(LogError, match="the main run's log was changed after the run"):
        checkpoint_of(finished)


def test_a_changed_ledger_loses_its_episodes(finished: Audit) -> None:
    score_audit(finished)
    text = finished.ledger.path.read_text()
    finished.ledger.path.write_text(
        text.replace('"episode": "challenge-0003"', '"episode": "challenge-0009"', 1)
    )
    assert finished.ledger.faults() != []
    refused_or_not = pytest.raises(LogError, match="episode challenge-0003 has no sample")
    with refused_or_not:
        write_bundle(finished, finished.logs.parent / "out")


def test_a_changed_adapter_does_not_resume(finished: Audit) -> None:
    task = finished.home / "task.py"
    task.write_text(task.read_text() + "\n")
    with pytest.raises(Exception, match="changed after compilation"):
        Audit(finished.home, finished.logs)


def test_changed_counts_do_not_resume(finished: Audit) -> None:
    """`inspect.json` is sealed with the opening: no challenger is added when the first ones are seen."""
    edit(finished.home / "inspect.json", lambda document: document["counts"].update(challengers=4))
    audit = Audit(finished.home, finished.logs)
    with pytest.raises(CompiledError, match=r"the audit was opened with another inspect\.json"):
        audit.open()


def test_a_registration_is_run_in_one_folder_only(finished: Audit) -> None:
    (finished.home / "started.json").unlink()
    first = Audit(finished.home, finished.logs)
    run_stages(first, scripted_model(policy("seeker"), MODEL))
    with pytest.raises(
        RegistrationMismatch, match="A34 run folder: the registration's one audit was started"
    ):
        run_stages(
            Audit(finished.home, finished.logs.parent / "again"), scripted_model(policy("seeker"), MODEL)
        )


def test_another_model_than_the_registered_one_is_not_asked(core: Path) -> None:
    audit = Audit(core, core.parent.parent / "logs")
    with pytest.raises(CompiledError, match=f"model is mockllm/other, registered is {MODEL}"):
        run_stages(audit, get_model("mockllm/other"))
    assert not audit.logs.exists()


def test_a_stage_run_twice_by_hand_changes_nothing(finished: Audit) -> None:
    """`inspect eval` on the emitted file once more: every start is refused, the first samples stay the episodes'."""
    before = [found.receipt for found in found_episodes(finished, "challenge")]
    inspect_eval(
        stage_task(finished, "challenge"),
        model=scripted_model(policy("seeker"), MODEL),
        log_dir=str(finished.logs / "challenge"),
        display="none",
    )
    after = found_episodes(finished, "challenge")
    assert [found.receipt for found in after] == before and all(found.sample for found in after)
    assert all("refused, no model was asked" in found.disclosures[0] for found in after)


def test_the_command_line_refuses_with_code_1(finished: Audit, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(finished, lambda log: log.samples.pop())  # type: ignore[union-attr]
    assert main(finished.home, ["score", str(finished.logs)]) == 1
    assert "has no sample" in capsys.readouterr().err
