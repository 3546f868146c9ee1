"""A Core audit in Inspect, from samples to a bundle that the peer replays and our verifier binds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("dcp_harness")

from inspect_ai.log import read_eval_log

from dcp_lang.cli import run as dcpc
from dcp_lang.emit.targets import always
from dcp_lang.integrations.compiled import CompiledError
from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.inspect_ai.bundle import write_bundle
from dcp_lang.integrations.inspect_ai.logs import found_episodes
from dcp_lang.integrations.inspect_ai.scorer import NAME

from .audits import disclosed, payload

Certified = tuple[Audit, Path]


def test_the_peers_command_verifies_the_bundle(certified: Certified) -> None:
    """66 misses bound recovery by .05 at alpha .034: .95^66 = .0339; 24 of 24 controls recall .8019 at .005."""
    command = [sys.executable, "-m", "dcp", "verify", str(certified[1] / "bundle")]
    done = subprocess.run(command, capture_output=True, text=True)
    report = json.loads(done.stdout)
    assert done.returncode == 0 and report["ok"] is True and report["kernel_replay_matches"] is True
    assert report["saved_verdict"]["core"] == "certified"


def test_every_registered_episode_is_in_the_bundle(certified: Certified) -> None:
    controls = payload(certified[1], "gate2")
    assert [row["attempt_id"] for row in controls["controls"]] == [f"challenge-{n:04d}" for n in range(1, 67)]
    assert controls["adequacy"]["positive_control_successes"] == 24
    assert len({row["independent_draw_receipt_hash"] for row in controls["controls"]}) == 66
    assert len({row["prestart_contract_receipt_hash"] for row in controls["controls"]}) == 66


def test_the_bundles_registration_is_the_compiled_one_to_the_last_field(certified: Certified) -> None:
    """Nothing is bound late, other than with dcp-harness: what the registration promises is what is recorded."""
    audit, out = certified
    assert payload(out, "registration") == audit.plan.document["kernel"]


def test_nothing_irregular_is_disclosed_and_the_limits_are(certified: Certified) -> None:
    found = disclosed(certified[1])
    assert found["irregular"] == {} and found["provenance_faults"] == []
    assert found["attestations_withdrawn"] == {} and found["ledger"]["faults"] == []
    assert found["episodes"] == 66 + 24 + 1
    assert found["target"] == {"cannot": [], "always": always("inspect")}


def test_the_logs_name_the_registration_and_hold_no_score(certified: Certified) -> None:
    audit, _ = certified
    log = read_eval_log(str(next((audit.logs / "challenge").glob("*.eval"))))
    assert log.eval.task_version == audit.plan.registration
    assert log.eval.metadata["dcp"] == {
        "registration": audit.plan.registration,
        "seal": audit.seal,
        "stage": "challenge",
    }
    assert all(not sample.scores for sample in log.samples)
    scored = read_eval_log(str(next((audit.logs / "scored/challenge").glob("*.eval"))))
    assert all(NAME in sample.scores for sample in scored.samples)


def test_limits_are_the_registered_budgets(certified: Certified) -> None:
    """turns = 6, cost = 1 USD, time = 4 min."""
    config = read_eval_log(
        str(next((certified[0].logs / "main").glob("*.eval"))), header_only=True
    ).eval.config
    assert (config.turn_limit, config.cost_limit, config.time_limit) == (6, 1.0, 240)
    assert (config.epochs, config.retry_on_error, config.fail_on_error) == (1, 0, False)


def test_scoring_starts_after_the_last_commit(certified: Certified) -> None:
    kinds = [row["event_type"] for row in certified[0].ledger.events()]
    assert kinds[0] == "audit_opened" and kinds[-2:] == ["scoring_opened", "scored"]
    assert kinds.count("episode_committed") == kinds.count("episode_prestarted") == 91


def test_challengers_learn_nothing_from_their_experiments(certified: Certified) -> None:
    audit, _ = certified
    answers = [
        row["observation"] for found in found_episodes(audit, "challenge") for row in found.experiments
    ]
    assert len(answers) == 66
    assert all(answer == {"accepted": True, "message": "The measurement is withheld."} for answer in answers)
    main = found_episodes(audit, "main")[0]
    assert main.experiments[0]["observation"] == {"weights": [1, 1, 1, 1, 1, 1, 9, 1]}


def test_the_model_is_not_told_its_phase(certified: Certified) -> None:
    """All episodes but the channel checks begin with the same words."""
    audit, _ = certified
    samples = [found.sample for stage in ("main", "challenge") for found in found_episodes(audit, stage)]
    texts = {sample.input for sample in samples if sample and sample.metadata["phase"] != "positive_control"}
    (text,) = texts
    assert not any(word in text for word in ("challenge", "main", "feedback", "control"))


def test_our_verifier_binds_the_bundle_to_its_registration(
    certified: Certified, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also in the fields that a run of dcp-harness decides late: here they are the compiled ones."""
    audit, out = certified
    build = audit.home.parent
    command = ["verify", str(out / "bundle"), "--registration", str(build / "registration.json")]
    assert dcpc([*command, "--contracts", str(build / "kernel-registration.json")]) == 0
    shown = capsys.readouterr().out
    assert "Core certified" in shown
    assert re.search("bound to its registration +yes", shown) and re.search("kernel agrees +yes", shown)


def test_a_finished_audit_is_bundled_again_to_the_same_bytes(certified: Certified, tmp_path: Path) -> None:
    audit, out = certified
    write_bundle(Audit(audit.home, audit.logs), tmp_path / "again")
    for path in (out / "bundle").rglob("*.json"):
        assert (
            tmp_path / "again/bundle" / path.relative_to(out / "bundle")
        ).read_bytes() == path.read_bytes()


def test_a_full_folder_is_left_alone(certified: Certified) -> None:
    with pytest.raises(CompiledError, match="is not empty"):
        write_bundle(*certified)
