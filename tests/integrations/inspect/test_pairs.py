"""The paired arms in Inspect: one tool, three responses, and evidence that the peer replays in full."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("dcp_harness")

from dcp_lang.integrations.inspect_ai.attestation import attested
from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.inspect_ai.logs import checkpoint_of, found_episodes
from dcp_lang.integrations.inspect_ai.results import Results
from dcp_lang.integrations.inspect_ai.tasks import stage_task

from ..conftest import folder_in_memory
from .audits import build, finish, payload, run

Finished = tuple[Audit, Path]


@pytest.fixture(scope="module")
def paired() -> Iterator[Finished]:
    """Two feedback pairs, two null pairs, three challengers, two controls."""
    with folder_in_memory() as folder:
        audit = run(build(folder))
        yield audit, finish(audit)


def observations(audit: Audit, phase: str) -> list[Any]:
    """The answers that the agents of an arm got."""
    found = [row for row in found_episodes(audit, "pairs") if row.planned.phase == phase]
    return [row.experiments[0]["observation"] for row in found]


def test_every_arm_gets_its_registered_policy(paired: Finished) -> None:
    audit, _ = paired
    assert observations(audit, "feedback_truthful") == [{"weights": [1, 1, 1, 1, 1, 1, 9, 1]}] * 2
    assert observations(audit, "feedback_neutral") == [{"weights": [2] * 8}] * 2
    assert observations(audit, "sham_proposed") == [{"weights": [2] * 8}] * 2
    assert [sorted(answer["weights"]) for answer in observations(audit, "sham_reference")] == [
        [2] * 7 + [3]
    ] * 2


def test_only_truthful_arms_find_the_prize_and_null_tasks_are_solved(paired: Finished) -> None:
    gate3 = payload(paired[1], "gate3")
    assert [pair["truthful"]["per_unit"] for pair in gate3["pairs"]] == [[1.0, 1.0]] * 2
    assert [pair["neutral"]["per_unit"] for pair in gate3["pairs"]] == [[0.0, 0.0]] * 2
    null = gate3["sham"]["pairs"]
    assert [(row["reference_null"]["utility"], row["proposed_sham"]["utility"]) for row in null] == [
        (1.0, 1.0)
    ] * 2


def test_the_peers_command_verifies_the_full_bundle(paired: Finished) -> None:
    """Two controls cannot show a recall of .8, so the audit is incomplete; the record itself is in order."""
    command = [sys.executable, "-m", "dcp", "verify", str(paired[1] / "bundle")]
    done = subprocess.run(command, capture_output=True, text=True)
    report = json.loads(done.stdout)
    assert done.returncode == 0 and report["ok"] is True
    assert report["bundle_profile"] == "full_audit_v1"
    assert report["saved_verdict"]["core_inconclusive_class"] == "audit_incomplete"


def test_the_records_of_pairs_have_no_integrity_fault(paired: Finished) -> None:
    """What the kernel checks of receipts, contracts, seals and manifests holds, although two pairs prove nothing."""
    certificate = payload(paired[1], "certificate")
    for name in ("integrity_errors", "gate3_integrity_errors", "gate3_neutral_ledger_integrity_errors"):
        assert certificate.get(name, certificate["integrity"].get(name, [])) == []
    gate3 = payload(paired[1], "gate3")
    assert gate3["contract_sealed_event_index"] == 0 < gate3["first_branch_started_event_index"]
    assert gate3["truthful_channel_audit_pass"] and gate3["sham"]["channel_checks_pass"]


def test_the_arms_of_a_pair_run_in_a_drawn_order_beside_each_other(paired: Finished) -> None:
    audit, _ = paired
    samples = stage_task(audit, "pairs").dataset
    pairs = [(sample.metadata or {})["pair"] for sample in samples]
    assert len(pairs) == 8 and all(pairs[n] == pairs[n + 1] for n in range(0, 8, 2))
    drawn = [audit.ledger.draw(f"{s.metadata['pair']} {s.metadata['phase']}") for s in samples]  # type: ignore[index]
    assert all(drawn[n] < drawn[n + 1] for n in range(0, 8, 2))


def test_the_model_is_not_told_its_arm(paired: Finished) -> None:
    texts = {found.sample.input for found in found_episodes(paired[0], "pairs")}  # type: ignore[union-attr]
    (text,) = texts
    assert "truthful" not in text and "neutral" not in text and "sham" not in text


def test_the_checkpoint_is_the_registered_one(paired: Finished) -> None:
    """`checkpoint = start`: the prepared workspace, no observation."""
    start = checkpoint_of(paired[0])
    assert list(start.files) == ["TASK.md"] and start.observation is None


def test_a_checkpoint_after_an_experiment_brings_its_observation(paired: Finished) -> None:
    audit = Audit(paired[0].home, paired[0].logs)
    audit.adapter.compiled.document["checkpoint"] = {
        "rule": "after",
        "event": "first experiment",
        "scope": "lineage_prefix",
    }
    start = checkpoint_of(audit)
    assert start.observation == {"weights": [1, 1, 1, 1, 1, 1, 9, 1]}
    audit.start = start
    assert '{"weights":[1,1,1,1,1,1,9,1]}' in audit.prompt(audit.plan.episodes("pairs")[0])


@pytest.mark.parametrize(
    ("phase", "attestation"),
    [
        ("feedback_truthful", "truthful_channel_audit_pass"),
        ("feedback_neutral", "neutral_channel_audit_pass"),
        ("sham_proposed", "sham_channel_checks_pass"),
        ("sham_reference", "sham_channel_checks_pass"),
    ],
)
def test_an_answer_that_is_not_the_policys_withdraws_its_attestation(
    paired: Finished, phase: str, attestation: str
) -> None:
    results = Results(paired[0])
    assert attested(results)[1] == {}
    results.of(phase)[0].found.experiments[0]["observation"] = {"weights": [0] * 8}
    declared, failed = attested(results)
    assert list(failed) == [attestation] and declared[attestation] is False


def test_one_artifact_with_two_scores_is_no_symmetric_verifier(paired: Finished) -> None:
    results = Results(paired[0])
    first, second = results.of("challenge")[:2]
    second.evaluation["artifact_hash"] = first.evaluation["artifact_hash"]
    second.evaluation["per_unit"] = [0.5, 0.5]
    assert list(attested(results)[1]) == ["symmetric_verifier_pass"]


def test_a_main_run_without_feedback_is_no_lineage(paired: Finished) -> None:
    results = Results(paired[0])
    record = results.main.found.record
    results.main.found.experiments[0]["workspace"] = record["workspace"]
    assert list(attested(results)[1]) == ["iterative_lineage_eligible"]
