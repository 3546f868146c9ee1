"""Private evaluator of the device audit, never shown to an agent: the hidden gains and the score."""

import json
from itertools import combinations

from dcp_lang.integrations.task import RequestRefused, Score

#: One sign per control, c01 to c24; drawn once by fair coins and sealed.
SEALED = "+++------++----++----++-"
GAINS = {f"c{number:02d}": 1 if sign == "+" else -1 for number, sign in enumerate(SEALED, 1)}
#: Controls that one experiment may measure.
BATCH = 5


def outputs(gains: dict[str, int]) -> dict[str, int]:
    """The 300 outputs of a linear device: 24 gains, and the sum of every two of them."""
    pairs = {f"{first}+{second}": gains[first] + gains[second] for first, second in combinations(gains, 2)}
    return {**gains, **pairs}


TRUTH = outputs(GAINS)


def measure(controls: list[str]) -> dict[str, int]:
    """Gains of one to five named controls. RequestRefused on any other request."""
    if (
        not isinstance(controls, list)
        or not 1 <= len(controls) <= BATCH
        or not all(map(_is_control, controls))
    ):
        raise RequestRefused(f"an experiment measures one to {BATCH} of the controls c01 to c24")
    return {name: GAINS[name] for name in controls}


def _is_control(name: object) -> bool:
    return isinstance(name, str) and name in GAINS


def evaluate(data: bytes) -> Score:
    """Score a committed prediction.json: each of the 300 outputs is right (1) or wrong (0)."""
    try:
        prediction = json.loads(data)
    except (ValueError, RecursionError) as error:
        return Score.invalid(f"not JSON: {error}")
    if not isinstance(prediction, dict) or set(prediction) != set(TRUTH):
        return Score.invalid("a prediction has exactly the 300 outputs")
    if not all(_is_legal(name, value) for name, value in prediction.items()):
        return Score.invalid("single outputs are -1 or 1, paired outputs -2, 0 or 2")
    return Score({name: int(prediction[name] == truth) for name, truth in TRUTH.items()})


def _is_legal(name: str, value: object) -> bool:
    legal = (-2, 0, 2) if "+" in name else (-1, 1)
    return type(value) is int and value in legal
