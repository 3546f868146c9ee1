"""Private evaluator of the affine audit: the hidden map, its sealed inputs, and the score."""

import json

from dcp_lang.integrations.task import RequestRefused, Score

MODULUS = 101
#: The hidden map (a, b), drawn once and sealed.
HIDDEN = (58, 23)
#: The sealed inputs: every whole number from 20 to 83.
INPUTS = tuple(range(20, 84))


def apply(line: tuple[int, int], x: int) -> int:
    """(a x + b) mod 101."""
    return (line[0] * x + line[1]) % MODULUS


def measure(x: object, hidden: tuple[int, int] = HIDDEN) -> int:
    """The hidden map at 0 <= x <= 100. RequestRefused on anything else."""
    if type(x) is not int or not 0 <= x < MODULUS:
        raise RequestRefused("an experiment names one whole number x from 0 to 100")
    return apply(hidden, x)


def evaluate(data: bytes, hidden: tuple[int, int] = HIDDEN) -> Score:
    """Score a committed map.json over the sealed inputs; solved when it is the hidden map itself."""
    try:
        line = _line(json.loads(data))
    except (ValueError, RecursionError) as error:
        return Score.invalid(str(error))
    right = {f"input-{x:03d}": int(apply(line, x) == apply(hidden, x)) for x in INPUTS}
    return Score(right, solved=line == hidden)


def _line(document: object) -> tuple[int, int]:
    if not isinstance(document, dict) or set(document) != {"a", "b"}:
        raise ValueError("a map is an object with a and b")
    a, b = document["a"], document["b"]
    if not (type(a) is type(b) is int and 1 <= a < MODULUS and 0 <= b < MODULUS):
        raise ValueError("a is a whole number from 1 to 100, b from 0 to 100")
    return a, b
