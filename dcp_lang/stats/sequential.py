"""Stopping early: what may be stopped without costing alpha, what it saves, and what may not.

The zero-hit bound is anytime-valid while there are no hits: the statement p <= 1 - alpha**(1/n) can only be
false for some n if the first n* episodes have no hit, n* being the least n with (1-p)**n < alpha, and that
has probability (1-p)**n* < alpha. So stopping at the first qualified witness, or extending after lost
episodes, costs nothing. It is false for any rule that tolerates a failure: adding positive controls until
they pass inflates its error (`extension_error`).
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from dcp_lang.stats.bounds import zero_failure_bound
from dcp_lang.stats.exact import EXACT_UP_TO, binomial_lower_tail, power_bounds, power_equals
from dcp_lang.stats.planning import least_episodes, tolerated_failures


def expected_episodes(n: int, hit_rate: Fraction) -> Fraction:
    """Expected episodes when the authority stops at the first hit, at most n: (1 - (1-p)**n) / p."""
    return (1 - (1 - hit_rate) ** n) / hit_rate if hit_rate else Fraction(n)


def expected_episodes_bound(n: int, hit_rate: Fraction) -> Fraction:
    """`expected_episodes`, exact up to `EXACT_UP_TO`, else rounded up by less than 10**-20 / p."""
    if n <= EXACT_UP_TO or not hit_rate:
        return expected_episodes(n, hit_rate)
    return (1 - power_bounds(1 - hit_rate, n)[0]) / hit_rate


def anytime_error(alpha: Fraction, hit_rate: Fraction) -> Fraction | None:
    """Pr(at some n there is no hit yet and 1 - alpha**(1/n) < hit_rate), always below alpha.

    None beyond the cap.
    """
    n = least_episodes(alpha, hit_rate)
    if n is None:
        return None
    n += power_equals(1 - hit_rate, n, alpha)
    return (1 - hit_rate) ** n


def first_hit_bounds(episode: int, alpha: Fraction, places: int = 12) -> tuple[Fraction, Fraction]:
    """One-sided 1 - alpha bounds (lower, upper) on p after the first hit at `episode` >= 1, rounded outward.

    Lower: 1 - (1-alpha)**(1/episode). Upper: 1 - alpha**(1/(episode-1)), 1 at the first episode. They are to
    be reported; a hit never certifies.
    """
    above = zero_failure_bound(episode, 1 - alpha, places)
    exact = power_equals(1 - above, episode, 1 - alpha)
    lower = above if exact else above - Fraction(1, 10**places)
    return lower, zero_failure_bound(episode - 1, alpha, places) if episode > 1 else Fraction(1)


def extension_error(most: int, alpha: Fraction, minimum: Fraction, recall: Fraction) -> Fraction:
    """Pr(the recall bound reaches the minimum at some n <= most) when controls are added until it does.

    At recall = minimum this is the error of that practice; a fixed n keeps it at or below alpha.
    """
    open_, passed = {0: Fraction(1)}, Fraction(0)
    for n in range(1, most + 1):
        tolerated = tolerated_failures(n, alpha, minimum)
        step: dict[int, Fraction] = {}
        for failures, chance in open_.items():
            step[failures] = step.get(failures, Fraction(0)) + chance * recall
            step[failures + 1] = step.get(failures + 1, Fraction(0)) + chance * (1 - recall)
        passing = [failures for failures in step if tolerated is not None and failures <= tolerated]
        passed += sum(step.pop(failures) for failures in passing)
        open_ = step
    return passed


def expected_controls(n: int, failures: int, recall: Fraction) -> Fraction:
    """Expected positive controls when the series stops at the first failure beyond the tolerated ones."""
    return sum((binomial_lower_tail(i, failures, 1 - recall) for i in range(n)), start=Fraction(0))


class Stage(NamedTuple):
    """A gate run in sequence: its expected cost, and the probability that it passes."""

    name: str
    cost: Fraction
    passes: Fraction


def expected_cost(stages: Sequence[Stage]) -> Fraction:
    """Expected cost when the audit ends at the first gate that fails."""
    total, reached = Fraction(0), Fraction(1)
    for stage in stages:
        total += reached * stage.cost
        reached *= stage.passes
    return total


def cheapest_order(stages: Sequence[Stage]) -> list[Stage]:
    """The order of least expected cost: ascending cost / Pr(fail), by exchange of neighbours.

    Certain passes last.
    """
    certain = [stage for stage in stages if stage.passes == 1]
    doubtful = [stage for stage in stages if stage.passes < 1]
    return sorted(doubtful, key=lambda stage: stage.cost / (1 - stage.passes)) + certain
