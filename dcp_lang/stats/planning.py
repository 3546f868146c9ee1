"""Least sample sizes and tolerances of the four gates, exact up to MAX_N.

`least_...` is the least n whose stated outcome passes its gate; it returns None when there is none up to
MAX_N, and `obstacle` then tells an infeasible request (no n exists, with the inequality that forbids it) from
one beyond the cap. `tolerated_...` turns the question round: the worst outcome that still passes at a given
n. All alphas are the whole error of the gate, 0 < alpha < 1; the tails follow from the rule (see
`certificate`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil

from dcp_lang.record import Record
from dcp_lang.stats.bounds import ceiling_reaches, recall_reaches, zero_failure_reaches
from dcp_lang.stats.estimate import count_estimate, log_of_rest, natural_log, upper_estimate
from dcp_lang.stats.paired import Count, feedback_reaches, null_within, separating_point
from dcp_lang.stats.search import first_left, greatest_true, least_true

#: No sample size beyond this is searched for; ten million sessions are beyond any audit.
MAX_N = 10**7


class Obstacle(Record):
    """Why no sample size exists: `kind` is "infeasible" or "beyond-cap", `inequality` what must hold."""

    kind: str
    inequality: str


_FEASIBLE: dict[str, tuple[str, Callable[[Fraction], bool]]] = {
    "zero-failure": ("0 < rho", lambda rho: rho > 0),
    "recall": ("minimum < 1", lambda minimum: minimum < 1),
    "feedback": ("delta_evidence + delta_sham < 1", lambda margin: margin < 1),
    "null": ("0 < delta_sham", lambda band: band > 0),
    "bernstein": ("0 < half-width", lambda target: target > 0),
}


def obstacle(rule: str, threshold: Fraction) -> Obstacle:
    """What stands in the way when the least n of `rule` is None for this threshold, alpha being positive.

    Rules: zero-failure (rho), recall (minimum), feedback (margin), null (band), bernstein (half-width).
    """
    inequality, holds = _FEASIBLE[rule]
    return Obstacle("beyond-cap", f"n <= {MAX_N}") if holds(threshold) else Obstacle("infeasible", inequality)


def _least(holds: Callable[[int], bool], low: int, guess: float | Fraction) -> int | None:
    """The least n in [low, MAX_N] with holds(n), monotone in n: doubles up from the guess, then narrows."""
    holds = cache(holds)
    start = high = ceil(min(max(guess, low), MAX_N))
    while high < MAX_N and not holds(high):
        high = min(MAX_N, 2 * high)
    if low > MAX_N or not holds(high):
        return None
    return least_true(holds, low, high, start)


# Least sizes are remembered: an editor asks the same after every edit that leaves the gate alone.
@lru_cache(maxsize=1024)
def least_episodes(alpha: Fraction, rho: Fraction) -> int | None:
    """The least n with (1 - rho)**n <= alpha: episodes whose zero hits bound p_B by rho (paper, Gate 2)."""
    if rho >= 1:
        return 1
    if rho <= 0 or alpha <= 0:
        return None
    return _least(lambda n: zero_failure_reaches(n, alpha, rho), 1, natural_log(alpha) / log_of_rest(rho))


@lru_cache(maxsize=1024)
def least_positive_controls(alpha: Fraction, minimum: Fraction, failures: int = 0) -> int | None:
    """The least n whose lower bound on recall with this many failures is >= minimum (paper, Gate 2 adequacy).

    Pr(Bin(n, minimum) >= n - failures) falls with n, so the search is monotone.
    """
    if minimum >= 1 or alpha <= 0:
        return None
    if minimum <= 0:
        return max(1, failures)
    guess = least_episodes(alpha, 1 - minimum) or MAX_N
    return _least(
        lambda n: recall_reaches(n - failures, n, alpha, minimum),
        max(1, failures),
        guess + failures / (1 - minimum),
    )


@lru_cache(maxsize=1024)
def least_pairs(alpha: Fraction, margin: Fraction, concordant: int = 0, reversed_: int = 0) -> int | None:
    """The least n of feedback pairs that reaches the margin with these many concordant and reversed pairs.

    The other n - concordant - reversed_ pairs favour truthful feedback (paper, Gate 3). More pairs raise pL
    and lower pU, so the search is monotone.
    """
    if margin >= 1 or alpha <= 0:
        return None
    lost = concordant + reversed_

    def holds(n: int) -> bool:
        return feedback_reaches(n - lost, reversed_, n, alpha, margin)

    if margin <= -1:
        return max(1, lost)
    guess = least_episodes(alpha / 4, (1 - margin) / 2) or MAX_N
    return _least(holds, max(1, lost), guess + 2 * lost / (1 - margin))


@lru_cache(maxsize=1024)
def least_null_pairs(alpha: Fraction, band: Fraction, n10: int = 0, n01: int = 0) -> int | None:
    """The least n of null pairs whose interval with n10 and n01 discordant pairs lies inside [-band, +band].

    Both limits shrink with n, but their difference need not be monotone, so a bisection is only a candidate:
    the sizes below it are then excluded block by block (`_excludes`), which proves the least n. Without discordant
    pairs the lower limits are 0, and it is the least.
    """
    if band <= 0 or alpha <= 0:
        return None
    if band >= 1:
        return max(1, n10 + n01)
    first = max(1, n10 + n01)
    guess = (least_episodes(alpha / 4, band) or MAX_N) + 2 * max(n10, n01) / band
    found = _least(lambda n: null_within(n10, n01, n, alpha, band), first, guess)
    if found is None or n10 == n01 == 0:
        return found
    return (
        first_left(first, found - 1, lambda low, high: _excludes(n10, n01, low, high, alpha, band)) or found
    )


def _excludes(n10: int, n01: int, low: int, high: int, alpha: Fraction, band: Fraction) -> bool:
    """Whether no n in [low, high] is inside the band.

    pU(n10; n) - pL(n01; n) is at least pU(n10; high) - pL(n01; low) there, since both limits fall with n; the
    same holds with the arms exchanged. For low == high this is the exact decision.
    """
    tail = alpha / 4
    return (
        separating_point(Count(n01, low, tail), Count(n10, high, tail), -band) is None
        or separating_point(Count(n10, low, tail), Count(n01, high, tail), -band) is None
    )


def continuous_null_pairs(alpha: Fraction, band: Fraction) -> int | None:
    """The least n of null pairs on a continuous utility of zero variance: 14 ln(4/alpha)/(3(n-1)) <= band."""
    return least_units(Fraction(0), alpha, Fraction(2), band)


def least_units(variance: Fraction, alpha: Fraction, width: Fraction, target: Fraction) -> int | None:
    """The least n >= 2 whose empirical Bernstein half-width is <= target; it falls with n."""
    from dcp_lang.stats.bernstein import half_width_within, least_units_guess  # only for continuous scores

    if target <= 0 or alpha <= 0:
        return None
    guess = least_units_guess(variance, alpha, width, target)
    return _least(lambda n: half_width_within(n, variance, alpha, width, target), 2, guess)


def tolerated_failures(n: int, alpha: Fraction, minimum: Fraction) -> int | None:
    """The most failed positive controls out of n that still reach the minimum; None when n/n does not."""
    guess = count_estimate(n, alpha, 1 - minimum)
    return _tolerated(lambda f: recall_reaches(n - f, n, alpha, minimum), n, guess)


def tolerated_concordant(n: int, alpha: Fraction, margin: Fraction) -> int | None:
    """The most concordant pairs out of n, the others truthful, that still reach the margin.

    None when none reach it.
    """
    guess = count_estimate(n, alpha / 4, 1 - margin - Fraction(upper_estimate(0, n, alpha / 4)))
    return _tolerated(lambda k: feedback_reaches(n - k, 0, n, alpha, margin), n, guess)


def tolerated_discordant(n: int, alpha: Fraction, band: Fraction) -> int | None:
    """The greatest k such that every null outcome with n10 <= k and n01 <= k stays inside the band.

    None if 0 does not.

    pU(n10) - pL(n01) is worst at n10 = k, n01 = 0, where pL is 0: one tail at alpha/4 decides.
    """
    guess = count_estimate(n, alpha / 4, band)
    return _tolerated(lambda k: ceiling_reaches(k, n, alpha / 4, band), n // 2, guess)


def _tolerated(holds: Callable[[int], bool], most: int, guess: int) -> int | None:
    return greatest_true(holds, 0, most, guess) if holds(0) else None
