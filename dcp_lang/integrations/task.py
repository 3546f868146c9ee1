"""What a claimant's task code sees and returns: an episode without its arm, and a score.

The harness tells an adapter which arm it serves. Task code that knew the arm could, by mistake or not,
measure or score one arm differently. So the mix-in hands it an `Episode`, which names the arm nowhere.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

Number = Fraction | float | int


@dataclass(frozen=True)
class Episode:
    """One agent episode as its task code sees it."""

    #: The agent's files.
    workspace: Path
    #: Names the drawn presentation. Both arms of a pair share it; every other episode has its own.
    key: str
    #: A null task: its answer must follow from the starting files alone.
    null_task: bool
    #: Starts from the checkpoint of the main run, so the files of the presentation are already there.
    from_checkpoint: bool
    #: The claim; it seeds the draws, so a change of prose in the registration does not change them.
    claim_id: str

    def draw(self, label: str) -> random.Random:
        """Random numbers fixed by claim, presentation and `label`; the same in both arms of a pair."""
        return random.Random(f"{self.claim_id}|{self.key}|{label}")


@dataclass(frozen=True)
class Score:
    """The private verifier's result for one artifact.

    `units` gives each private unit's score in [0, 1]; `solved` is needed for a null task with a binary
    utility and says whether the artifact solves it. An invalid artifact keeps its reason and scores 0 on
    every unit.
    """

    units: Mapping[str, Number] = field(default_factory=dict)
    valid: bool = True
    solved: bool | None = None
    reason: str = ""

    @classmethod
    def invalid(cls, reason: str) -> Score:
        """An artifact that breaks a validity rule."""
        return cls(valid=False, reason=reason)


class RequestRefused(ValueError):
    """An experiment request that the task cannot run; the agent sees the reason, in every arm alike."""


def length_of(observation: Any) -> int:
    """Length of an observation as the agent reads it, in characters of compact JSON."""
    return len(json.dumps(observation, ensure_ascii=False, separators=(",", ":")))


def shape_of(value: Any) -> Any:
    """The schema of an observation: keys and JSON types, without the values. Lists keep their length."""
    if isinstance(value, Mapping):
        return {key: shape_of(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [shape_of(item) for item in value]
    if isinstance(value, bool) or value is None:
        return type(value).__name__
    return "number" if isinstance(value, int | float) else type(value).__name__
