"""Task code of the knapsack audit: price a packing in the pilot market, score a submission in the sealed
ones.
"""

import json
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

from dcp_lang.integrations.dcp_harness import CompiledAdapter, Episode, RequestRefused, Score

evaluator = SimpleNamespace(**run_path(str(Path(__file__).parent / "private" / "evaluator.py")))


class Task(CompiledAdapter):
    """Thirty items, three resources, at most two packings per submission; Core only, so no feedback arms."""

    artifact = "submission.json"

    def prepare(self, episode: Episode) -> None:
        """List the items in a drawn order."""
        path = episode.workspace / "instance.json"
        draw, instance = episode.draw("presentation"), json.loads(path.read_text())
        instance["items"].sort(key=lambda item: draw.random())
        path.write_text(json.dumps(instance, indent=1) + "\n")

    def sample_request(self) -> dict[str, Any]:
        """A request for the rehearsal before the run."""
        return {"packing": ["i01", "i02"]}

    def measure(self, episode: Episode, request: dict[str, Any]) -> dict[str, Any]:
        """Pilot-market worth of every item in a legal packing."""
        try:
            packing = evaluator.check(request.get("packing"))
        except ValueError as error:
            raise RequestRefused(str(error)) from error
        return {"prices": {item: float(evaluator.price(item, evaluator.PILOT)) for item in packing}}

    def score(self, episode: Episode, artifact: Path) -> Score:
        """Share of the bound in each sealed market, for the better packing."""
        return evaluator.evaluate(artifact.read_bytes())
