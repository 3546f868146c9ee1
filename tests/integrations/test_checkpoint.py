"""The registered checkpoint rule on recorded main runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dcp_lang.integrations.checkpoint import select_checkpoint
from dcp_lang.integrations.compiled import CompiledError


def main_run(folder: Path, *actions: Any) -> dict[str, Any]:
    """A recorded run; an action is a kind, or an experiment's request."""
    turns = []
    for number, action in enumerate(actions, start=1):
        kind, payload = (action, {}) if isinstance(action, str) else ("experiment", action)
        place = folder / f"{number:03d}"
        place.mkdir()
        (place / "action.json").write_text(json.dumps({"action": kind, "payload": payload}))
        turns.append({"turn": number, "action": kind, "agent": {"stdout_path": str(place / "stdout")}})
    return {"turns": turns}


def rule(kind: str, event: str = "", scope: str = "lineage_prefix") -> dict[str, str]:
    return {"rule": kind, "event": event, "scope": scope}


@pytest.mark.parametrize(
    ("kind", "event", "actions", "checkpoint"),
    [
        ("start", "", ["web_fetch", "experiment", "finish"], 0),
        ("after", "web snapshot", ["web_fetch", "experiment", "finish"], 1),
        ("after", "web snapshot", ["web_fetch", "web_fetch", "experiment", "finish"], 2),
        # a request after feedback may depend on it
        ("after", "web snapshot", ["web_fetch", "experiment", "web_fetch", "finish"], 1),
        ("after", "web snapshot", ["web_fetch", "finish"], 1),
        ("before", "first experiment", ["web_fetch", "experiment", "experiment", "finish"], 1),
        ("after", "first experiment", ["experiment", "experiment", "finish"], 1),
        ("after", "anchor", [{"event": "anchor"}, {"event": "plate"}, "finish"], 1),
        ("after", "anchor", [{"event": "other"}, {"event": "anchor"}, {"event": "anchor"}, "finish"], 2),
        ("before", "anchor", [{"event": "anchor"}, "finish"], 0),
    ],
)
def test_rule(tmp_path: Path, kind: str, event: str, actions: list[Any], checkpoint: int) -> None:
    assert select_checkpoint(rule(kind, event), main_run(tmp_path, *actions)) == checkpoint


@pytest.mark.parametrize("actions", [["finish"], ["experiment", "web_fetch", "finish"]])
def test_a_run_without_the_event_has_no_checkpoint(tmp_path: Path, actions: list[str]) -> None:
    with pytest.raises(CompiledError, match="no event `web snapshot`"):
        select_checkpoint(rule("after", "web snapshot"), main_run(tmp_path, *actions))


def test_an_empty_lineage_is_checkpoint_zero(tmp_path: Path) -> None:
    run = main_run(tmp_path, "web_fetch", "finish")
    assert select_checkpoint(rule("start", scope="lineage_empty"), run) == 0
    with pytest.raises(CompiledError, match="needs checkpoint 0, the rule selects 1"):
        select_checkpoint(rule("after", "web snapshot", scope="lineage_empty"), run)
