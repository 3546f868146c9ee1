"""One episode as an Inspect solver: prepared, played within its turns, and committed to the sample's store."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
from dcp_harness.util import hash_json
from inspect_ai.model import ChatMessageUser, GenerateConfig, execute_tools, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from dcp_lang.integrations.inspect_ai.audit import Audit, canonical_text
from dcp_lang.integrations.inspect_ai.desk import Desk
from dcp_lang.integrations.inspect_ai.ledger import ACTED, COMMITTED
from dcp_lang.integrations.inspect_ai.plan import Planned
from dcp_lang.integrations.inspect_ai.tools import tools_for

#: Where a sample's store holds the record of its episode.
RECORD = "dcp"
GO_ON = "Go on with a tool, or call `finish`."


def episode_solver(audit: Audit) -> Solver:
    """The solver of every sample: it plays the episode that the sample's id names, once."""

    @solver(name="dcp_episode")
    def dcp_episode() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            await _Episode(audit, audit.planned[str(state.sample_id)], state).run()
            return state

        return solve

    return dcp_episode()


class _Episode:
    """The course of one episode. What happened is in `record`, a JSON object that the log keeps."""

    def __init__(self, audit: Audit, planned: Planned, state: TaskState) -> None:
        self.audit, self.planned, self.state = audit, planned, state
        self.finished = False
        self.record: dict[str, Any] = {"episode": planned.episode_id, "actions": [], "ended": ""}
        state.store.set(RECORD, self.record)

    async def run(self) -> None:
        """Play, unless the episode was started before: then only say so, and ask no model."""
        start = self.audit.ledger.start(self.planned.episode_id, registration=self.audit.plan.registration)
        if start is None:
            self.record["ended"] = "started before"
            return
        self.record["receipt"] = start["event_hash"]
        with TemporaryDirectory() as folder:
            desk = await anyio.to_thread.run_sync(
                self.audit.prepare, self.planned, Path(folder) / "workspace"
            )
            self.record["prepared"] = desk.digest()
            if self.planned.phase == "main":
                self.record["checkpoints"] = [desk.snapshot()]
            try:
                self.record["ended"] = await self._converse(desk)
            finally:
                self._commit(desk)

    async def _converse(self, desk: Desk) -> str:
        """Model and tools in turn, exactly as many turns as registered: Inspect's own limit allows one call more."""
        offered = [name for name in self.audit.plan.document["tools"] if name != "web" or self._has_web]
        tools = tools_for(
            desk, offered, partial(self._experiment, desk), partial(self._fetch, desk), self._finish
        )
        config = GenerateConfig(seed=self.audit.seed(self.planned))
        for turn in range(self.audit.plan.limits(self.planned.stage)["turn_limit"]):
            self.state.output = await get_model().generate(
                self.state.messages, tools, config=config, cache=False
            )
            if turn == 0:
                self.audit.ledger.append(ACTED, self.planned.episode_id)
            self.state.messages.append(self.state.output.message)
            if self.state.output.message.tool_calls:
                self.state.messages += (await execute_tools(self.state.messages, tools)).messages
            else:
                self.state.messages.append(ChatMessageUser(content=GO_ON))
            if self.finished:
                return "finish"
        return "turns"

    def _finish(self) -> None:
        self.finished = True

    @property
    def _has_web(self) -> bool:
        return self.audit.web.enabled and self.planned.phase != "positive_control"

    async def _experiment(self, desk: Desk, request: dict[str, Any]) -> str:
        answer = partial(self.audit.observe, self.planned, desk, request)
        return self._acted(desk, "experiment", request, await anyio.to_thread.run_sync(answer))

    async def _fetch(self, desk: Desk, requests: list[dict[str, Any]]) -> str:
        batch = f"{self.planned.episode_id}-{len(self.record['actions']) + 1:03d}"
        answer = partial(self.audit.fetch, self.planned, requests, batch)
        return self._acted(desk, "web_fetch", requests, await anyio.to_thread.run_sync(answer))

    def _acted(self, desk: Desk, action: str, request: Any, observation: dict[str, Any]) -> str:
        """Record an action with what it brought; the main run keeps a checkpoint after each."""
        row = {"action": action, "request": request, "observation": observation, "workspace": desk.digest()}
        self.record["actions"].append(row)
        if self.planned.phase == "main":
            self.record["checkpoints"].append(desk.snapshot())
        return canonical_text(observation)

    def _commit(self, desk: Desk) -> None:
        """Keep the files as they are, also when a limit or an error ended the episode, and seal the whole record."""
        self.record["files"] = desk.snapshot()
        self.record["workspace"] = desk.digest()
        self.audit.ledger.append(COMMITTED, self.planned.episode_id, record=hash_json(self.record))
        self.state.store.set(RECORD, self.record)
