"""The toy's private verifier: which box holds the prize."""

import json

from dcp_lang.integrations.task import Score

BOXES = 8
PRIZE = 6


def evaluate(data: bytes, prize: int) -> Score:
    """Both private checks pass when the box holds the prize."""
    box = json.loads(data)["box"]
    if box not in range(BOXES):
        return Score.invalid("no such box")
    found = box == prize
    return Score({unit: float(found) for unit in ("private-1", "private-2")}, solved=found)
