"""Task code of the affine audit: answer a probe of the hidden map, score a submitted map."""

import json
from pathlib import Path
from random import Random
from runpy import run_path
from types import SimpleNamespace
from typing import Any

from dcp_lang.integrations.dcp_harness import CompiledAdapter, Episode, RequestRefused, Score

evaluator = SimpleNamespace(**run_path(str(Path(__file__).parent / "private" / "evaluator.py")))


class Task(CompiledAdapter):
    """A map x -> (a x + b) mod 101, found from two probes."""

    artifact = "map.json"

    def prepare(self, episode: Episode) -> None:
        """A null task gets two exact points of its own map, which determine the answer."""
        if episode.null_task:
            points = [[x, evaluator.apply(self._map(episode), x)] for x in (2, 7)]
            (episode.workspace / "given_points.json").write_text(json.dumps(points) + "\n")

    def sample_request(self) -> dict[str, Any]:
        """A request for the rehearsal before the run."""
        return {"x": 1}

    def measure(self, episode: Episode, request: dict[str, Any]) -> dict[str, Any]:
        """The hidden map at one input."""
        if set(request) != {"x"}:
            raise RequestRefused('a request is {"x": input}')
        return {"x": request["x"], "y": evaluator.measure(request["x"], self._map(episode))}

    def neutral(self, measurement: dict[str, Any], draw: Random) -> dict[str, Any]:
        """The middle of the range, whatever the input."""
        return {**measurement, "y": 50}

    def reference_null(self, measurement: dict[str, Any], draw: Random) -> dict[str, Any]:
        """Another constant of the same length."""
        return {**measurement, "y": 37}

    def score(self, episode: Episode, artifact: Path) -> Score:
        """Right or wrong on each sealed input."""
        return evaluator.evaluate(artifact.read_bytes(), self._map(episode))

    def _map(self, episode: Episode) -> tuple[int, int]:
        """The hidden map; a null task has one of its own, the same in both arms of a pair."""
        if not episode.null_task:
            return evaluator.HIDDEN
        draw = episode.draw("null map")
        return 1 + int(draw.random() * (evaluator.MODULUS - 1)), int(draw.random() * evaluator.MODULUS)
