"""A scripted agent as an Inspect model: no model, no network, the same tools and limits as a model has.

`mockllm` asks a function for every answer. Ours plays a policy (`Session` in, one action out) on what the
conversation has shown: a file that the policy wants and has not seen is read by a tool call first. So the policy
acts through the registered tools only and is told neither arm nor episode. Its draws are fixed by the seeds of agent
and episode, the same in each of the episode's turns, as replaying needs.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    GenerateConfig,
    Model,
    ModelCost,
    ModelInfo,
    ModelOutput,
    ModelUsage,
    get_model,
    set_model_info,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from dcp_lang.integrations.inspect_ai.audit import CANARY
from dcp_lang.integrations.isolation import confined_to
from dcp_lang.integrations.scripted import Policy, Session, answer_channel_check

_OBSERVED = "The last observation: "


class _Unseen(Exception):
    """The policy wants a file that the conversation has not shown."""


class Replayed(Session):
    """A `Session` over what a conversation has shown; its writes and its action become tool calls."""

    def __init__(self, messages: list[ChatMessage], draw: random.Random) -> None:
        super().__init__(Path(), str(messages[0].content), draw)
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self._names: list[str] | None = None
        self._files: dict[str, str] = {}
        self._observed: Any = None
        _, found, observed = self.prompt.partition(_OBSERVED)
        if found:
            self._observed = json.loads(observed)
        for call, answer in _answered(messages):
            self._see(call, answer)

    def _see(self, call: ToolCall, answer: str) -> None:
        arguments = call.arguments
        if call.function == "glob":
            self._names = answer.splitlines()
        elif call.function == "read":
            self._files[arguments["name"]] = answer
        elif call.function == "write":
            self._files[arguments["name"]] = arguments["text"]
        elif call.function in ("experiment", "web"):
            self._observed = json.loads(answer)

    def exists(self, name: str) -> bool:
        if self._names is None:
            raise self._ask("glob", pattern="*")
        return name in self._files or name in self._names

    def read(self, name: str) -> str:
        if name not in self._files:
            raise self._ask("read", name=name)
        return self._files[name]

    def write(self, name: str, text: str) -> None:
        self._files[name] = text
        self.calls.append(("write", {"name": name, "text": text}))

    @property
    def observation(self) -> Any:
        return self._observed

    def _ask(self, tool: str, **arguments: str) -> _Unseen:
        self.calls = [(tool, arguments)]
        return _Unseen(tool)

    def _act(self, kind: str, payload: dict[str, Any]) -> None:
        match kind:
            case "experiment":
                self.calls.append((kind, {"request": payload}))
            case "web_fetch":
                self.calls.append(("web", {"requests": payload["requests"]}))
            case _:
                self.calls.append((kind, payload))


def _answered(messages: Iterable[ChatMessage]) -> Iterable[tuple[ToolCall, str]]:
    """Every tool call with its answer, in their order."""
    calls: dict[str, ToolCall] = {}
    for message in messages:
        if isinstance(message, ChatMessageAssistant):
            calls |= {call.id: call for call in message.tool_calls or []}
        elif isinstance(message, ChatMessageTool) and message.tool_call_id in calls and not message.error:
            yield calls[message.tool_call_id], message.text


def scripted_model(policy: Policy, name: str, seed: int = 0) -> Model:
    """The policy as the Inspect model `name`, which must start with `mockllm/`.

    Every answer reports a usage of its own, else mockllm counts tokens with a table from the network.
    """
    reported = name.removeprefix("mockllm/")

    def answer(
        messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        session = played(policy, messages, f"{seed}|{config.seed}")
        calls = [
            ToolCall(id=f"call-{len(messages)}-{number}", function=tool, arguments=arguments)
            for number, (tool, arguments) in enumerate(session.calls)
        ]
        output = ModelOutput.from_content(reported, "", stop_reason="tool_calls")
        output.choices[0].message.tool_calls = calls
        output.usage = ModelUsage(input_tokens=len(messages), output_tokens=1, total_tokens=len(messages) + 1)
        return output

    free = ModelCost(input=0, output=0, input_cache_write=0, input_cache_read=0)
    set_model_info(name, ModelInfo(cost=free))
    return get_model(name, custom_outputs=answer, memoize=False)


def played(policy: Policy, messages: list[ChatMessage], seed: str) -> Replayed:
    """One turn of the policy, its draws fixed by the seed and by the observation that it has reached."""
    session = Replayed(messages, random.Random(seed))
    with TemporaryDirectory() as nowhere, confined_to(Path(nowhere)):
        try:
            if CANARY not in session.prompt or not answer_channel_check(session):
                policy(session)
        except _Unseen:
            pass
    return session
