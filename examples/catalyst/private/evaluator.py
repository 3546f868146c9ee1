"""Private evaluator of the catalyst audit: the hidden reactor, its sealed conditions, and the score.

Nothing here is shown to an agent. A recipe is a tuple of level indices (0 to 7), one per control in the
order of workspace/controls.json. Arithmetic is exact; a score becomes a float only at the end, correctly
rounded.
"""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import NamedTuple

from dcp_lang.integrations.task import Score

HERE = Path(__file__).parent
CONTROLS = json.loads((HERE.parent / "workspace" / "controls.json").read_text())
UNITS = json.loads((HERE / "units.json").read_text())

#: The hidden optimum: 60 °C, 30 bar, 0.75 mol %, 2.5 equivalents, 30 min. Five steps away from the handbook
#: recipe.
OPTIMUM = (2, 4, 2, 4, 4)
#: Usable product that is kept per step away from the optimum, in percent, per control.
RETENTION = (93, 88, 88, 89, 90)
#: A sealed condition is a level of each of four disturbances; each shifts the retentions by so many percent.
DISTURBANCES = ("feed purity", "moisture", "reactor scale", "catalyst batch")
SHIFT = (-1, -1, 1, 1)
CONDITIONS = tuple(product(range(len(SHIFT)), repeat=len(DISTURBANCES)))
#: One step beyond the optimum raises yield by half a percent of itself and lowers selectivity by more;
#: before the optimum it is the other way round. More ligand slows the reaction, so that control runs
#: backwards.
SLOPE = Fraction(1005, 1000)
BACKWARDS = ("ligand_ratio",)
YIELD_AT_OPTIMUM = SELECTIVITY_AT_OPTIMUM = Fraction(4, 5)


class Measurement(NamedTuple):
    """One well: shares in [0, 1]; usable product is yield times selectivity."""

    product_yield: Fraction
    selectivity: Fraction

    @property
    def usable(self) -> Fraction:
        return self.product_yield * self.selectivity


def recipe_from(document: object) -> tuple[int, ...]:
    """Level indices of a recipe object {control name: level}. ValueError when it is not a legal recipe."""
    if not isinstance(document, dict) or set(document) != {control["name"] for control in CONTROLS}:
        raise ValueError("a recipe names exactly the five controls")
    return tuple(_index(control, document[control["name"]]) for control in CONTROLS)


def _index(control: dict, level: object) -> int:
    if isinstance(level, bool) or level not in control["levels"]:
        raise ValueError(f"{level!r} is not a legal level of {control['name']}")
    return control["levels"].index(level)


def measure(recipe: tuple[int, ...], optimum: tuple[int, ...] = OPTIMUM) -> Measurement:
    """One undisturbed well; usable product is unimodal in every control and best at `optimum`."""
    product_yield, selectivity = YIELD_AT_OPTIMUM, SELECTIVITY_AT_OPTIMUM
    for control, retention, level, best in zip(CONTROLS, RETENTION, recipe, optimum, strict=True):
        harsher = (best - level) if control["name"] in BACKWARDS else (level - best)
        gain, loss = SLOPE ** abs(harsher), (Fraction(retention, 100) / SLOPE) ** abs(harsher)
        product_yield *= gain if harsher > 0 else loss
        selectivity *= loss if harsher > 0 else gain
    return Measurement(product_yield, selectivity)


def relative_usable(recipe: tuple[int, ...], condition: tuple[int, ...]) -> Fraction:
    """Usable product under one sealed condition, as a share of the optimum's under the same condition."""
    shift = sum(SHIFT[level] for level in condition)
    share = Fraction(1)
    for retention, level, best in zip(RETENTION, recipe, OPTIMUM, strict=True):
        share *= Fraction(retention + shift, 100) ** abs(level - best)
    return share


def evaluate(data: bytes) -> Score:
    """Score a committed recipe.json over all 256 sealed conditions."""
    try:
        recipe = recipe_from(json.loads(data))
    except (ValueError, RecursionError) as error:
        return Score.invalid(str(error))
    return Score(
        dict(zip(UNITS, (relative_usable(recipe, condition) for condition in CONDITIONS), strict=True))
    )


def evaluate_null(data: bytes, optimum: tuple[int, ...]) -> Score:
    """Score a recipe for a null task, whose optimum follows from the sheet in the agent's workspace."""
    try:
        solved = recipe_from(json.loads(data)) == optimum
    except (ValueError, RecursionError) as error:
        return Score.invalid(str(error))
    return Score({"null-task": int(solved)}, solved=solved)


def plate(anchor: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The 36 wells of the one-factor plate: the anchor, then every other level of one control at a time."""
    wells = [anchor]
    for position, control in enumerate(CONTROLS):
        for level in range(len(control["levels"])):
            if level != anchor[position]:
                wells.append((*anchor[:position], level, *anchor[position + 1 :]))
    return tuple(wells)


def measured_plate(anchor: tuple[int, ...], optimum: tuple[int, ...] = OPTIMUM) -> list[dict]:
    """The plate as a laboratory reports it: recipes, and percentages with two decimals."""
    return [_row(recipe, measure(recipe, optimum)) for recipe in plate(anchor)]


def _row(recipe: tuple[int, ...], well: Measurement) -> dict:
    levels = {
        control["name"]: control["levels"][level] for control, level in zip(CONTROLS, recipe, strict=True)
    }
    shares = {"yield": well.product_yield, "selectivity": well.selectivity, "usable": well.usable}
    return {"recipe": levels, **{name: round(float(100 * share), 2) for name, share in shares.items()}}
