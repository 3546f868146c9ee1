"""Task code of the catalyst audit: what the agent is given, how its plate is measured, how its recipe is
scored.

Everything that was registered (counts, thresholds, materials, checkpoint, arms) comes from the compiled
registration.
"""

import json
from pathlib import Path
from random import Random
from runpy import run_path
from types import SimpleNamespace
from typing import Any

from dcp_lang.integrations.dcp_harness import CompiledAdapter, Episode, RequestRefused, Score

evaluator = SimpleNamespace(**run_path(str(Path(__file__).parent / "private" / "evaluator.py")))

#: The row that each non-directional policy shows for every well, in percent.
NEUTRAL = {"yield": 61.25, "selectivity": 72.35, "usable": 44.31}
REFERENCE_NULL = {"yield": 58.42, "selectivity": 75.18, "usable": 43.92}


class Task(CompiledAdapter):
    """Five controls, an anchor recipe, a one-factor plate of 36 wells, one final recipe."""

    artifact = "recipe.json"

    def prepare(self, episode: Episode) -> None:
        """List the controls in a drawn order; a null task also gets the sheet that determines its answer."""
        if not episode.from_checkpoint:
            draw = episode.draw("presentation")
            controls = sorted(evaluator.CONTROLS, key=lambda control: draw.random())
            _write(episode.workspace / "controls.json", controls)
        if episode.null_task:
            handbook = evaluator.recipe_from(_read(episode.workspace / "conventional.json"))
            sheet = {"wells": evaluator.measured_plate(handbook, self._optimum(episode))}
            _write(episode.workspace / "reactor_sheet.json", sheet)

    def measure(self, episode: Episode, request: dict[str, Any]) -> dict[str, Any]:
        """Commit the anchor, or expand the committed anchor into its plate and measure every well."""
        try:
            anchor = evaluator.recipe_from(_read(episode.workspace / "anchor.json"))
        except (OSError, ValueError, RecursionError) as error:
            raise RequestRefused(f"anchor.json must hold a legal recipe: {error}") from error
        if request == {"event": "anchor"}:
            return {"anchor": "committed"}
        if request == {"event": "plate"}:
            return {"wells": evaluator.measured_plate(anchor, self._optimum(episode))}
        raise RequestRefused('a request is {"event": "anchor"} or {"event": "plate"}')

    def neutral(self, measurement: dict[str, Any], draw: Random) -> dict[str, Any]:
        """The same plate with one row in every well: no direction."""
        return _uniform(measurement, NEUTRAL)

    def reference_null(self, measurement: dict[str, Any], draw: Random) -> dict[str, Any]:
        """A second plate without direction: another row in every well."""
        return _uniform(measurement, REFERENCE_NULL)

    def score(self, episode: Episode, artifact: Path) -> Score:
        """Usable product relative to the optimum's, per sealed condition; a null task is solved or not."""
        if episode.null_task:
            return evaluator.evaluate_null(artifact.read_bytes(), self._optimum(episode))
        return evaluator.evaluate(artifact.read_bytes())

    def _optimum(self, episode: Episode) -> tuple[int, ...]:
        """The hidden optimum; a null task has a reactor of its own, the same in both arms of a pair."""
        if not episode.null_task:
            return evaluator.OPTIMUM
        draw = episode.draw("null optimum")
        return tuple(int(draw.random() * len(control["levels"])) for control in evaluator.CONTROLS)


def _uniform(measurement: dict[str, Any], row: dict[str, float]) -> dict[str, Any]:
    """Every well shows `row`; the commitment of the anchor is answered as it is."""
    if "wells" not in measurement:
        return measurement
    return {"wells": [{**well, **row} for well in measurement["wells"]]}


def _read(path: Path) -> Any:
    return json.loads(path.read_text())


def _write(path: Path, document: object) -> None:
    path.write_text(json.dumps(document, indent=1) + "\n")
