"""The registered tools as Inspect tools over one episode's workspace."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from inspect_ai.tool import Tool, ToolDef, ToolError

from dcp_lang.integrations.inspect_ai.desk import Desk, DeskError
from dcp_lang.integrations.inspect_ai.web import WebError

#: Answers one experiment as text.
Experiment = Callable[[dict[str, Any]], Awaitable[str]]
#: Answers requests for Web pages as text.
Fetch = Callable[[list[dict[str, Any]]], Awaitable[str]]

_FILE = {"name": "File name, relative to the workspace."}
_DESCRIBED: dict[str, tuple[str, dict[str, str]]] = {
    "read": ("Read a text file.", _FILE),
    "write": ("Write a text file.", _FILE | {"text": "The whole text of the file."}),
    "edit": (
        "Replace the one place where a file has a text.",
        _FILE | {"old": "The text to replace.", "new": "The text to put there."},
    ),
    "glob": ("List the files that match a pattern.", {"pattern": "A glob pattern, such as *.json."}),
    "grep": ("List the lines that contain a text.", {"text": "The text to look for."}),
    "experiment": ("Run an experiment.", {"request": "The request, as the task describes it."}),
    "web": ("Read Web pages.", {"requests": "A list of objects with `url` and `query`, what is looked for."}),
    "finish": ("End the episode; the files stay as they are.", {}),
}


def tools_for(
    desk: Desk, names: list[str], experiment: Experiment, fetch: Fetch, finish: Callable[[], None]
) -> list[Tool]:
    """The tools `names` and `finish`."""
    bodies = _bodies(desk, experiment, fetch, finish)
    return [
        # Nothing is cut short: Inspect's limit of 16 KiB would change what a policy sends.
        ToolDef(bodies[name], name=name, description=text, parameters=parameters, max_output=0).as_tool()
        for name, (text, parameters) in _DESCRIBED.items()
        if name in names or name == "finish"
    ]


def _bodies(
    desk: Desk, experiment: Experiment, fetch: Fetch, finish: Callable[[], None]
) -> dict[str, Callable[..., Awaitable[str]]]:
    async def read(name: str) -> str:
        return _served(lambda: desk.read(name))

    async def write(name: str, text: str) -> str:
        return _served(lambda: desk.write(name, text))

    async def edit(name: str, old: str, new: str) -> str:
        return _served(lambda: desk.edit(name, old, new))

    async def glob(pattern: str) -> str:
        return _served(lambda: "\n".join(desk.glob(pattern)))

    async def grep(text: str) -> str:
        return _served(lambda: "\n".join(desk.grep(text)))

    async def run(request: dict[str, Any]) -> str:
        return await experiment(request)

    async def web(requests: list[dict[str, Any]]) -> str:
        try:
            return await fetch(requests)
        except WebError as refusal:
            raise ToolError(str(refusal)) from refusal

    async def end() -> str:
        finish()
        return "done"

    return {
        "read": read,
        "write": write,
        "edit": edit,
        "glob": glob,
        "grep": grep,
        "experiment": run,
        "web": web,
        "finish": end,
    }


def _served(request: Callable[[], str | None]) -> str:
    """What the workspace answers; a request that it refuses is an error that the model sees."""
    try:
        return request() or "done"
    except DeskError as refusal:
        raise ToolError(str(refusal)) from refusal
