"""The start receipts of an audit in Inspect, in the harness's hash-chained ledger beside the logs.

An Inspect log is written when a sample has ended: after a kill it does not say which samples were under way, and a
rerun starts them from zero. So every episode appends its start before the model is asked, its first answer, and
what it committed. An episode that has a start is never started again.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from dcp_harness.ledger import EventLedger

from dcp_lang.integrations.compiled import CompiledError

#: The events: the opening, an episode's life, and the end.
OPENED, STARTED, ACTED, COMMITTED, FROZEN, SCORING, SCORED = (
    "audit_opened",
    "episode_prestarted",
    "model_action_started",
    "episode_committed",
    "web_frozen",
    "scoring_opened",
    "scored",
)


class Ledger:
    """`events.jsonl` in a log folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "events.jsonl"
        self._events = EventLedger(self.path)

    def open(self, identity: Mapping[str, Any]) -> None:
        """Seal what the audit runs with, once; `CompiledError` when it was opened with something else.

        The event precedes every start, so it is the receipt that all contracts were sealed before.
        """
        opened = self.first(OPENED)
        if opened is None:
            self._events.append(OPENED, {"identity": dict(identity), "nonce": secrets.token_hex(32)})
            return
        before = opened["payload"]["identity"]
        changed = sorted(
            key for key in before.keys() | identity.keys() if before.get(key) != identity.get(key)
        )
        if changed:
            raise CompiledError(f"the audit was opened with another {changed[0]}", code="A34")

    def append(self, event: str, episode: str, **payload: Any) -> dict[str, Any]:
        """Append an event of one episode and return it, sealed."""
        return dict(self._events.append(event, {"episode": episode, **payload}))

    def start(self, episode: str, **payload: Any) -> dict[str, Any] | None:
        """The start of an episode; None when it was started before, be it by another process."""
        draw = self.draw(f"draw {episode}")
        with self.path.with_suffix(".lock").open("w") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            is_first = not self.of(episode, STARTED)
            return self.append(STARTED, episode, draw=draw, **payload) if is_first else None

    def draw(self, label: str) -> str:
        """A draw receipt: the digest of `label` under the audit's nonce, which no agent sees."""
        key = bytes.fromhex(self._opening["payload"]["nonce"])
        return "sha256:" + hmac.new(key, label.encode(), hashlib.sha256).hexdigest()

    @cached_property
    def _opening(self) -> dict[str, Any]:
        opened = self.first(OPENED)
        if opened is None:
            raise CompiledError(f"{self.path.name}: the audit was never opened", code="A34")
        return opened

    def events(self) -> list[dict[str, Any]]:
        """All events in their order."""
        return list(self._events.events())

    def first(self, event: str) -> dict[str, Any] | None:
        """The first event of a kind."""
        return next((row for row in self.events() if row["event_type"] == event), None)

    def of(self, episode: str, event: str) -> list[dict[str, Any]]:
        """The events of one kind and episode."""
        found = (row for row in self.events() if row["event_type"] == event)
        return [row for row in found if row["payload"]["episode"] == episode]

    def faults(self) -> list[str]:
        """What is wrong with the chain; nothing for a chain that holds."""
        return list(self._events.verify()[1])
