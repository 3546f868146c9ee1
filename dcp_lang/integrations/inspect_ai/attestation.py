"""Attestations that the records decide, checked on an audit's episodes; see `channel_audit` for the harness's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dcp_lang.integrations.adapter import POLICY_OF
from dcp_lang.integrations.inspect_ai.desk import Desk
from dcp_lang.integrations.inspect_ai.results import Result, Results
from dcp_lang.integrations.likeness import differences

Check = Callable[[Results], Iterator[str]]


def attested(results: Results) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """The declared attestations, those that a check contradicts set to false; and the contradictions."""
    declared = dict(results.audit.adapter.compiled.document["attestations"])
    found = {name: list(check(results)) for name, check in CHECKS.items()}
    failed = {name: lines for name, lines in found.items() if lines and declared[name]}
    return declared | dict.fromkeys(failed, False), failed


def _lineage(results: Results) -> Iterator[str]:
    """The main run must change its files after an observation, else it only searched and selected."""
    main = results.main.found
    if all(row["workspace"] == main.record["workspace"] for row in main.experiments):
        yield "main: no file was changed after an experiment's observation"


def _one_verifier(results: Results) -> Iterator[str]:
    """One artifact, one score: the kernel accepts the same artifact with two scores. Null tasks have own answers."""
    seen: dict[str, tuple[str, Any]] = {}
    rows = [(row.name, row.evaluation) for row in results.of(*_SCORED)]
    rows.append(("baseline", results.main.evaluation["baseline"]))
    for name, evaluation in rows:
        if evaluation["outcome"] == "artifact":
            first, scores = seen.setdefault(evaluation["artifact_hash"], (name, evaluation["per_unit"]))
            if scores != evaluation["per_unit"]:
                yield f"{name} and {first} committed the same artifact and got different scores"


_SCORED = ("main", "challenge", "feedback_truthful", "feedback_neutral")


def _channel(*phases: str) -> Check:
    """A check that every experiment of some arms was answered by the registered policy, and alike the truth."""

    def check(results: Results) -> Iterator[str]:
        for phase in phases:
            rows = results.of(phase)
            if rows and not any(row.found.experiments for row in rows):
                yield f"no agent of arm {phase} made an experiment"
            for row in rows:
                yield from _wrong_answers(results, row)

    return check


def _wrong_answers(results: Results, row: Result) -> Iterator[str]:
    adapter, record = results.audit.adapter, row.found.record
    with TemporaryDirectory() as folder:
        desk = Desk(Path(folder) / "workspace")
        desk.root.mkdir()
        desk.restore(record.get("files", {}))
        context = results.audit.context(row.found.planned, desk.root)
        policy = POLICY_OF[context.phase]
        observe = partial(adapter.observe, episode=adapter.episode(context))
        for number, sent in enumerate(row.found.experiments, start=1):
            where = f"{row.name} experiment {number}: "
            if sent["observation"] != observe(policy, request=sent["request"]):
                yield f"{where}not what policy `{policy}` sends"
            truth = observe("truthful", request=sent["request"])
            declaration = adapter.compiled.document["policies"].get(policy, {})
            yield from (where + text for text in differences(declaration, sent["observation"], truth))


#: The attestations that records decide, with their check.
CHECKS: dict[str, Check] = {
    "iterative_lineage_eligible": _lineage,
    "symmetric_verifier_pass": _one_verifier,
    "truthful_channel_audit_pass": _channel("main", "feedback_truthful"),
    "neutral_channel_audit_pass": _channel("feedback_neutral"),
    "sham_channel_checks_pass": _channel("sham_reference", "sham_proposed"),
}
