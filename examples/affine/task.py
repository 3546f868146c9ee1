"""Task code of the affine audit: answer a probe of the hidden map, score a submitted map."""

import json
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

from dcp_lang.integrations.dcp_harness import CompiledAdapter, RequestRefused

evaluator = SimpleNamespace(**run_path(str(Path(__file__).parent / "private" / "evaluator.py")))


class Task(CompiledAdapter):
    """A map x -> (a x + b) mod 101, found from two probes."""

    artifact = "map.json"

    def prepare(self, episode):
        """A null task gets two exact points of its own map, which determine the answer."""
        if episode.null_task:
            points = [[x, evaluator.apply(null_map(episode), x)] for x in (2, 7)]
            (episode.workspace / "given_points.json").write_text(json.dumps(points) + "\n")

    def measure(self, episode, request):
        """The hidden map at one input."""
        if set(request) != {"x"}:
            raise RequestRefused('a request is {"x": input}')
        hidden = null_map(episode) if episode.null_task else evaluator.HIDDEN
        return {"x": request["x"], "y": evaluator.measure(request["x"], hidden)}

    def neutral(self, measurement, draw):
        """The middle of the range, whatever the input."""
        return {**measurement, "y": 50}

    def reference_null(self, measurement, draw):
        """Another constant of the same length."""
        return {**measurement, "y": 37}

    def score(self, episode, artifact):
        """Right or wrong on each sealed input."""
        hidden = null_map(episode) if episode.null_task else evaluator.HIDDEN
        return evaluator.evaluate(artifact.read_bytes(), hidden)


def null_map(episode):
    """A map of its own for every null task, the same in both arms of a pair."""
    draw = episode.draw("null map")
    return 1 + int(draw.random() * (evaluator.MODULUS - 1)), int(draw.random() * evaluator.MODULUS)
