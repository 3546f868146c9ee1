"""The price of a design point: the least alpha at which the worst tolerated outcome still passes its gate.

An error budget is enough for a design exactly when its prices fit into it. Most prices are a factor times one
binomial tail; the factor is 1 for one-sided rules and 4 for the paired interval, which gives alpha/4 to each
tail.
"""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, exp
from typing import NamedTuple, Protocol

from dcp_lang.stats.bernstein import half_width_within
from dcp_lang.stats.estimate import paired_price_estimate
from dcp_lang.stats.exact import lower_tail_estimate, scaled_tail_ceiling
from dcp_lang.stats.paired import feedback_reaches
from dcp_lang.stats.search import least_true


class Price(Protocol):
    """A price as a function of n: falling and, if `is_convex`, in ever smaller steps once it is below 1/2."""

    @property
    def is_convex(self) -> bool: ...

    @property
    def first_n(self) -> int:
        """The least n for which the outcome exists."""
        ...

    def units(self, n: int, scale: int) -> int:
        """The price of n in units of 1/scale, rounded up; scale when nothing short of certainty suffices."""
        ...

    def estimate(self, n: int) -> float:
        """The price of n in floats, at most the certified one up to rounding."""
        ...


class TailPrice(NamedTuple):
    """factor * Pr(Bin(n, rate) <= misses).

    Convex where it matters: the step from n to n + 1 is rate * Pr(Bin(n, rate) = misses), which falls with n
    once n >= misses / rate, and a tail below 1/2 implies that (its median is near n * rate).
    """

    factor: int
    misses: int
    rate: Fraction

    @property
    def is_convex(self) -> bool:
        return True

    @property
    def first_n(self) -> int:
        return max(1, self.misses)

    def units(self, n: int, scale: int) -> int:
        return min(scale, scaled_tail_ceiling(n, self.misses, self.rate, self.factor * scale))

    def estimate(self, n: int) -> float:
        return self.factor * lower_tail_estimate(n, self.misses, self.rate)


class PairedPrice(NamedTuple):
    """The feedback gate when it must tolerate all these (concordant, reversed) losses: the dearest counts."""

    margin: Fraction
    losses: tuple[tuple[int, int], ...]

    @property
    def is_convex(self) -> bool:
        return False

    @property
    def first_n(self) -> int:
        return max(1, *(concordant + reversed_ for concordant, reversed_ in self.losses))

    def units(self, n: int, scale: int) -> int:
        return max(self._units(n, scale, *loss) for loss in self.losses)

    def estimate(self, n: int) -> float:
        return max(paired_price_estimate(n, *loss, float(self.margin)) for loss in self.losses)

    def _units(self, n: int, scale: int, concordant: int, reversed_: int) -> int:
        def passes(units: int) -> bool:
            alpha = Fraction(units, scale)
            return feedback_reaches(n - concordant - reversed_, reversed_, n, alpha, self.margin)

        guess = paired_price_estimate(n, concordant, reversed_, float(self.margin))
        return _least_units(passes, scale, guess)


class HalfWidthPrice(NamedTuple):
    """Pairs on a continuous utility of zero variance: 14 ln(4/alpha) / (3 (n - 1)) <= target."""

    target: Fraction

    @property
    def is_convex(self) -> bool:
        return True

    @property
    def first_n(self) -> int:
        return 2

    def units(self, n: int, scale: int) -> int:
        def passes(units: int) -> bool:
            return half_width_within(n, Fraction(0), Fraction(units, scale), Fraction(2), self.target)

        return _least_units(passes, scale, self.estimate(n))

    def estimate(self, n: int) -> float:
        return 4 * exp(-3 * (n - 1) * float(self.target) / 14)


def _least_units(passes: Callable[[int], bool], scale: int, guess: float) -> int:
    """The least units with passes(units), in [1, scale].

    Scale itself is not tested, as it stands for "never".
    """
    return least_true(lambda units: units == scale or passes(units), 1, scale, ceil(min(guess, 1.0) * scale))


def zero_hit_price(rho: Fraction) -> TailPrice:
    """(1 - rho)**n: zero hits bound p_B by rho."""
    return TailPrice(1, 0, rho)


def recall_price(minimum: Fraction, failures: int = 0) -> TailPrice:
    """Pr(Bin(n, 1 - minimum) <= failures): recall reaches the minimum with that many failed controls."""
    return TailPrice(1, failures, 1 - minimum)


def feedback_price(margin: Fraction, losses: tuple[tuple[int, int], ...] = ((0, 0),)) -> Price:
    """The price of the margin with every one of these (concordant, reversed) losses.

    Without concordant pairs both tails are equal at c = (1 - margin)/2, so one tail remains.
    """
    reversed_ = max(count for _, count in losses)
    if all(concordant == 0 for concordant, _ in losses):
        return TailPrice(4, reversed_, (1 - margin) / 2)
    return PairedPrice(margin, losses)


def null_price(band: Fraction, discordant: int = 0) -> TailPrice:
    """4 Pr(Bin(n, band) <= discordant): inside the band whenever n10 and n01 are both <= discordant."""
    return TailPrice(4, discordant, band)
