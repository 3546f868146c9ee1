"""The SQLite-Web task: presentations, experiments, feedback policies and scoring."""

import json
import random
from pathlib import Path
from typing import Any

from dcp_lang.integrations.dcp_harness import CompiledAdapter, Episode, RequestRefused, Score

#: Traffic of a family under the neutral policy. The hidden traffic sums to 108 over 16 families, so feedback
#: in quarters of a query keeps every number whole: 4 * 108 / 16 = 27.
SCALE = 4
UNIFORM = 27
#: Traffic weights of the second non-directional policy, permuted anew in every episode; their mean is 27 as
#: well.
NEARLY_UNIFORM = (*range(19, 27), *range(28, 36))


class Task(CompiledAdapter):
    artifact = "plan.json"
    private_verifier = "private"
    private_units = "private/units.json"

    def prepare(self, episode: Episode) -> None:
        """Present the families in a drawn order; a null task also states its traffic."""
        if not episode.from_checkpoint:
            path = episode.workspace / "families.json"
            families = list(json.loads(path.read_text()).items())
            episode.draw("presentation").shuffle(families)
            path.write_text(json.dumps(dict(families), indent=1) + "\n")
        if episode.null_task:
            (episode.workspace / "traffic.json").write_text(
                json.dumps(self._traffic(episode), indent=1) + "\n"
            )

    def sample_request(self) -> dict[str, Any]:
        return {"indexes": ["login", "search"]}

    def measure(self, episode: Episode, request: dict[str, Any]) -> dict[str, Any]:
        """Work of every family under the requested plan on the development copy, and the traffic."""
        try:
            plan = self.private.parse_plan(request)
        except self.private.PlanError as error:
            raise RequestRefused(str(error)) from error
        work, _ = self.private.measure(plan, "development")
        return {"work": work, "traffic": self._traffic(episode)}

    def truthful(self, measurement: dict[str, Any], draw: random.Random) -> dict[str, Any]:
        traffic = measurement["traffic"]
        return _report(measurement, {family: SCALE * traffic[family] for family in traffic})

    def neutral(self, measurement: dict[str, Any], draw: random.Random) -> dict[str, Any]:
        return _report(measurement, dict.fromkeys(measurement["work"], UNIFORM))

    def reference_null(self, measurement: dict[str, Any], draw: random.Random) -> dict[str, Any]:
        weights = draw.sample(NEARLY_UNIFORM, len(NEARLY_UNIFORM))
        return _report(measurement, dict(zip(measurement["work"], weights, strict=True)))

    def score(self, episode: Episode, artifact: Path) -> Score:
        """Share of traffic-weighted work removed on the private database with fresh query parameters."""
        traffic = self._traffic(episode)
        try:
            plan = self.private.parse_plan(json.loads(artifact.read_text()))
            share = self.private.score(plan, traffic, "sealed")
        except (self.private.PlanError, json.JSONDecodeError) as error:
            return Score.invalid(str(error))
        busy = {family for family in traffic if traffic[family] == max(traffic.values())}
        return Score({"sealed-workload": share}, solved=plan == busy)

    def _traffic(self, episode: Episode) -> dict[str, int]:
        """The hidden traffic; on a null task the same numbers on drawn families."""
        traffic: dict[str, int] = self.private.hidden_traffic()
        if episode.null_task:
            names = episode.draw("null traffic").sample(sorted(traffic), len(traffic))
            traffic = dict(sorted(zip(names, traffic.values(), strict=True)))
        return traffic


def _report(measurement: dict[str, Any], traffic: dict[str, int]) -> dict[str, Any]:
    """The message of every policy: traffic-weighted work per family."""
    work = measurement["work"]
    return {"weighted_work": {family: traffic[family] * work[family] for family in work}}
