"""Toy task of the tests: one of eight boxes holds the prize; an experiment weighs the boxes."""

import json
import random
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

from dcp_lang.integrations.dcp_harness import CompiledAdapter, Episode, RequestRefused, Score

evaluator = SimpleNamespace(**run_path(str(Path(__file__).parent / "private" / "evaluator.py")))


class Task(CompiledAdapter):
    artifact = "guess.json"

    def sample_request(self) -> dict[str, Any]:
        return {"weigh": "all"}

    def prepare(self, episode: Episode) -> None:
        if episode.null_task:
            (episode.workspace / "HINT.json").write_text(json.dumps({"box": prize(episode)}))

    def measure(self, episode: Episode, request: dict[str, Any]) -> dict[str, Any]:
        if request != {"weigh": "all"}:
            raise RequestRefused("only all boxes can be weighed")
        return {"weights": [9 if box == prize(episode) else 1 for box in range(evaluator.BOXES)]}

    def neutral(self, measurement: dict[str, Any], draw: random.Random) -> dict[str, Any]:
        return {"weights": [2] * len(measurement["weights"])}

    def reference_null(self, measurement: dict[str, Any], draw: random.Random) -> dict[str, Any]:
        weights = [2] * len(measurement["weights"])
        weights[draw.randrange(evaluator.BOXES // 2)] = 3
        return {"weights": weights}

    def score(self, episode: Episode, artifact: Path) -> Score:
        score: Score = evaluator.evaluate(artifact.read_bytes(), prize(episode))
        return score


def prize(episode: Episode) -> int:
    """The box with the prize; on a null task a drawn one."""
    if episode.null_task:
        return episode.draw("null prize").randrange(evaluator.BOXES)
    return int(evaluator.PRIZE)
