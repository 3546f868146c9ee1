"""Operating characteristics: the probability that a gate passes, as a function of the truth.

Binomial and trinomial sums, exact or between bounds closer than any printed digit. A truth at which passing is right is
rounded down, a truth at or beyond the threshold up: the table never flatters the design.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

from dcp_lang.canonical import number_text
from dcp_lang.emit.figures.rules import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.stats import power
from dcp_lang.stats.sequential import expected_episodes_bound

#: Decimals of a printed probability; small ones get two digits that are not zero, down to the last place.
PLACES, LAST_PLACE = 4, 12
#: Beyond this many pairs no table is made: the cells of the acceptance region grow with the square of n.
MOST_PAIRS = 400

#: Truths to tabulate, as shares of the threshold or of the way from it to 1, or as they are.
_HITS = [Fraction(k, 100) for k in (0, 1, 2, 5, 10, 15, 20, 30, 40, 60)]
_RECALLS = [Fraction(k, 40) for k in (0, 10, 20, 25, 30, 32, 34, 36, 38, 39, 40)]
_TRUTHFUL = [Fraction(k, 200) for k in (120, 140, 150, 160, 170, 180, 185, 190, 195, 198, 200)]


class Axis(NamedTuple):
    """A truth that varies: the values to tabulate, the field that expects one, and Pr(pass | truth).

    `given` is what the probability takes as known besides.
    """

    values: list[Fraction]
    expected: str
    passes: Callable[[Fraction], power.Bounds]
    is_wrong: Callable[[Fraction], bool]
    given: Mapping[str, str] = {}


def operating_rows(reg: TypedRegistration, name: str, rule: Rule) -> dict[str, Any]:
    """The table of one gate under `operating`, and what it takes as given; nothing where none can be made."""
    axis = _axis(reg, name, rule)
    if axis is None:
        return {}
    expected = reg.number(axis.expected) if reg.has(axis.expected) else None
    values = sorted({*axis.values, *([] if expected is None else [expected])})
    rows = [_row(axis, v) | ({"expected": True} if v == expected else {}) for v in values]
    if name == "recovery":
        rows = [
            row | {"episodes": _episodes(v, reg.count(rule.path))}
            for row, v in zip(rows, values, strict=True)
        ]
    return {"operating": rows, **axis.given}


def _axis(reg: TypedRegistration, name: str, rule: Rule) -> Axis | None:
    n = reg.count(rule.path)
    if not rule.binomial or (name in ("feedback", "null") and n > MOST_PAIRS):
        return None
    return _AXES[name](reg, rule, n)


def _row(axis: Axis, truth: Fraction) -> dict[str, Any]:
    low, high = axis.passes(truth)
    scale = 10 ** _places(high)
    rounded = ceil(high * scale) if axis.is_wrong(truth) else floor(low * scale)
    return {"truth": number_text(truth), "passes": number_text(Fraction(rounded, scale))}


def _settled(bounds: power.Bounds, exact: Callable[[], Fraction]) -> power.Bounds:
    """The bounds, if every number between them prints alike; or else the exact number twice."""
    low, high = bounds
    scale = 10**LAST_PLACE
    if low == high or (low > 0 and floor(low * scale) == ceil(high * scale) - 1):
        return bounds
    return exact(), exact()


def _places(chance: Fraction) -> int:
    return next((p for p in range(PLACES, LAST_PLACE) if chance * 10**p >= 10), LAST_PLACE)


def _episodes(hit_rate: Fraction, n: int) -> str:
    """Expected episodes when the first witness stops the audit, rounded up to tenths."""
    return number_text(Fraction(ceil(expected_episodes_bound(n, hit_rate) * 10), 10))


def _two_digits(values: Iterable[Fraction]) -> list[Fraction]:
    """Values rounded to two significant digits, so that a grid relative to a threshold reads well."""
    return [Fraction(f"{float(v):.2g}") for v in values]


def _recovery(reg: TypedRegistration, rule: Rule, n: int) -> Axis:
    rho = rule.threshold
    return Axis(
        values=[*_two_digits(rho * share for share in _HITS), rho],
        expected="expect.p_B",
        passes=lambda p: power.recovery_power_bounds(n, rule.alpha, rho, p),
        is_wrong=lambda p: p >= rho,
    )


def _adequacy(reg: TypedRegistration, rule: Rule, n: int) -> Axis:
    minimum = rule.threshold
    return Axis(
        values=[minimum + (1 - minimum) * share for share in _RECALLS],
        expected="expect.recall",
        passes=lambda r: power.adequacy_power_bounds(n, rule.alpha, minimum, r),
        is_wrong=lambda r: r <= minimum,
    )


def _feedback(reg: TypedRegistration, rule: Rule, n: int) -> Axis:
    """Branches are independent: p10 = t(1-u), p01 = (1-t)u at recovery rates t (truthful), u (neutral)."""
    neutral = reg.number("expect.neutral") if reg.has("expect.neutral") else Fraction(0)

    def passes(t: Fraction) -> power.Bounds:
        gate = n, rule.alpha, rule.threshold, t * (1 - neutral), (1 - t) * neutral
        return _settled(power.feedback_power_bounds(*gate), lambda: power.feedback_power(*gate))

    edge = rule.threshold + neutral
    return Axis(
        values=[edge, *(t for t in _TRUTHFUL if t > edge)] if edge < 1 else list(_TRUTHFUL),
        expected="expect.truthful",
        passes=passes,
        is_wrong=lambda t: t - neutral <= rule.threshold,
        given={"neutral": number_text(neutral)},
    )


def _null(reg: TypedRegistration, rule: Rule, n: int) -> Axis:
    """Null pairs are discordant with the same probability q in each direction: the true contrast is 0."""

    def passes(q: Fraction) -> power.Bounds:
        gate = n, rule.alpha, rule.threshold, q, q
        return _settled(power.null_power_bounds(*gate), lambda: power.null_power(*gate))

    return Axis(
        values=_two_digits(min(rule.threshold, Fraction(1, 2)) * share for share in _HITS),
        expected="expect.null",
        passes=passes,
        is_wrong=lambda q: False,
    )


_AXES: dict[str, Callable[[TypedRegistration, Rule, int], Axis]] = {
    "recovery": _recovery,
    "adequacy": _adequacy,
    "feedback": _feedback,
    "null": _null,
}
