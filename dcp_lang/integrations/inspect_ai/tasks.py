"""The Inspect tasks of an audit, one per stage, with one sample per registered episode."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample

from dcp_lang.integrations.compiled import CompiledError
from dcp_lang.integrations.inspect_ai.admission import admit
from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.inspect_ai.logs import checkpoint_of, found_episodes
from dcp_lang.integrations.inspect_ai.plan import Planned
from dcp_lang.integrations.inspect_ai.solver import episode_solver
from dcp_lang.integrations.mismatch import Finding, RegistrationMismatch


def stage_task(audit: Audit, stage: str) -> Task:
    """The task of one stage. It has no scorer: nothing is scored while an episode of the audit can still run."""
    if stage != "main":
        _require_main(audit)
    if stage == "pairs":
        audit.start = checkpoint_of(audit)
    samples = [_sample(audit, row) for row in _in_drawn_order(audit, stage)]
    limits: dict[str, Any] = audit.plan.limits(stage)
    return Task(
        dataset=MemoryDataset(samples, name=stage),
        solver=episode_solver(audit),
        epochs=1,
        fail_on_error=False,
        name=f"dcp_{stage}",
        version=audit.plan.registration,
        metadata={"dcp": {"registration": audit.plan.registration, "seal": audit.seal, "stage": stage}},
        **limits,
    )


def _require_main(audit: Audit) -> None:
    """Freeze what the main run saw of the Web; `RegistrationMismatch` when it cannot carry a bundle."""
    main = found_episodes(audit, "main")[0]
    if main.sample is None or main.sample.error is not None:
        reason = f"was not finished ({'; '.join(main.disclosures)})"
    elif audit.adapter.artifact not in main.record["files"]:
        reason = f"left no artifact `{audit.adapter.artifact}`"
    else:
        if audit.web.enabled:
            audit.freeze_web()
        return
    advice = "report it as an incomplete audit"
    raise RegistrationMismatch([Finding("A9", "main run", f"{reason}; no bundle can come of it", advice)])


def _in_drawn_order(audit: Audit, stage: str) -> list[Planned]:
    """The episodes of a stage; the arms of a pair in an order drawn with the audit's nonce."""

    def place(row: Planned) -> tuple[str, int, str]:
        family = row.pair_id.split("-")[0]
        return family, row.ordinal, audit.ledger.draw(f"{row.pair_id} {row.phase}") if row.pair_id else ""

    episodes = list(audit.plan.episodes(stage))
    return sorted(episodes, key=place) if stage == "pairs" else episodes


def _sample(audit: Audit, row: Planned) -> Sample:
    """The sample of an episode. Its metadata name the arm for the record; the model sees the input only."""
    metadata = {"phase": row.phase, "pair": row.pair_id, "ordinal": row.ordinal}
    return Sample(id=row.episode_id, input=audit.prompt(row), metadata=metadata)


def registered_stage(home: Path, stage: str, logs: Path) -> Task:
    """What the `@task` of an emitted file returns, for `inspect eval … -T stage=main -T logs=DIR`."""
    if not logs.is_absolute():
        raise CompiledError("give `logs` as an absolute path: Inspect works in the folder of the task file")
    audit = Audit(home, logs)
    if stage not in audit.plan.stages:
        raise CompiledError(f"there is no stage `{stage}`: {', '.join(audit.plan.stages)}")
    admit(audit)
    return stage_task(audit, stage)
