"""The assurance of a whole audit: the exact probability that every gate passes under an assumed truth.

Gates are named as their errors are: recovery, adequacy, evidence, sham. They are treated as independent given
the truth.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import NamedTuple

from dcp_lang.stats.exact import EXACT_UP_TO
from dcp_lang.stats.power import (
    Bounds,
    adequacy_power,
    adequacy_power_bounds,
    feedback_power,
    feedback_power_bounds,
    null_power,
    null_power_bounds,
    recovery_power,
    recovery_power_bounds,
)


class Thresholds(NamedTuple):
    """What the gates ask for.

    `margin` (delta_evidence + delta_sham) and `band` (delta_sham) count for Evidence only.
    """

    rho: Fraction
    minimum: Fraction
    margin: Fraction = Fraction(0)
    band: Fraction = Fraction(0)


class Truth(NamedTuple):
    """What the author expects to be true; probabilities in [0, 1].

    hit_rate: p_B, an episode recovers. recall: a positive control is found. p10, p01: a feedback pair favours
    truthful or neutral feedback. null_p10, null_p01: the same for a null pair.
    """

    hit_rate: Fraction
    recall: Fraction
    p10: Fraction = Fraction(1)
    p01: Fraction = Fraction(0)
    null_p10: Fraction = Fraction(0)
    null_p01: Fraction = Fraction(0)


class Design(NamedTuple):
    """Sizes and alphas by gate; Core has the gates recovery and adequacy, Evidence all four."""

    sizes: Mapping[str, int]
    alphas: Mapping[str, Fraction]


def gate_powers(design: Design, thresholds: Thresholds, truth: Truth) -> dict[str, Fraction]:
    """Pr(pass) of every gate in the design."""
    return {name: _GATES[name](n, design.alphas[name], thresholds, truth) for name, n in design.sizes.items()}


def assurance(design: Design, thresholds: Thresholds, truth: Truth) -> Fraction:
    """Pr(every gate passes), the product of the powers."""
    return prod(gate_powers(design, thresholds, truth).values(), start=Fraction(1))


def gate_bounds(design: Design, thresholds: Thresholds, truth: Truth) -> dict[str, Bounds]:
    """`gate_powers` between bounds less than 10**-20 apart, for sizes up to millions."""
    return {
        name: _BOUNDS[name](n, design.alphas[name], thresholds, truth) for name, n in design.sizes.items()
    }


def assurance_bounds(design: Design, thresholds: Thresholds, truth: Truth) -> Bounds:
    """`assurance` between the products of the bounds."""
    lows, highs = zip(*gate_bounds(design, thresholds, truth).values(), strict=True)
    return prod(lows, start=Fraction(1)), prod(highs, start=Fraction(1))


def assurance_reaches(design: Design, thresholds: Thresholds, truth: Truth, target: Fraction) -> bool:
    """Whether the assurance is >= target.

    Exact up to `EXACT_UP_TO` units of a gate; beyond, a target nearer than the bounds counts as missed.
    """
    low, high = assurance_bounds(design, thresholds, truth)
    if low >= target or high < target or max(design.sizes.values()) > EXACT_UP_TO:
        return low >= target
    return assurance(design, thresholds, truth) >= target


def operating_characteristic(
    design: Design, thresholds: Thresholds, truth: Truth, assumption: str, values: Sequence[Fraction]
) -> list[tuple[Fraction, Fraction]]:
    """(value, assurance) with one assumption of the truth at each value, the others as they are."""
    return [(value, assurance(design, thresholds, truth._replace(**{assumption: value}))) for value in values]


def _recovery(n: int, alpha: Fraction, thresholds: Thresholds, truth: Truth) -> Fraction:
    return recovery_power(n, alpha, thresholds.rho, truth.hit_rate)


def _adequacy(n: int, alpha: Fraction, thresholds: Thresholds, truth: Truth) -> Fraction:
    return adequacy_power(n, alpha, thresholds.minimum, truth.recall)


def _evidence(n: int, alpha: Fraction, thresholds: Thresholds, truth: Truth) -> Fraction:
    return _cached_feedback(n, alpha, thresholds.margin, truth.p10, truth.p01)


def _sham(n: int, alpha: Fraction, thresholds: Thresholds, truth: Truth) -> Fraction:
    return _cached_null(n, alpha, thresholds.band, truth.null_p10, truth.null_p01)


#: Varying one assumption leaves the other gates as they were; their regions are what takes time.
_cached_feedback = lru_cache(maxsize=256)(feedback_power)
_cached_null = lru_cache(maxsize=256)(null_power)

_cached_feedback_bounds = lru_cache(maxsize=256)(feedback_power_bounds)
_cached_null_bounds = lru_cache(maxsize=256)(null_power_bounds)

_GATES: dict[str, Callable[[int, Fraction, Thresholds, Truth], Fraction]] = {
    "recovery": _recovery,
    "adequacy": _adequacy,
    "evidence": _evidence,
    "sham": _sham,
}
_BOUNDS: dict[str, Callable[[int, Fraction, Thresholds, Truth], Bounds]] = {
    "recovery": lambda n, alpha, limits, truth: recovery_power_bounds(n, alpha, limits.rho, truth.hit_rate),
    "adequacy": lambda n, alpha, limits, truth: adequacy_power_bounds(n, alpha, limits.minimum, truth.recall),
    "evidence": lambda n, alpha, limits, truth: _cached_feedback_bounds(
        n, alpha, limits.margin, truth.p10, truth.p01
    ),
    "sham": lambda n, alpha, limits, truth: _cached_null_bounds(
        n, alpha, limits.band, truth.null_p10, truth.null_p01
    ),
}
