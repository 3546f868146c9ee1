"""Task code of the SQLite-Web audit: what the agent is given, how its experiments are answered and scored.

Everything that was registered (counts, thresholds, materials, checkpoint, arms) comes from the compiled
registration.
"""

import json
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

from dcp_lang.integrations.dcp_harness import CompiledAdapter, RequestRefused

evaluator = SimpleNamespace(**run_path(str(Path(__file__).parent / "private" / "evaluator.py")))

#: Feedback counts traffic in quarters of a query, so that uniform traffic of the same sum is whole: 4 * 108 /
#: 16.
SCALE = 4
UNIFORM = 27
#: Traffic of the second non-directional policy, permuted anew for every message; its mean is 27 as well.
NEARLY_UNIFORM = (*range(19, 27), *range(28, 36))


class Task(CompiledAdapter):
    """Sixteen query families, one partial index for each, at most four may be created."""

    artifact = "plan.json"

    def sample_request(self):
        return {"indexes": ["login", "search"]}

    def prepare(self, episode):
        """List the families in a drawn order; a null task also states its traffic."""
        if not episode.from_checkpoint:
            path = episode.workspace / "families.json"
            families = list(json.loads(path.read_text()).items())
            episode.draw("presentation").shuffle(families)
            _write(path, dict(families))
        if episode.null_task:
            _write(episode.workspace / "traffic.json", traffic_of(episode))

    def measure(self, episode, request):
        """Work of every family under the requested plan on the development copy, and the traffic."""
        try:
            plan = evaluator.parse_plan(request)
        except evaluator.PlanError as error:
            raise RequestRefused(str(error)) from error
        work, _ = evaluator.measure(plan, evaluator.DEVELOPMENT)
        return {"work": work, "traffic": traffic_of(episode)}

    def truthful(self, measurement, draw):
        """Traffic-weighted work of the agent's own plan, per family."""
        return _report(measurement, {name: SCALE * count for name, count in measurement["traffic"].items()})

    def neutral(self, measurement, draw):
        """The same message with uniform family weights."""
        return _report(measurement, dict.fromkeys(measurement["work"], UNIFORM))

    def reference_null(self, measurement, draw):
        """The same message with permuted, nearly uniform weights."""
        weights = draw.sample(NEARLY_UNIFORM, len(NEARLY_UNIFORM))
        return _report(measurement, dict(zip(measurement["work"], weights, strict=True)))

    def score(self, episode, artifact):
        """Share of traffic-weighted work removed on the sealed database with fresh query parameters."""
        return evaluator.evaluate(artifact.read_bytes(), traffic_of(episode))


def traffic_of(episode):
    """The hidden traffic; on a null task the same numbers on drawn families."""
    if not episode.null_task:
        return evaluator.TRAFFIC
    names = episode.draw("null traffic").sample(list(evaluator.TRAFFIC), len(evaluator.TRAFFIC))
    return dict(sorted(zip(names, evaluator.TRAFFIC.values(), strict=True)))


def _report(measurement, traffic):
    """The message of every policy."""
    work = measurement["work"]
    return {"weighted_work": {family: traffic[family] * work[family] for family in work}}


def _write(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n")
