"""Toy task of the tests: one of eight boxes holds the prize; an experiment weighs the boxes."""

import json
import random
from pathlib import Path
from typing import Any

from dcp_lang.integrations.dcp_harness import CompiledAdapter, Episode, RequestRefused, Score

BOXES = 8
PRIZE = 6


class Task(CompiledAdapter):
    artifact = "guess.json"

    def sample_request(self) -> dict[str, Any]:
        return {"weigh": "all"}

    def prepare(self, episode: Episode) -> None:
        if episode.null_task:
            (episode.workspace / "HINT.json").write_text(json.dumps({"box": self._prize(episode)}))

    def measure(self, episode: Episode, request: dict[str, Any]) -> dict[str, Any]:
        if request != {"weigh": "all"}:
            raise RequestRefused("only all boxes can be weighed")
        return {"weights": [9 if box == self._prize(episode) else 1 for box in range(BOXES)]}

    def neutral(self, measurement: dict[str, Any], draw: random.Random) -> dict[str, Any]:
        return {"weights": [2] * len(measurement["weights"])}

    def reference_null(self, measurement: dict[str, Any], draw: random.Random) -> dict[str, Any]:
        weights = [2] * len(measurement["weights"])
        weights[draw.randrange(BOXES // 2)] = 3
        return {"weights": weights}

    def score(self, episode: Episode, artifact: Path) -> Score:
        box = json.loads(artifact.read_text())["box"]
        if box not in range(BOXES):
            return Score.invalid("no such box")
        found = box == self._prize(episode)
        return Score({unit: float(found) for unit in self.compiled.unit_ids()}, solved=found)

    def _prize(self, episode: Episode) -> int:
        return episode.draw("null prize").randrange(BOXES) if episode.null_task else PRIZE
