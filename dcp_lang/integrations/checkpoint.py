"""The registered checkpoint rule, applied to a captured main run.

A rule is `{"rule": "start" | "after" | "before", "event": name, "scope": "lineage_empty" |
"lineage_prefix"}`. Checkpoint 0 is the prepared workspace; checkpoint k is the workspace after turn k, with
the observation that turn k brought.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dcp_lang.integrations.compiled import CompiledError, strict_json

#: Events that a rule can name, with the action of the harness's channel that makes one.
EVENTS = {"web snapshot": "web_fetch", "first experiment": "experiment"}


def select_checkpoint(rule: dict[str, Any], main_episode: dict[str, Any]) -> int:
    """The checkpoint ordinal that `rule` names. `CompiledError` when the run has no such event or the scope
    forbids it.

    `after "web snapshot"` is the end of the Web requests that precede the first experiment: a later request
    may already depend on feedback. `after EVENT` for another name is the turn whose experiment request has
    `"event": EVENT`, such as an anchor that is committed before it is measured.
    """
    ordinal = _ordinal(rule, main_episode["turns"])
    if rule["scope"] == "lineage_empty" and ordinal != 0:
        raise CompiledError(f"scope lineage_empty needs checkpoint 0, the rule selects {ordinal}")
    return ordinal


def _ordinal(rule: dict[str, Any], turns: list[dict[str, Any]]) -> int:
    if rule["rule"] == "start":
        return 0
    event = rule["event"]
    marked = [turn["turn"] for turn in turns if _is_event(event, turn)]
    experiments = [turn["turn"] for turn in turns if turn["action"] == "experiment"]
    if event == "web snapshot" and experiments:
        marked = [number for number in marked if number < experiments[0]]
    if not marked:
        raise CompiledError(f"the main run has no event `{event}` for its checkpoint")
    if rule["rule"] == "before":
        return int(marked[0]) - 1
    return int(marked[-1] if event == "web snapshot" else marked[0])


def _is_event(event: str, turn: dict[str, Any]) -> bool:
    if event in EVENTS:
        return bool(turn["action"] == EVENTS[event])
    return bool(turn["action"] == "experiment" and action_of(turn)["payload"].get("event") == event)


def action_of(turn: dict[str, Any]) -> dict[str, Any]:
    """The action that a recorded turn committed: in the record, or where the harness keeps it, beside the
    agent's output stream.
    """
    if "committed" in turn:
        return dict(turn["committed"])
    action: dict[str, Any] = strict_json(Path(turn["agent"]["stdout_path"]).parent / "action.json")
    return action
