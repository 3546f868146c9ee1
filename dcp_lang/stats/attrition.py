"""Losses: slots to start so that enough runs are valid, and whether an arm stays within its failure cap."""

from fractions import Fraction
from math import ceil, floor

from dcp_lang.stats.exact import binomial_lower_tail, lower_tail_at_most
from dcp_lang.stats.planning import MAX_N
from dcp_lang.stats.search import least_true


def slots_on_average(n: int, loss: Fraction) -> int:
    """The least number of slots whose expected valid runs reach n, loss rate in [0, 1): ceil(n / (1 - loss)).

    About half the time this is too few; n (1 + loss) always is.
    """
    return ceil(n / (1 - loss))


def slots_assured(n: int, loss: Fraction, assurance: Fraction) -> int | None:
    """The least number of slots that leave n valid runs with probability >= assurance, losses independent.

    Pr(Bin(slots, 1 - loss) <= n - 1) <= 1 - assurance falls with slots. Starting replacements after
    infrastructure losses costs no alpha in the zero-hit gate (see `sequential`). None beyond MAX_N or when
    nothing suffices.
    """

    def holds(slots: int) -> bool:
        return lower_tail_at_most(slots, n - 1, 1 - loss, 1 - assurance)

    return least_true(holds, n, MAX_N, slots_on_average(n, loss)) if holds(MAX_N) else None


def arm_health(n: int, cap: Fraction, failure_rate: Fraction) -> Fraction:
    """Pr(the failures of n runs stay within a cap on their rate): Pr(Bin(n, rate) <= floor(cap n))."""
    return binomial_lower_tail(n, floor(cap * n), failure_rate)
