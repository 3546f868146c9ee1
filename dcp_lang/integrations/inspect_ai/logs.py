"""From Inspect's logs back to the registered episodes: each exactly once, whatever happened to it.

The ledger says which sample is an episode's: the one that holds the receipt of its start. Others with its name are
starts that the solver refused, after a kill or a retry; they are disclosed. A log that is not of this audit, a
sample without receipt and an episode without sample are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from dcp_harness.util import hash_json
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, EvalSample, read_eval_log

from dcp_lang.integrations.checkpoint import select_checkpoint
from dcp_lang.integrations.compiled import CompiledError
from dcp_lang.integrations.inspect_ai.audit import Audit, Start
from dcp_lang.integrations.inspect_ai.ledger import ACTED, COMMITTED, STARTED
from dcp_lang.integrations.inspect_ai.plan import Planned

RECORD = "dcp"

#: Settings of a run that would start episodes again, leave some out or change what was registered.
_REQUIRED: dict[str, tuple[Any, ...]] = {
    "epochs": (None, 1),
    "limit": (None,),
    "sample_id": (None,),
    "approval": (None,),
    "message_limit": (None,),
    "token_limit": (None,),
    "working_limit": (None,),
    "fail_on_error": (False,),
}


class LogError(CompiledError):
    """The logs are not those of the registered audit, or not all of them."""


@dataclass
class Found:
    """One registered episode with what the logs have of it."""

    planned: Planned
    #: The sample that holds the start receipt; None for an episode that was under way at a kill.
    sample: EvalSample | None
    receipt: str
    draw: str
    #: Whether the model answered at least once.
    acted: bool
    #: Digest of the record that the ledger holds from the episode's end; empty for one that was not ended.
    committed: str = ""
    #: What must be told: starts that were refused, retries, errors, limits.
    disclosures: list[str] = field(default_factory=list)

    @property
    def record(self) -> dict[str, Any]:
        """What the solver recorded."""
        return dict(self.sample.store.get(RECORD, {})) if self.sample else {}

    @property
    def experiments(self) -> list[dict[str, Any]]:
        """The recorded experiments, each with its observation."""
        return [row for row in self.record.get("actions", []) if row["action"] == "experiment"]

    @property
    def is_as_committed(self) -> bool:
        """Whether the record in the log is the one that the episode committed: files, experiments, checkpoints."""
        return self.sample is None or not self.committed or hash_json(self.record) == self.committed

    @cached_property
    def models(self) -> set[str]:
        """Every model id that answered, as its provider reported it."""
        events = self.sample.events if self.sample else []
        return {event.output.model for event in events if isinstance(event, ModelEvent) and not event.error}


def log_files(audit: Audit, stage: str) -> list[Path]:
    """The logs of a stage, oldest first: their names start with the time."""
    return sorted((audit.logs / stage).glob("*.eval"))


def stage_logs(audit: Audit, stage: str) -> Iterator[EvalLog]:
    """The logs of a stage, checked; `LogError` for one that is not of this audit."""
    for path in log_files(audit, stage):
        log = read_eval_log(str(path), resolve_attachments=True)
        faults = list(_header_faults(audit, stage, log))
        if faults:
            raise LogError(f"{stage}/{path.name}: {faults[0]}")
        yield log


def _header_faults(audit: Audit, stage: str, log: EvalLog) -> Iterator[str]:
    """What in a log's header is not as registered."""
    spec, need = log.eval, audit.plan
    ours = (spec.metadata or {}).get("dcp", {})
    if ours.get("registration") != need.registration or spec.task_version != need.registration:
        yield f"is of registration {ours.get('registration') or spec.task_version}, not {need.registration}"
    if ours.get("seal") != audit.seal:
        yield "is of another audit: it does not name the opening of this ledger"
    if ours.get("stage") != stage:
        yield f"is of stage {ours.get('stage')}"
    if spec.model != need.document["model"]:
        yield f"asked model {spec.model}, registered is {need.document['model']}"
    if spec.model_roles or spec.model_generate_config.fallback_models:
        yield "could ask other models than the registered one"
    for name, value in {**_REQUIRED, **{k: (v,) for k, v in need.limits(stage).items()}}.items():
        if getattr(spec.config, name) not in value:
            yield f"{name} is {getattr(spec.config, name)}, must be {value[-1]}"


def sampling(log: EvalLog) -> dict[str, Any]:
    """How a log's model was asked, by everything that a user may set beside the registration."""
    spec = log.eval
    return {
        "model_args": {name: str(value) for name, value in spec.model_args.items()},
        "model_base_url": spec.model_base_url,
        "generate": spec.model_generate_config.model_dump(mode="json", exclude_none=True),
    }


def settings(audit: Audit) -> dict[str, Any]:
    """The one `sampling` of all logs; `LogError` when stages differ: target and challengers must be asked alike."""
    found = [(stage, sampling(log)) for stage in audit.plan.stages for log in stage_logs(audit, stage)]
    for stage, settings in found:
        if settings != found[0][1]:
            raise LogError(f"{stage}: the model was asked with other settings than in `{found[0][0]}`")
    return found[0][1]


def found_episodes(audit: Audit, stage: str) -> list[Found]:
    """The registered episodes of a stage, in their order; `LogError` for a missing or a foreign sample."""
    events, samples = audit.ledger.events(), _samples(audit, stage)
    starts, acted, committed = (_by_episode(events, kind) for kind in (STARTED, ACTED, COMMITTED))
    rows = []
    for planned in audit.plan.episodes(stage):
        name = planned.episode_id
        if name not in starts or name not in samples:
            raise LogError(f"episode {name} has no sample: run stage `{stage}` to its end")
        receipt, draw = starts[name]["event_hash"], starts[name]["payload"]["draw"]
        ours, refused = _told_apart(name, samples[name], receipt)
        sealed = committed[name]["payload"]["record"] if name in committed else ""
        found = Found(planned, ours, receipt, draw, name in acted, sealed)
        found.disclosures += _disclosures(ours, refused)
        rows.append(found)
    return rows


def _by_episode(events: list[dict[str, Any]], kind: str) -> dict[str, dict[str, Any]]:
    return {row["payload"]["episode"]: row for row in events if row["event_type"] == kind}


def _samples(audit: Audit, stage: str) -> dict[str, list[EvalSample]]:
    """All samples by name, each once although a resumed log copies those of the log before."""
    rows: dict[str, dict[str, EvalSample]] = {}
    for log in stage_logs(audit, stage):
        for sample in log.samples or []:
            rows.setdefault(str(sample.id), {})[str(sample.uuid)] = sample
    foreign = rows.keys() - {row.episode_id for row in audit.plan.episodes(stage)}
    if foreign:
        raise LogError(f"{stage}: sample {min(foreign)} is no registered episode")
    return {name: list(found.values()) for name, found in rows.items()}


def _told_apart(
    name: str, samples: list[EvalSample], receipt: str
) -> tuple[EvalSample | None, list[EvalSample]]:
    """The sample that holds the start receipt, and those whose start was refused; `LogError` for any other."""
    ours = [sample for sample in samples if sample.store.get(RECORD, {}).get("receipt") == receipt]
    refused = [sample for sample in samples if sample.store.get(RECORD, {}).get("ended") == "started before"]
    if len(ours) > 1 or len(ours) + len(refused) != len(samples):
        raise LogError(f"episode {name} has a sample without the receipt of its start")
    return (ours[0] if ours else None), refused


def _disclosures(ours: EvalSample | None, refused: list[EvalSample]) -> Iterator[str]:
    if ours is None:
        yield "was under way when the run was interrupted; it was not started again"
    for sample in refused:
        yield f"Inspect started it again (sample {sample.uuid}); refused, no model was asked"
    for sample in [*([ours] if ours else []), *refused]:
        for error in sample.error_retries or []:
            yield f"Inspect retried it after: {error.message}"
    calls = [event for event in (ours.events if ours else []) if isinstance(event, ModelEvent)]
    if retries := sum(event.retries or 0 for event in calls):
        yield f"calls of the provider were repeated {retries} times"
    if ours is not None and ours.error is not None:
        yield f"error: {ours.error.message}"
    if ours is not None and ours.limit is not None:
        yield f"limit: {ours.limit.type} {ours.limit.limit:g}"
    if ours is not None and ours.invalidation is not None:
        yield "was invalidated in Inspect"


def checkpoint_of(audit: Audit) -> Start:
    """What the registered checkpoint rule selects in the finished main run."""
    main = found_episodes(audit, "main")[0]
    if not main.is_as_committed:
        raise LogError("the main run's log was changed after the run")
    rows = main.record.get("actions", [])
    turns = [
        {"turn": number, "action": row["action"], "committed": {"payload": row["request"]}}
        for number, row in enumerate(rows, start=1)
    ]
    ordinal = select_checkpoint(audit.adapter.compiled.document["checkpoint"], {"turns": turns})
    observation = rows[ordinal - 1]["observation"] if ordinal else None
    return Start(main.record["checkpoints"][ordinal], observation)
