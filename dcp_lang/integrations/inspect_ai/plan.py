"""What is to run: the episodes of a compiled audit, one Inspect sample each, in three stages.

Needs neither Inspect nor the kernel. The main run is a stage of its own because pairs start from its checkpoint;
challengers, their positive controls and pairs then need nothing of each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dcp_lang.canonical import digest
from dcp_lang.integrations.compiled import CompiledError, strict_json

SCHEMA = "dcp-lang/inspect/1"
STAGES = ("main", "challenge", "pairs")

#: The arms of a pair, in the order of the kernel's records.
FEEDBACK_ARMS = ("feedback_truthful", "feedback_neutral")
NULL_ARMS = ("sham_reference", "sham_proposed")

_KEYS = {
    "schema",
    "inspect_ai",
    "registration_sha256",
    "model",
    "accepted",
    "tools",
    "limits",
    "counts",
    "outcomes",
    "contracts",
    "kernel",
}


@dataclass(frozen=True)
class Planned:
    """One registered episode. `phase` is the harness's name of its arm; pairs share `pair_id`."""

    episode_id: str
    phase: str
    ordinal: int
    pair_id: str = ""

    @property
    def stage(self) -> str:
        """The stage that runs it."""
        if self.phase == "main":
            return "main"
        return "pairs" if self.pair_id else "challenge"


@dataclass(frozen=True)
class Plan:
    """`inspect.json`, with the digest of its bytes."""

    home: Path
    sha256: str
    document: dict[str, Any]

    @classmethod
    def load(cls, home: Path) -> Plan:
        """Read `inspect.json` in the folder `runner/`; `CompiledError` when it is not one of ours."""
        path = home / "inspect.json"
        document = strict_json(path)
        if not isinstance(document, dict) or document.get("schema") != SCHEMA or set(document) != _KEYS:
            raise CompiledError(f"{path.name}: is not a document of schema `{SCHEMA}`")
        return cls(home, digest(path.read_bytes()), document)

    @property
    def registration(self) -> str:
        """Digest of the frozen registration."""
        return str(self.document["registration_sha256"])

    @property
    def evidence(self) -> bool:
        """Whether pairs were registered."""
        return bool(self.document["counts"]["feedback_pairs"])

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages in their order; no pairs for a Core registration."""
        return STAGES if self.evidence else STAGES[:2]

    def limits(self, stage: str) -> dict[str, Any]:
        """Inspect's limits for the samples of a stage."""
        who = "challenger" if stage == "challenge" else "session"
        return dict(self.document["limits"][who])

    def episodes(self, stage: str | None = None) -> tuple[Planned, ...]:
        """The registered episodes, those of one stage or all."""
        return tuple(row for row in _all(self.document["counts"]) if stage in (None, row.stage))


def _all(counts: dict[str, int]) -> Iterator[Planned]:
    """Every episode, under the names that dcp-harness gives them: draws are then the same in both."""
    yield Planned("main", "main", 0)
    for index in range(counts["challengers"]):
        yield Planned(f"challenge-{index + 1:04d}", "challenge", index)
    for index in range(counts["positive_controls"]):
        yield Planned(f"positive-control-{index + 1:04d}", "positive_control", index)
    for family, arms, count in (
        ("feedback", FEEDBACK_ARMS, counts["feedback_pairs"]),
        ("sham", NULL_ARMS, counts["null_pairs"]),
    ):
        for index in range(count):
            pair = f"{family}-pair-{index + 1:04d}-attempt-01"
            for arm in arms:
                yield Planned(f"{pair}-{arm}", arm, index, pair)
