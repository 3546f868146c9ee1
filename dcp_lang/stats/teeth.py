"""The saw-teeth of positive controls: the sizes that tolerate the same number of failures, one tooth after another."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from math import ceil, floor
from typing import NamedTuple

from dcp_lang.stats.cumulative import GUARD, Cumulative
from dcp_lang.stats.exact import lower_tail_at_most
from dcp_lang.stats.planning import least_positive_controls

_BITS = 64 + GUARD
_ONE = 1 << _BITS


class Tooth(NamedTuple):
    """The sizes first ... last tolerate `failures` failed controls and no more; power falls from first to last."""

    first: int
    last: int
    failures: int
    chances: Cumulative

    def reaches(self, n: int, target: Fraction) -> bool:
        """Whether the power at n is >= target, exactly."""
        low, high = self.chances.at(n, self.failures)
        if low >= ceil(target * _ONE) or high < floor(target * _ONE):
            return low >= ceil(target * _ONE)
        rate = self.chances.p
        return lower_tail_at_most(n, n - self.failures - 1, 1 - rate, 1 - target)

    def power(self, n: int) -> float:
        """The power at n, correct to about 15 digits."""
        return self.chances.at(n, self.failures)[0] / _ONE


def teeth(alpha: Fraction, minimum: Fraction, recall: Fraction) -> Iterator[Tooth]:
    """The teeth from the least size on, without end; 0 < minimum, recall < 1."""
    errors, chances = Cumulative(1 - minimum, _BITS), Cumulative(1 - recall, _BITS)
    low, high = floor(alpha * _ONE), ceil(alpha * _ONE)

    def tolerates(n: int, failures: int) -> bool:
        least, most = errors.at(n, failures)
        if most <= low or least > high:
            return most <= low
        return lower_tail_at_most(n, failures, 1 - minimum, alpha)

    first = least_positive_controls(alpha, minimum)
    for failures in count():
        if first is None:
            return
        beyond = first + 1
        while not tolerates(beyond, failures + 1):
            beyond += 1
        yield Tooth(first, beyond - 1, failures, chances)
        first = beyond
