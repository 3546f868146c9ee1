"""Intervals that are asked, not read: is an end at, above or below a threshold?

`mean`, `lower` and `upper` are doubles for display and for the certificate. A question is answered from them
when the threshold is farther than `SLACK` away; nearer, `settle` answers with full precision: exact rationals
in the exact view, the kernel's own doubles, bit for bit, in the kernel's view (a floating-point filter, as in
exact geometry).
"""

from collections.abc import Sequence
from fractions import Fraction
from math import fsum, inf, isfinite, log, sqrt
from operator import sub
from typing import Any

from dcp_lang.canonical import number_text
from dcp_lang.stats.bernstein import half_width_within
from dcp_lang.stats.paired import feedback_reaches, paired_interval

Number = Fraction | float

#: Far above the error of the doubles shown (about 1e-12), far below any registered margin.
SLACK = 1e-9


def exact(value: Any) -> Fraction:
    """The number that a JSON double or integer spells: the shortest decimal that reads back as that double.

    A score printed as 0.95 is 19/20, not the double's 0.9499999999999999556: the record is what was
    registered and what a reader compares, and the peers write every double in this shortest form.
    """
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


class Interval:
    """A confidence interval, or an exact value as one without width."""

    __slots__ = ("lower", "mean", "upper")

    def __init__(self, mean: float, lower: float, upper: float) -> None:
        self.mean, self.lower, self.upper = mean, lower, upper

    @property
    def bounded(self) -> bool:
        return isfinite(self.lower) and isfinite(self.upper)

    def at_least(self, threshold: Number) -> bool:
        """Lower end >= threshold."""
        return self._sign("lower", threshold) >= 0

    def above(self, threshold: Number) -> bool:
        """Lower end > threshold."""
        return self._sign("lower", threshold) > 0

    def below(self, threshold: Number) -> bool:
        """Upper end < threshold."""
        return self._sign("upper", threshold) < 0

    def at_most(self, threshold: Number) -> bool:
        """Upper end <= threshold."""
        return self._sign("upper", threshold) <= 0

    def _sign(self, end: str, threshold: Number) -> int:
        distance: float = getattr(self, end) - float(threshold)
        if abs(distance) <= SLACK:
            return self.settle(end, threshold)
        return 1 if distance > 0 else -1

    def settle(self, end: str, threshold: Number) -> int:
        """The sign of (end - threshold) near a tie: here, of the doubles as they stand."""
        return sign(getattr(self, end) - threshold)

    def text(self) -> str:
        """The interval with all the digits that a decision rests on."""
        return f"[{self.lower!r}, {self.upper!r}]"


def sign(value: Number) -> int:
    return (value > 0) - (value < 0)


def unbounded(mean: float = inf) -> Interval:
    """The interval that says nothing: an empty or unusable sample."""
    return Interval(mean, -inf, inf)


class ExactMean(Interval):
    """The mean difference of two score vectors over an exhaustive population."""

    __slots__ = ("_pair",)

    def __init__(self, left: Sequence[float], right: Sequence[float]) -> None:
        mean = fsum(map(sub, left, right)) / len(left)
        super().__init__(mean, mean, mean)
        self._pair = left, right

    @property
    def value(self) -> Fraction:
        left, right = self._pair
        return (sum(map(exact, left), Fraction()) - sum(map(exact, right), Fraction())) / len(left)

    def settle(self, end: str, threshold: Number) -> int:
        return sign(self.value - threshold)

    def text(self) -> str:
        return number_text(self.value)


class BinaryMean(ExactMean):
    """The same with each score taken as the exact value of its double."""

    __slots__ = ()

    @property
    def value(self) -> Fraction:
        left, right = self._pair
        return (sum(map(Fraction, left), Fraction()) - sum(map(Fraction, right), Fraction())) / len(left)


class KernelMean(ExactMean):
    """The same in the kernel's doubles: differences, then the mean as numpy sums it."""

    __slots__ = ()

    @property
    def double(self) -> float:
        left, right = self._pair
        return pairwise_sum(list(map(sub, map(float, left), map(float, right)))) / len(left)

    def settle(self, end: str, threshold: Number) -> int:
        return sign(self.double - threshold)

    def text(self) -> str:
        return repr(self.double)


def pairwise_sum(values: Sequence[float]) -> float:
    """The sum of numpy's reduction over contiguous doubles, bit for bit (Higham 1993, blocks of 128)."""
    n = len(values)
    if n < 8:
        return _running(0.0, values)
    if n <= 128:
        lanes = list(values[:8])
        whole = n - n % 8
        for start in range(8, whole, 8):
            lanes = [lane + values[start + k] for k, lane in enumerate(lanes)]
        a, b, c, d, e, f, g, h = lanes
        return _running(((a + b) + (c + d)) + ((e + f) + (g + h)), values[whole:])
    half = n // 2 - n // 2 % 8
    return pairwise_sum(values[:half]) + pairwise_sum(values[half:])


def _running(total: float, values: Sequence[float]) -> float:
    # Not `sum`: from Python 3.12 on it compensates, and would not round as the kernel does.
    for value in values:
        total += value
    return total


def bernstein(differences: Sequence[float], alpha: float) -> Interval:
    """The empirical Bernstein interval of values in [-1, 1], in doubles; unbounded for fewer than two."""
    n = len(differences)
    if n < 2 or not all(-1 <= value <= 1 for value in differences):
        return unbounded(fsum(differences) / n if n else inf)
    mean = fsum(differences) / n
    variance = fsum((value - mean) ** 2 for value in differences) / (n - 1)
    log_term = log(4 / alpha)
    width = sqrt(2 * variance * log_term / n) + 14 * log_term / (3 * (n - 1))
    return Interval(mean, max(-1.0, mean - width), min(1.0, mean + width))


class ExactBernstein(Interval):
    """The empirical Bernstein interval of exact differences (Maurer and Pontil 2009, Theorem 4)."""

    __slots__ = ("_alpha", "_differences")

    def __init__(self, differences: Sequence[Fraction], alpha: Fraction) -> None:
        shown = bernstein([float(value) for value in differences], float(alpha))
        super().__init__(shown.mean, shown.lower, shown.upper)
        self._differences, self._alpha = differences, alpha

    def settle(self, end: str, threshold: Number) -> int:
        """The half-width is transcendental and ties with no rational; only an end clipped to ±1 can tie."""
        side = 1 if end == "lower" else -1
        goal, mean = side * Fraction(threshold), side * self._mean()
        if goal <= -1 and not self._within(mean + 1):
            return side * sign(-1 - goal)
        return side if self._within(mean - goal) else -side

    def _mean(self) -> Fraction:
        return sum(self._differences, Fraction()) / len(self._differences)

    def _within(self, room: Fraction) -> bool:
        n, mean = len(self._differences), self._mean()
        variance = sum(((value - mean) ** 2 for value in self._differences), Fraction()) / (n - 1)
        return half_width_within(n, variance, self._alpha, Fraction(2), room)


class ExactPaired(Interval):
    """The paired-binary interval of n10 and n01 discordant pairs in n, by exact Clopper-Pearson tails."""

    __slots__ = ("_alpha", "_counts")

    def __init__(self, n10: int, n01: int, n: int, alpha: Fraction) -> None:
        lower, upper = paired_interval(n10, n01, n, alpha)
        super().__init__((n10 - n01) / n, float(lower), float(upper))
        self._counts, self._alpha = (n10, n01, n), alpha

    def settle(self, end: str, threshold: Number) -> int:
        n10, n01, n = self._counts
        goal = Fraction(threshold)
        if end == "upper":
            return -_settle_lower(n01, n10, n, self._alpha, -goal)
        return _settle_lower(n10, n01, n, self._alpha, goal)


def _settle_lower(n10: int, n01: int, n: int, alpha: Fraction, goal: Fraction) -> int:
    """The sign of (lower limit - goal): `feedback_reaches` decides >=; > shows in finitely many digits."""
    if not feedback_reaches(n10, n01, n, alpha, goal):
        return -1
    # The limit is at or above the goal. If it is above, its value rounded down is too, at enough digits.
    return next((1 for places in (15, 30, 60) if paired_interval(n10, n01, n, alpha, places)[0] > goal), 0)
