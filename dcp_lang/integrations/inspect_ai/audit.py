"""One compiled audit as Inspect runs it: plan, task adapter, ledger and log folder."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dcp_harness import EpisodeContext, Phase, load_config
from dcp_harness.adapter import load_adapter
from dcp_harness.web import Fetcher, WebPolicy
from dcp_harness.workspace import clone_workspace

from dcp_lang.integrations.adapter import CompiledAdapter
from dcp_lang.integrations.compiled import CompiledError
from dcp_lang.integrations.inspect_ai.desk import Desk
from dcp_lang.integrations.inspect_ai.ledger import FROZEN, OPENED, Ledger
from dcp_lang.integrations.inspect_ai.plan import Plan, Planned
from dcp_lang.integrations.inspect_ai.web import PACKET, Web

CANARY, RESPONSE = "CANARY.txt", "CANARY_RESPONSE.txt"

#: What an experiment of a challenger brings: nothing about the task (policy `challenger`).
WITHHELD = {"accepted": True, "message": "The measurement is withheld."}

CHANNEL_CHECK = f"Read `{CANARY}`, write its single line, unchanged, to `{RESPONSE}`, then finish."


@dataclass(frozen=True)
class Start:
    """What a pair's branches start from: the files and the last observation of a checkpoint of the main run."""

    files: dict[str, str]
    observation: Any = None


class Audit:
    """The audit in the folder `runner/`, whose logs and ledger are in the folder `logs`."""

    def __init__(self, home: Path, logs: Path, fetcher: Fetcher | None = None) -> None:
        self.home = home
        self.logs = logs
        self.plan = Plan.load(home)
        self.config = load_config(home / "dcp-harness.json")
        self._loaded = load_adapter(self.config)
        self.ledger = Ledger(logs)
        self.web = Web(logs / "web", WebPolicy.from_config(self.config.web), fetcher)
        #: Set before pairs are run.
        self.start: Start | None = None
        self._check()

    def _check(self) -> None:
        if not isinstance(self._loaded.adapter, CompiledAdapter):
            raise CompiledError("the task adapter is not a subclass of dcp_lang's CompiledAdapter")
        if self.adapter.compiled.document["registration_sha256"] != self.plan.registration:
            raise CompiledError("inspect.json and compiled.json are of different registrations", code="A2")
        kernel, fixed = self.plan.document["kernel"], self.adapter.compiled.fixed
        changed = sorted(name for name in fixed if kernel.get(name) != fixed[name])
        if changed:
            raise CompiledError(f"inspect.json and compiled.json differ in `{changed[0]}`", code="A2")

    @property
    def adapter(self) -> CompiledAdapter:
        """The claimant's task code."""
        adapter: CompiledAdapter = self._loaded.adapter
        return adapter

    @cached_property
    def planned(self) -> dict[str, Planned]:
        """The registered episodes by name."""
        return {row.episode_id: row for row in self.plan.episodes()}

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides what the audit does; a resumed audit must have the same."""
        return {
            "registration": self.plan.registration,
            "inspect.json": self.plan.sha256,
            "compiled.json": self.adapter.compiled.sha256,
            "adapter": self._loaded.identity_hash,
            "inspect_ai": version("inspect_ai"),
        }

    def open(self) -> None:
        """Seal the identity before the first start; `CompiledError` for another Inspect than the compiled one."""
        have, need = self.identity["inspect_ai"], self.plan.document["inspect_ai"]
        if have != need:
            raise CompiledError(f"inspect_ai is {have}, this audit was compiled for {need}", code="A0")
        self.ledger.open(self.identity)

    @property
    def seal(self) -> str:
        """Digest of the opening event: of what was sealed before any start, and in every log since."""
        opened = self.ledger.first(OPENED)
        return str(opened["event_hash"]) if opened else ""

    def freeze_web(self) -> dict[str, Any]:
        """The manifest of the pages that the main run saw; `CompiledError` when it is no longer the noted one."""
        manifest = self.web.freeze()
        if self.ledger.first(FROZEN) is None:
            self.ledger.append(FROZEN, "main", snapshot=manifest["snapshot_id"])
        noted = self.ledger.first(FROZEN)
        if noted is None or noted["payload"]["snapshot"] != manifest["snapshot_id"]:
            raise CompiledError("the Web snapshot was changed after the main run", code="A34")
        return manifest

    def context(self, planned: Planned, workspace: Path) -> EpisodeContext:
        """The harness's view of an episode, which the adapter's duties take."""
        return EpisodeContext(
            claim_id=self.config.claim_id,
            episode_id=planned.episode_id,
            phase=Phase(planned.phase),
            workspace=workspace,
            record_dir=workspace.parent,
            run_root=self.logs,
            ordinal=planned.ordinal,
            pair_id=planned.pair_id,
        )

    def prepare(self, planned: Planned, workspace: Path) -> Desk:
        """The prepared workspace of an episode."""
        desk = Desk(workspace)
        if planned.phase == "positive_control":
            workspace.mkdir()
            desk.write(CANARY, self.marker(planned) + "\n")
            return desk
        if planned.stage == "pairs":
            if self.start is None:
                raise CompiledError("pairs need the checkpoint of a finished main run")
            workspace.mkdir()
            desk.restore(self.start.files)
        else:
            clone_workspace(self.config.resolve(self.config.source_workspace), workspace)
        self.adapter.prepare_episode(self.context(planned, workspace))
        if planned.phase == "challenge" and self.web.enabled:
            desk.write(PACKET, canonical_text(self.web.packet()))
        return desk

    def marker(self, planned: Planned) -> str:
        """The line that a positive control must copy."""
        return self.ledger.draw(planned.episode_id).removeprefix("sha256:")[:32]

    def seed(self, planned: Planned) -> int:
        """The seed of an episode's sampling, 31 bits, for providers that take one; fixed by claim and episode."""
        text = f"{self.config.claim_id}|{planned.episode_id}|sampling"
        return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) >> 1

    def observe(self, planned: Planned, desk: Desk, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to an experiment, by the policy that is registered for the arm."""
        if planned.stage == "challenge":
            return WITHHELD
        return self.adapter.handle_experiment(self.context(planned, desk.root), request)

    def fetch(self, planned: Planned, requests: list[dict[str, Any]], batch: str) -> dict[str, Any]:
        """Web pages: from the network in the main run, from its snapshot in every other episode."""
        return self.web.fetch(planned.phase == "main", requests, batch)

    def prompt(self, planned: Planned) -> str:
        """The first message, the same in every arm but for the checkpoint's observation, which a pair shares."""
        if planned.phase == "positive_control":
            return CHANNEL_CHECK
        turns = self.plan.limits(planned.stage)["turn_limit"]
        text = (
            f"{self.adapter.task_prompt}\n\nYou work on a folder of files through tools, in at most {turns} turns."
            " `experiment` brings an observation. Call `finish` when your files are final."
        )
        if planned.stage == "pairs" and self.start is not None and self.start.observation is not None:
            text += f"\n\nThe last observation: {canonical_text(self.start.observation)}"
        return text


def canonical_text(value: Any) -> str:
    """An observation as the model reads it: compact JSON, keys in order."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
