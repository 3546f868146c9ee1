"""Task code of the SQLite-Core audit: what the agent is given, how its experiments are answered and scored.

A Core audit has no paired arms, so one policy is enough: the main run's feedback is the truth.
"""

import json
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

from dcp_lang.integrations.dcp_harness import CompiledAdapter, RequestRefused

evaluator = SimpleNamespace(**run_path(str(Path(__file__).parent / "private" / "evaluator.py")))


class Task(CompiledAdapter):
    """Sixteen query families, one partial index for each, at most four may be created."""

    artifact = "plan.json"

    def sample_request(self):
        return {"indexes": ["paid", "shipped"]}

    def prepare(self, episode):
        """List the families in a drawn order."""
        path = episode.workspace / "families.json"
        families = list(json.loads(path.read_text()).items())
        episode.draw("presentation").shuffle(families)
        path.write_text(json.dumps(dict(families), indent=1) + "\n")

    def measure(self, episode, request):
        """Traffic-weighted work of every family under the requested plan, on the development copy."""
        try:
            plan = evaluator.parse_plan(request)
        except evaluator.PlanError as error:
            raise RequestRefused(str(error)) from error
        work, _ = evaluator.measure(plan, evaluator.DEVELOPMENT)
        return {"weighted_work": {family: evaluator.TRAFFIC[family] * work[family] for family in work}}

    def score(self, episode, artifact):
        """Share of traffic-weighted work removed on the sealed database with fresh query parameters."""
        return evaluator.evaluate(artifact.read_bytes())
