"""Sample sizes with an assurance: the first n whose power reaches a target, and the safe n above the last miss.

Power is saw-toothed in n: it drops while the tolerance stands and jumps when one more loss becomes tolerable,
so the first n and the safe n differ. Both searches exclude whole blocks [a, b] of n: the losses of b trials
dominate those of a trials, and an outcome that passes at a passes with the same losses at b. Beyond a horizon
Hoeffding's inequality keeps power above the target for every n, which ends the search for the safe n.

The zero-hit gate has no safe n for p_B > 0, since its power (1 - p_B)**n falls for ever: use its least n
exactly.
"""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, sqrt
from typing import NamedTuple

from dcp_lang.stats.bounds import ceiling_reaches
from dcp_lang.stats.estimate import natural_log
from dcp_lang.stats.exact import lower_tail_at_most
from dcp_lang.stats.paired import Count, feedback_reaches, separating_point
from dcp_lang.stats.planning import (
    MAX_N,
    least_null_pairs,
    least_pairs,
    least_positive_controls,
    tolerated_concordant,
    tolerated_failures,
)
from dcp_lang.stats.power import feedback_power, null_power
from dcp_lang.stats.search import first_left, last_left, least_true


class AssuredN(NamedTuple):
    """Where power reaches a target.

    first: least n with power >= target. safe: least n from which every larger n has it. horizon: where Hoeffding's
    inequality takes over.
    """

    first: int
    safe: int
    horizon: int


class _Rule(NamedTuple):
    """One gate under one truth.

    falls_short(a, b) proves power < target on [a, b], suffices(a, b) proves power >= target on it; both are exact when
    a = b.
    """

    least: int | None
    horizon: float
    falls_short: Callable[[int, int], bool]
    suffices: Callable[[int, int], bool]


def assured_positive_controls(
    alpha: Fraction, minimum: Fraction, recall: Fraction, target: Fraction
) -> AssuredN | None:
    """First and safe n of positive controls for a true recall; None when recall <= minimum or beyond MAX_N.

    Hoeffding: x/n >= minimum + sqrt(ln(1/alpha)/(2n)) passes, and x/n >= recall - sqrt(ln(1/(1-target))/(2n))
    with probability >= target.
    """

    def reaches(tolerant: int, n: int) -> bool:
        failures = tolerated_failures(tolerant, alpha, minimum)
        return failures is not None and _within(n, failures, 1 - recall, target)

    spread = sqrt(-natural_log(alpha)) + sqrt(-natural_log(1 - target))
    return _assured(
        _Rule(
            least_positive_controls(alpha, minimum),
            _horizon(spread, recall - minimum, 0.5),
            lambda a, b: not reaches(b, a),
            lambda a, b: reaches(a, b),
        )
    )


def assured_pairs(
    alpha: Fraction, margin: Fraction, p10: Fraction, p01: Fraction, target: Fraction
) -> AssuredN | None:
    """First and safe n of feedback pairs for true discordance probabilities; None when p10 - p01 <= margin.

    Hoeffding: the paired limit is >= (n10 - n01)/n - 2 sqrt(ln(4/alpha)/(2n)), and differences lie in [-1,
    1].
    """

    def exact(n: int) -> bool:
        return feedback_power(n, alpha, margin, p10, p01) >= target

    def falls_short(a: int, b: int) -> bool:
        lost = tolerated_concordant(b, alpha, margin)
        return lost is None or not _within(a, lost, 1 - p10, target) or (a == b and not exact(a))

    def suffices(a: int, b: int) -> bool:
        half = (1 + target) / 2
        lost, reversed_ = _quantile(b, 1 - p10, half), _quantile(b, p01, half)
        easy = lost <= a and feedback_reaches(a - lost, reversed_, a, alpha, margin)
        return easy or (a == b and exact(a))

    spread = sqrt(natural_log(4 / alpha)) + sqrt(-natural_log(1 - target))
    least = least_pairs(alpha, margin)
    return _assured(_Rule(least, _horizon(spread, p10 - p01 - margin, 2.0), falls_short, suffices))


def assured_null_pairs(
    alpha: Fraction, band: Fraction, p10: Fraction, p01: Fraction, target: Fraction
) -> AssuredN | None:
    """First and safe n of null pairs for true discordance probabilities.

    None when one of them reaches the band.

    Blocks use boxes: n10 and n01 <= k pass when pU(k) <= band, and an outcome that passes somewhere in [a, b]
    has both counts <= K, the greatest k with pU(k; b) - pL(k; a) <= band. Hoeffding is applied to the box,
    one side each.
    """

    def exact(n: int) -> bool:
        return null_power(n, alpha, band, p10, p01) >= target

    def falls_short(a: int, b: int) -> bool:
        box = _outer_box(a, b, alpha / 4, band)
        return not _within(a, box, max(p10, p01), target) or (a == b and not exact(a))

    def suffices(a: int, b: int) -> bool:
        k = max(_quantile(b, p10, (1 + target) / 2), _quantile(b, p01, (1 + target) / 2))
        return ceiling_reaches(k, a, alpha / 4, band) or (a == b and exact(a))

    spread = sqrt(natural_log(4 / alpha)) + sqrt(-natural_log((1 - target) / 2))
    least = least_null_pairs(alpha, band)
    return _assured(_Rule(least, _horizon(spread, band - max(p10, p01), 0.5), falls_short, suffices))


def _assured(rule: _Rule) -> AssuredN | None:
    if rule.least is None or rule.horizon > MAX_N:
        return None
    horizon = max(ceil(rule.horizon), rule.least)
    first = first_left(rule.least, horizon, rule.falls_short)
    failing = last_left(rule.least, horizon, rule.suffices)
    safe = rule.least if failing is None else failing + 1
    return AssuredN(safe if first is None else first, safe, horizon)


def _horizon(spread: float, distance: Fraction, factor: float) -> float:
    """factor (spread / distance)**2, one percent up to cover rounding; infinite without a distance."""
    return 1.01 * factor * (spread / float(distance)) ** 2 + 1 if distance > 0 else float("inf")


def _within(n: int, most: int, rate: Fraction, target: Fraction) -> bool:
    """Whether Pr(Bin(n, rate) <= most) >= target, decided on the complementary tail."""
    return lower_tail_at_most(n, n - most - 1, 1 - rate, 1 - target)


def _quantile(n: int, rate: Fraction, probability: Fraction) -> int:
    """The least k with Pr(Bin(n, rate) <= k) >= probability."""
    guess = float(rate) * n + 2 * sqrt(n * float(rate * (1 - rate)))
    return least_true(lambda k: _within(n, k, rate, probability), 0, n, ceil(guess))


def _outer_box(a: int, b: int, tail: Fraction, band: Fraction) -> int:
    """The greatest k within the band when pU is taken at b pairs and pL at a.

    No outcome inside the band on [a, b] has a greater count.
    """

    def excludes(low: int, high: int) -> bool:
        return separating_point(Count(high, a, tail), Count(low, b, tail), -band) is None

    found = last_left(0, a, excludes)
    return -1 if found is None else found
