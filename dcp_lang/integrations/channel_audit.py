"""Attestations that are checked, not only declared.

The harness asks an auditor for fifteen judgments about a run, all false by default. Five of them follow from
the records: whether each feedback arm received exactly what its registered policy sends, whether one verifier
gives one artifact one score, and whether the main run used an observation. They are derived here again; one
that does not hold is false whatever was declared, and one that was not declared stays false whatever was
derived.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dcp_harness import AuditAttestations, EpisodeContext, Phase, RunView

from dcp_lang.integrations.compiled import CompiledError, strict_json
from dcp_lang.integrations.likeness import differences

if TYPE_CHECKING:
    from dcp_lang.integrations.adapter import CompiledAdapter

Failures = Iterable[str]
Check = Callable[["CompiledAdapter", RunView], Failures]


def audited_attestations(adapter: CompiledAdapter, run: RunView) -> AuditAttestations:
    """The declared attestations, each one that fails its check set to false."""
    declared = dict(adapter.compiled.document["attestations"])
    unknown = declared.keys() - {field.name for field in fields(AuditAttestations)}
    if unknown:
        raise CompiledError(f"unknown attestation `{sorted(unknown)[0]}`")
    for name in failed_checks(adapter, run):
        declared[name] = False
    return AuditAttestations(**declared)


def failed_checks(adapter: CompiledAdapter, run: RunView) -> dict[str, list[str]]:
    """Attestations that the records contradict, with one line per contradiction."""
    found = {name: list(check(adapter, run)) for name, check in CHECKS.items()}
    return {name: failures for name, failures in found.items() if failures}


def _channel(policy: str, *phases: Phase) -> Check:
    """A check of every experiment in `phases`: answered by `policy`, and as like the truth as registered.

    An arm whose agents never asked says nothing about the channel.
    """

    def check(adapter: CompiledAdapter, run: RunView) -> Failures:
        for phase in phases:
            records = run.by_phase(phase)
            if records and not any(_answered(record) for record in records):
                yield f"no agent of arm {phase.value} made an experiment"
            for record in records:
                yield from _wrong_answers(adapter, run, record, policy)

    return check


def _answered(record: dict[str, Any]) -> list[int]:
    """Numbers of the turns whose experiment was answered."""
    return [
        turn["turn"]
        for turn in record["turns"]
        if turn["action"] == "experiment" and turn["observation_hash"] is not None
    ]


def _both(first: Check, second: Check) -> Check:
    """Both checks, one after the other."""
    return lambda adapter, run: [*first(adapter, run), *second(adapter, run)]


def _wrong_answers(adapter: CompiledAdapter, run: RunView, record: dict[str, Any], policy: str) -> Failures:
    folder = _episode_folder(run.root, record)
    episode = adapter.episode(_context(adapter, run, record, folder))
    for number in _answered(record):
        place = folder / "turns" / f"{number:03d}"
        request = strict_json(place / "action.json")["payload"]
        sent = strict_json(place / "observation.json")["observation"]
        turn = f"{record['episode_id']} turn {number}"
        if sent != adapter.observe(policy, episode, request):
            yield f"{turn}: not what policy `{policy}` sends"
        truthful = adapter.observe("truthful", episode, request)
        for difference in differences(adapter.compiled.document["policies"].get(policy, {}), sent, truthful):
            yield f"{turn}: policy `{policy}` {difference}"


def _episode_folder(root: Path, record: dict[str, Any]) -> Path:
    """The folder of an episode: its checkpoints are recorded relative to the run folder."""
    checkpoint: str = record["checkpoints"][0]["path"]
    return (root / checkpoint).parent.parent


def _context(adapter: CompiledAdapter, run: RunView, record: dict[str, Any], folder: Path) -> EpisodeContext:
    return EpisodeContext(
        claim_id=run.config.claim_id,
        episode_id=record["episode_id"],
        phase=Phase(record["phase"]),
        workspace=folder / "workspace",
        record_dir=folder,
        run_root=run.root,
        ordinal=record["ordinal"],
        pair_id=record["pair_id"],
        replacement_of=record["replacement_of"],
    )


def _lineage(adapter: CompiledAdapter, run: RunView) -> Failures:
    """The main run must change its files after an observation, else it only searched and selected."""
    main = run.by_phase(Phase.MAIN)[0]
    first = min(_answered(main), default=len(main["turns"]))
    written = [
        path
        for turn in main["turns"][first:]
        for path in turn["workspace_diff"]["added"] + turn["workspace_diff"]["modified"]
    ]
    if all(path.startswith(".dcp/") for path in written):
        yield "main: no file was written after an experiment's observation"


def _one_verifier(adapter: CompiledAdapter, run: RunView) -> Failures:
    """One artifact, one score: the kernel accepts the same artifact with two scores (B6)."""
    seen: dict[str, tuple[str, Any]] = {}
    rows = [(record["episode_id"], record["phase"], record["evaluation"]) for record in run.episodes]
    rows.append(("baseline", Phase.MAIN.value, strict_json(run.root / "main/baseline.json")))
    for name, phase, result in rows:
        if result["outcome"] != "artifact" or phase in {
            Phase.SHAM_REFERENCE.value,
            Phase.SHAM_PROPOSED.value,
        }:
            continue
        first, scores = seen.setdefault(result["artifact_hash"], (name, result["per_unit"]))
        if scores != result["per_unit"]:
            yield f"{name} and {first} committed the same artifact and got different scores"


#: The attestations that records decide, with their check.
CHECKS: dict[str, Check] = {
    "iterative_lineage_eligible": _lineage,
    "symmetric_verifier_pass": _one_verifier,
    "truthful_channel_audit_pass": _channel("truthful", Phase.MAIN, Phase.FEEDBACK_TRUTHFUL),
    "neutral_channel_audit_pass": _channel("neutral", Phase.FEEDBACK_NEUTRAL),
    "sham_channel_checks_pass": _both(
        _channel("reference_null", Phase.SHAM_REFERENCE), _channel("neutral", Phase.SHAM_PROPOSED)
    ),
}
