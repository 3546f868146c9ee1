"""Sealed scoring: the private verifier is opened once, after every registered episode has ended.

The scores are put into copies of the logs (`scored/`), where Inspect shows them; the logs of the run stay
as they were written. The ledger holds the digests of both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
from dcp_harness import EpisodeEvaluation
from inspect_ai import score
from inspect_ai.log import EvalLog, write_eval_log
from inspect_ai.model import get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState

from dcp_lang.canonical import digest
from dcp_lang.integrations.compiled import CompiledError, path_digest
from dcp_lang.integrations.inspect_ai.audit import RESPONSE, Audit
from dcp_lang.integrations.inspect_ai.desk import Desk
from dcp_lang.integrations.inspect_ai.ledger import SCORED, SCORING
from dcp_lang.integrations.inspect_ai.logs import RECORD, found_episodes, log_files, settings, stage_logs
from dcp_lang.integrations.inspect_ai.plan import Planned

NAME = "dcp_verifier"


def score_audit(audit: Audit) -> list[Path]:
    """Score every episode, once; the scored copies of the logs. `LogError` while an episode is missing.

    The digests of all logs are noted in the ledger first, those of the scored copies afterwards; `CompiledError`
    when a noted file is no longer the same.
    """
    for stage in audit.plan.stages:
        found_episodes(audit, stage)
    settings(audit)
    if audit.ledger.first(SCORING) is None:
        audit.ledger.append(SCORING, "", files=_digests(audit, audit.logs))
    check_noted_logs(audit)
    if audit.ledger.first(SCORED) is None:
        for stage in audit.plan.stages:
            _score_stage(audit, stage)
        audit.ledger.append(SCORED, "", files=_digests(audit, audit.logs / "scored"))
    return [audit.logs / "scored" / name for name in _digests(audit, audit.logs / "scored")]


def check_noted_logs(audit: Audit) -> None:
    """`CompiledError` when logs or scored copies are not those that the ledger noted."""
    for event, folder in ((SCORING, audit.logs), (SCORED, audit.logs / "scored")):
        noted = audit.ledger.first(event)
        if noted is not None and noted["payload"]["files"] != _digests(audit, folder):
            raise CompiledError(f"a log in {folder.name} was changed, added or removed", code="A34")


def _digests(audit: Audit, folder: Path) -> dict[str, str]:
    """The digest of every log below a folder."""
    return {
        f"{stage}/{path.name}": path_digest(path.parent, path.name)
        for stage in audit.plan.stages
        for path in sorted((folder / stage).glob("*.eval"))
    }


def _score_stage(audit: Audit, stage: str) -> None:
    """Score all logs of a stage: a resumed one holds the samples of those before, a repeated one does not."""
    folder = audit.logs / "scored" / stage
    folder.mkdir(parents=True, exist_ok=True)
    for path, log in zip(log_files(audit, stage), stage_logs(audit, stage), strict=True):
        if log.samples:
            verifier, idle = registered_scorer(audit), get_model("mockllm/model")
            scored: EvalLog = score(log, verifier, model=idle, action="overwrite", display="none")
            write_eval_log(scored, str(folder / path.name))


def registered_scorer(audit: Audit) -> Scorer:
    """The verifier as an Inspect scorer: the value is the mean score, the whole result is in the metadata."""

    @scorer(metrics=[mean()], name=NAME)
    def dcp_verifier() -> Scorer:
        async def verify(state: TaskState, target: Target) -> Score:
            record = state.store.get(RECORD, {})
            if "files" not in record:
                return Score(value=0, explanation="no files were committed")
            planned = audit.planned[str(state.sample_id)]
            result = await anyio.to_thread.run_sync(partial(verified, audit, planned, record["files"]))
            return Score(value=result["mean"], explanation=result["reason"], metadata={RECORD: result})

        return verify

    return dcp_verifier()


def verified(audit: Audit, planned: Planned, files: Mapping[str, str]) -> dict[str, Any]:
    """The verifier's result for the files that an episode committed, as JSON; with the main run also the baseline's."""
    with TemporaryDirectory() as folder:
        desk = Desk(Path(folder) / "workspace")
        desk.root.mkdir()
        desk.restore(files)
        if planned.phase == "positive_control":
            copied = RESPONSE in desk.names() and desk.read(RESPONSE).strip() == audit.marker(planned)
            return {"mean": float(copied), "reason": "copied" if copied else "not copied"}
        context = audit.context(planned, desk.root)
        result = evaluation_json(desk, audit.adapter.evaluate(context))
        if planned.phase == "main":
            result["baseline"] = evaluation_json(desk, audit.adapter.baseline(context))
        return result


def evaluation_json(desk: Desk, found: EpisodeEvaluation) -> dict[str, Any]:
    """An evaluation with its artifact's digest; `CompiledError` for a score outside [0, 1]."""
    scores = [float(value) for value in found.per_unit]
    if not all(math.isfinite(value) and 0 <= value <= 1 for value in scores):
        raise CompiledError("the verifier gave a score outside [0, 1]", code="A33")
    is_artifact = found.outcome == "artifact"
    return {
        "outcome": found.outcome,
        "validity": found.validity,
        "artifact_hash": digest((desk.root / found.artifact_path).read_bytes()) if is_artifact else "",
        "per_unit": scores,
        "unit_ids": list(found.unit_ids),
        "utility": found.utility,
        "reason": found.reason,
        "mean": sum(scores) / len(scores) if scores else 0.0,
    }
