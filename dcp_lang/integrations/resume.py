"""What a killed process leaves behind, settled before the harness goes on.

dcp-harness 0.1.1 resumes from files, but a kill between two of its writes makes it forget a session, run one again, or
refuse the finished audit. `settle_episode`, `settle_control` and `settle_phases` close these gaps, and no session
that may have acted is ever run a second time:

* No session began (no prestart receipt): what was prepared is removed, and prepared anew.
* A turn was prepared, but its agent never started: it is prepared anew. The harness could not go on.
* A turn is complete but not yet listed: it is listed, and its checkpoint taken. The harness would run it again.
* The last turn failed, but the episode's record is missing: the episode ends unresolved. The harness would go on.
* The first turn began, and its agent did nothing that anyone can see: the session is lost to infrastructure, an
  outcome that cannot depend on what the agent would have done.
* Any other turn began and has no result: the harness itself ends the episode unresolved.
* A record stands without its event: the event is appended. The harness would refuse the audit at its end.

Every lost session is an event `session_lost` in the audit's own hash-chained ledger.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dcp_harness.actions import ACTION_PATH
from dcp_harness.ledger import EventLedger
from dcp_harness.util import load_json, load_json_object, write_json
from dcp_harness.workspace import checkpoint, manifest

#: The streams that an agent's backend opens before the agent acts: the harness's own and the scripted one.
STREAMS = ("claude_stream.jsonl", "agent_stream.jsonl")
#: What the stream of an agent that has not answered yet may hold.
_SILENT = {"system", "user"}


def settle_episode(folder: Path, ledger: EventLedger) -> bool:
    """Settle one episode's folder; True when its session is lost and must be recorded as such.

    The turn of a lost session is kept under `lost/`, so that nothing of its start is overwritten.
    """
    if not folder.exists() or _has_record(folder):
        return False
    if not (folder / "prestart.json").exists():
        _unprepare(folder)
        return False
    lost = folder / "lost"
    _drop_unstarted_turns(folder)
    if not lost.exists() and _is_lost(folder):
        (folder / "turns").rename(lost)
    if lost.exists():
        shutil.rmtree(folder / "turns", ignore_errors=True)
        (folder / "turns.json").unlink(missing_ok=True)
        if ("session_lost", folder.name) not in _told(ledger):
            _tell_lost(ledger, folder.name, acted=False)
        return True
    _settle_turns(folder)
    return False


def settle_control(folder: Path, ledger: EventLedger) -> bool:
    """Settle one positive control's folder; True when its agent acted, so that it must count as failed.

    A control whose agent did not act is started again, in sight: it has two prestart receipts and a
    `session_lost` between them. It holds nothing but a line to copy, so nobody could choose between two tries.
    """
    if not folder.exists() or _has_record(folder):
        return False
    if ("positive_control_prestarted", folder.name) not in _told(ledger):
        return False
    files = {row["path"] for row in manifest(folder / "workspace")["files"]}
    acted = not is_silent(folder) or files != {"CANARY.txt"}
    _tell_lost(ledger, folder.name, acted=acted)
    return acted


def settle_phases(root: Path, ledger: EventLedger) -> None:
    """Append the events of records that stand without one, and reopen a phase whose end was not told.

    Must run under the harness's lock of the run folder, while no episode runs.
    """
    told = _told(ledger)
    for kind, payload in _due_events(root):
        if _subject(kind, payload) not in told:
            ledger.append(kind, payload)
    state = load_json_object(root / "state.json")
    for phase in ("capture", "challenge", "gate3"):
        if state["phases"][phase] == "complete" and ("phase_completed", phase) not in told:
            state["phases"][phase] = "running"
            write_json(root / "state.json", state)
    if state["phases"]["finalize"] == "pending":
        shutil.rmtree(root / "bundle", ignore_errors=True)


def _told(ledger: EventLedger) -> set[tuple[str, str]]:
    """Every event by its kind and what it is about."""
    return {_subject(event["event_type"], event["payload"]) for event in ledger.events()}


def _subject(kind: str, payload: Mapping[str, Any]) -> tuple[str, str]:
    return kind, str(payload.get("phase" if kind == "phase_completed" else "episode_id"))


def _due_events(root: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events that the records on disk call for, as the harness writes them."""
    for path in sorted((root / "episodes").glob("*/*/*record.json")):
        row = load_json_object(path)
        if path.name == "generation_record.json":
            kind, names = "episode_candidate_committed", ("episode_id", "phase", "generation_record_hash")
            yield kind, {name: row[name] for name in names} | {"private_score_opened": False}
        elif row["phase"] == "positive_control":
            kind, names = "positive_control_completed", ("episode_id", "success", "record_hash")
            yield kind, {name: row[name] for name in names}
        else:
            kind, names = "episode_completed", ("episode_id", "phase", "episode_record_hash")
            yield kind, {name: row[name] for name in names} | {"outcome": row["evaluation"]["outcome"]}


def _has_record(folder: Path) -> bool:
    return any((folder / name).exists() for name in ("record.json", "generation_record.json"))


def _tell_lost(ledger: EventLedger, episode: str, *, acted: bool) -> None:
    ledger.append("session_lost", {"episode_id": episode, "agent_acted": acted})


def _unprepare(folder: Path) -> None:
    for name in ("workspace", "checkpoints"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for path in folder.glob("*.json"):
        path.unlink()


def _drop_unstarted_turns(folder: Path) -> None:
    """Remove what was prepared of a turn whose agent was never started: its prompt is written just before."""
    for turn in (folder / "turns").glob("*"):
        prompt = turn / "prompt.txt"
        if not (prompt.exists() and prompt.stat().st_size):
            shutil.rmtree(turn)


def _settle_turns(folder: Path) -> None:
    """List a finished turn that is not listed, take its checkpoint, and let nothing follow a failed one."""
    listed = load_json(folder / "turns.json") if (folder / "turns.json").exists() else []
    written = folder / f"turns/{len(listed) + 1:03d}/turn.json"
    if written.exists():
        listed.append(load_json_object(written))
        write_json(folder / "turns.json", listed)
    place = folder / f"checkpoints/{len(listed):03d}"
    if not place.with_suffix(".json").exists():
        (folder / "workspace" / ACTION_PATH).unlink(missing_ok=True)
        shutil.rmtree(place, ignore_errors=True)
        write_json(place.with_suffix(".json"), checkpoint(folder / "workspace", place))
    if listed and listed[-1]["action"] is None:
        # The harness ends an episode unresolved at a turn that has a folder but no start.
        (folder / f"turns/{len(listed) + 1:03d}").mkdir(exist_ok=True)


def _is_lost(folder: Path) -> bool:
    """Whether the first turn began without a result, and nothing shows that its agent acted."""
    turn = folder / "turns/001"
    if not (turn / "turn_start.json").exists() or (turn / "turn.json").exists():
        return False
    before = load_json_object(turn / "turn_start.json")["workspace_before"]["manifest_hash"]
    return is_silent(turn) and manifest(folder / "workspace")["manifest_hash"] == before


def is_silent(record_dir: Path) -> bool:
    """Whether a session's stream was opened and holds no word of the agent.

    Without a stream nothing is known: the agent may have acted.
    """
    streams = [record_dir / name for name in STREAMS if (record_dir / name).is_file()]
    return bool(streams) and all(
        _kind(line) in _SILENT for stream in streams for line in stream.read_bytes().splitlines() if line
    )


def _kind(line: bytes) -> str:
    try:
        event = json.loads(line)
    except ValueError:
        return ""
    return str(event.get("type")) if isinstance(event, dict) else ""
