"""Every registered episode with its outcome and score: what evidence is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from inspect_ai.log import read_eval_log

from dcp_lang.integrations.compiled import CompiledError
from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.inspect_ai.logs import RECORD, Found, LogError, found_episodes
from dcp_lang.integrations.inspect_ai.outcome import ending, outcome
from dcp_lang.integrations.inspect_ai.scorer import NAME


@dataclass(frozen=True)
class Result:
    """One episode: where it comes from, how it ended, and the verifier's evaluation."""

    found: Found
    evaluation: dict[str, Any]

    @property
    def name(self) -> str:
        """The episode's registered name."""
        return self.found.planned.episode_id


class Results:
    """All episodes of a scored audit."""

    def __init__(self, audit: Audit) -> None:
        self.audit = audit
        self.rows = tuple(row for stage in audit.plan.stages for row in _stage(audit, stage))

    def of(self, *phases: str) -> tuple[Result, ...]:
        """The episodes of some phases, in their registered order."""
        return tuple(row for row in self.rows if row.found.planned.phase in phases)

    @cached_property
    def main(self) -> Result:
        """The main run; `CompiledError` when it left no artifact: no bundle can be made of that."""
        main = self.of("main")[0]
        if main.evaluation["outcome"] != "artifact":
            reason = main.evaluation["reason"]
            raise CompiledError(f"the main run ended as {main.evaluation['outcome']} ({reason})", code="A9")
        return main

    def provenance_faults(self) -> list[str]:
        """What contradicts the records: a broken chain, a foreign model, a record that was changed."""
        accepted = set(self.audit.plan.document["accepted"])
        faults = self.audit.ledger.faults()
        for row in self.rows:
            if ending(row.found, self.audit.plan.document) == "another model":
                faults.append(f"{row.name}: answered by {', '.join(sorted(row.found.models - accepted))}")
            if not row.found.is_as_committed:
                faults.append(f"{row.name}: the record in the log is not the committed one")
        return faults


def _stage(audit: Audit, stage: str) -> list[Result]:
    scores = _scores(audit, stage)
    rows = []
    for found in found_episodes(audit, stage):
        score = scores.get(str(found.sample.uuid)) if found.sample else None
        if score is None and ending(found, audit.plan.document) == "scored":
            raise LogError(f"episode {found.planned.episode_id} is not scored: run `score` first")
        rows.append(Result(found, outcome(found, audit.plan.document, score)))
    return rows


def _scores(audit: Audit, stage: str) -> dict[str, dict[str, Any]]:
    """The verifier's results by sample."""
    found = {}
    for path in sorted((audit.logs / "scored" / stage).glob("*.eval")):
        for sample in read_eval_log(str(path), resolve_attachments=True).samples or []:
            score = (sample.scores or {}).get(NAME)
            if score is not None and RECORD in (score.metadata or {}):
                found[str(sample.uuid)] = dict((score.metadata or {})[RECORD])
    return found
