"""Operating characteristics: the probability that a gate passes, as a function of the truth.

Exact binomial and trinomial sums. A truth at which passing is right is rounded down, a truth at or beyond the
threshold up: the table never flatters the design.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

from dcp_lang.canonical import number_text
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.stats import power
from dcp_lang.stats.regions import feedback_region, null_region

#: Decimals of a printed probability; small ones get two digits that are not zero, down to the last place.
PLACES, LAST_PLACE = 4, 12
#: Beyond this many pairs the acceptance region is not tabulated: its cells grow with the square of n.
MOST_PAIRS = 400

_SHARES = [Fraction(k, 200) for k in (0, 2, 4, 10, 20, 30, 40, 60, 80, 120, 200)]
_RECALLS = [Fraction(k, 40) for k in (0, 10, 20, 25, 30, 32, 34, 36, 38, 39, 40)]
_TRUTHFUL = [Fraction(k, 200) for k in (120, 140, 150, 160, 170, 180, 185, 190, 195, 198, 200)]


class Axis(NamedTuple):
    """A truth that varies: its values, the field that expects one of them, and Pr(pass | truth)."""

    values: list[Fraction]
    expected: str
    passes: Callable[[Fraction], Fraction]
    passing_is_wrong: Callable[[Fraction], bool]


def operating_rows(
    reg: TypedRegistration, name: str, n: int, alpha: Fraction, threshold: Fraction
) -> dict[str, Any]:
    """The rows of one gate under `operating`, and what they assume; nothing where no table can be made."""
    made = OPERATING[name](reg, n, alpha, threshold)
    if made is None:
        return {}
    axis, assumes = made
    expected = reg.number(axis.expected) if reg.has(axis.expected) else None
    values = sorted({*axis.values, *([expected] if expected is not None else [])})
    rows = [_row(axis, v) | ({"expected": True} if v == expected else {}) for v in values]
    return {"operating": rows, **assumes}


def _row(axis: Axis, truth: Fraction) -> dict[str, Any]:
    chance = axis.passes(truth)
    scale = 10 ** _places(chance)
    rounded = (ceil if axis.passing_is_wrong(truth) else floor)(chance * scale)
    return {"truth": number_text(truth), "passes": number_text(Fraction(rounded, scale))}


def _places(chance: Fraction) -> int:
    return next((p for p in range(PLACES, LAST_PLACE) if chance * 10**p >= 10), LAST_PLACE)


def _two_digits(values: Iterable[Fraction]) -> list[Fraction]:
    """Values rounded to two significant digits, so that a grid relative to a threshold reads well."""
    return [Fraction(f"{float(v):.2g}") for v in values]


def _recovery(reg: TypedRegistration, n: int, alpha: Fraction, rho: Fraction) -> tuple[Axis, dict[str, Any]]:
    values = [*_two_digits(rho * s for s in _SHARES[:-1]), rho]
    return Axis(
        values, "expect.p_B", lambda p: power.recovery_power(n, alpha, rho, p), lambda p: p >= rho
    ), {}


def _adequacy(
    reg: TypedRegistration, n: int, alpha: Fraction, least: Fraction
) -> tuple[Axis, dict[str, Any]]:
    values = [least + (1 - least) * s for s in _RECALLS]
    axis = Axis(
        values, "expect.recall", lambda r: power.adequacy_power(n, alpha, least, r), lambda r: r <= least
    )
    return axis, {}


def _feedback(
    reg: TypedRegistration, n: int, alpha: Fraction, margin: Fraction
) -> tuple[Axis, dict[str, Any]] | None:
    """Branches are independent: p10 = t(1-u), p01 = (1-t)u at recovery rates t (truthful), u (neutral)."""
    if n > MOST_PAIRS:
        return None
    neutral = reg.number("expect.neutral") if reg.has("expect.neutral") else Fraction(0)
    region = feedback_region(n, alpha, margin)
    edge = margin + neutral
    values = [edge, *(t for t in _TRUTHFUL if t > edge)] if edge < 1 else list(_TRUTHFUL)
    axis = Axis(
        values,
        "expect.truthful",
        lambda t: power.region_probability(n, region, t * (1 - neutral), (1 - t) * neutral),
        lambda t: t - neutral <= margin,
    )
    return axis, {"neutral": number_text(neutral)}


def _null(
    reg: TypedRegistration, n: int, alpha: Fraction, band: Fraction
) -> tuple[Axis, dict[str, Any]] | None:
    """Null pairs are discordant with the same probability q in each direction: the true contrast is 0."""
    if n > MOST_PAIRS:
        return None
    region = null_region(n, alpha, band)
    values = _two_digits(min(band, Fraction(1, 2)) * s for s in _SHARES[:-1])
    return Axis(
        values, "expect.null", lambda q: power.region_probability(n, region, q, q), lambda q: False
    ), {}


#: Gate name -> its axis and what the axis takes as given.
OPERATING: dict[
    str, Callable[[TypedRegistration, int, Fraction, Fraction], tuple[Axis, dict[str, Any]] | None]
] = {
    "recovery": _recovery,
    "adequacy": _adequacy,
    "feedback": _feedback,
    "null": _null,
}
