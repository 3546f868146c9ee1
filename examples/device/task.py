"""Task code of the device audit: measure gains on request, score a prediction of 300 outputs."""

import json
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

from dcp_lang.integrations.dcp_harness import CompiledAdapter, Episode, RequestRefused, Score

evaluator = SimpleNamespace(**run_path(str(Path(__file__).parent / "private" / "evaluator.py")))


class Task(CompiledAdapter):
    """Twenty-four gains, four given, five measured per experiment; Core only, so no feedback arms."""

    artifact = "prediction.json"

    def prepare(self, episode: Episode) -> None:
        """List the controls in a drawn order."""
        path, draw = episode.workspace / "controls.json", episode.draw("presentation")
        controls = sorted(json.loads(path.read_text()), key=lambda name: draw.random())
        path.write_text(json.dumps(controls) + "\n")

    def sample_request(self) -> dict[str, Any]:
        """A request for the rehearsal before the run."""
        return {"measure": ["c01", "c02"]}

    def measure(self, episode: Episode, request: dict[str, Any]) -> dict[str, Any]:
        """Gains of one to five controls."""
        if set(request) != {"measure"}:
            raise RequestRefused('a request is {"measure": [controls]}')
        return {"gains": evaluator.measure(request["measure"])}

    def score(self, episode: Episode, artifact: Path) -> Score:
        """Right or wrong on each of the 300 sealed outputs."""
        return evaluator.evaluate(artifact.read_bytes())
