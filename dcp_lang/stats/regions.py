"""Acceptance regions: which outcomes pass the feedback and the null gate, row by row and exactly.

Both gates ask whether two upper Clopper-Pearson limits add up to at most a number, as pL(x) = 1 - pU(n - x). The sum is
decided on certified enclosures of the limits, and by `paired` where they do not suffice. A row is the pair (least,
greatest) of passing n10 for n01 = k, empty when least > greatest.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from dcp_lang.stats.estimate import count_estimate
from dcp_lang.stats.limits import ONE, UpperLimits, upper_limits
from dcp_lang.stats.paired import Count, separating_point
from dcp_lang.stats.search import greatest_true, last_left, least_true

Region = tuple[tuple[int, int], ...]


class _Sums:
    """Whether pU(i) of one number of trials and pU(j) of another add up to at most `most`."""

    def __init__(self, first: UpperLimits, second: UpperLimits, most: Fraction) -> None:
        self.first, self.second = first, second
        self.floor, self.ceiling = floor(most * ONE), ceil(most * ONE)

    def fit(self, i: int, j: int, exact: Callable[[], bool]) -> bool:
        """The decision; `exact` makes it where enclosures cannot."""
        for first, second in ((self.first, self.second), (self.first.narrow, self.second.narrow)):
            low, high = (a + b for a, b in zip(first(i), second(j), strict=True))
            if high <= self.floor:
                return True
            if low > self.ceiling:
                return False
        return exact()


class FeedbackRegion:
    """The losses that n feedback pairs tolerate: pL(n10) - pU(n01) >= margin.

    Of n01 reversed pairs, `lost` says how many pairs that are not truthful, reversed or concordant, may be among n. It
    falls with n01 and grows with n, so that the losses of b pairs contain those of a < b.
    """

    def __init__(self, n: int, alpha: Fraction, margin: Fraction) -> None:
        self.n, self.margin, self.tail = n, margin, alpha / 4
        self.limits = upper_limits(n, self.tail)
        self.sums = _Sums(self.limits, self.limits, 1 - margin)
        self._lost: dict[int, int] = {}

    def lost(self, k: int) -> int:
        """The most pairs that may be lost, with k of them reversed; less than k when even k are too many."""
        if k not in self._lost:
            self._lost[k] = self._most(k) if self._passes(k, k) else k - 1
        return self._lost[k]

    def row(self, k: int, trials: int | None = None) -> tuple[int, int]:
        """The passing n10 of the row n01 = k; of `trials` pairs, those with the losses that n pairs tolerate."""
        trials = self.n if trials is None else trials
        return max(trials - self.lost(k), 0), trials - k

    def edges(self, k: int) -> tuple[int, int]:
        """(least, most) n10 of the row n01 = k, not cut at n - k; both grow with k."""
        lost = self.lost(k)
        return self.n - lost if lost >= k else self.n + 1, self.n

    def _most(self, k: int) -> int:
        guess = self._lost.get(k - 1, self._lost.get(k + 1, -1))
        if guess < 0:
            guess = count_estimate(self.n, self.tail, 1 - self.margin - Fraction(self.limits(k)[1], ONE))
        return greatest_true(lambda lost: self._passes(lost, k), k, self.n, guess)

    def _passes(self, lost: int, k: int) -> bool:
        def exact() -> bool:
            first, second = Count(self.n - lost, self.n, self.tail), Count(k, self.n, self.tail)
            return separating_point(first, second, self.margin) is not None

        return self.sums.fit(lost, k, exact)


class NullRegion:
    """The outcomes of null pairs inside the band: pU(n10) - pL(n01) <= band, and the same with the arms exchanged.

    With two numbers of pairs the upper limits are those of `n` and the lower ones those of `lower_n`. Both limits fall
    with n, so for a <= b the region (n = b, lower_n = a) contains every one in [a, b], and (n = a, lower_n = b) is
    contained in them.
    """

    def __init__(self, n: int, alpha: Fraction, band: Fraction, lower_n: int | None = None) -> None:
        self.n, self.lower_n, self.band, self.tail = n, n if lower_n is None else lower_n, band, alpha / 4
        self.upper = upper_limits(n, self.tail)
        self.lower = self.upper if self.lower_n == n else upper_limits(self.lower_n, self.tail)
        self.sums = _Sums(self.upper, self.lower, 1 + band)
        self._greatest: dict[int, int] = {}
        self._least: dict[int, int] = {}

    def row(self, k: int, trials: int | None = None, shift: int = 0) -> tuple[int, int]:
        """The n10 of the row n01 = k, of `trials` pairs.

        With shift > 0 these are the outcomes that may come inside by up to `shift` more discordant pairs each way, with
        shift < 0 those that stay inside with up to so many fewer.
        """
        least = self.least(k)
        least = max(least - shift, 0) if least else 0
        most = min(self.greatest(max(k + shift, 0)), (self.n if trials is None else trials) - k)
        return least, max(most, least - 1)

    def edges(self, k: int) -> tuple[int, int]:
        """(least, most) n10 of the row n01 = k, not cut at n - k; both grow with k."""
        return self.least(k), self.greatest(k)

    def greatest(self, k: int) -> int:
        """The greatest n10 with pU(n10) - pL(k) <= band, which grows with k; -1 when there is none."""
        k = min(k, self.lower_n)
        if k not in self._greatest:
            guess = self._greatest.get(k - 1, self._greatest.get(k + 1, -1))
            if guess < 0:
                lower = 1 - Fraction(self.lower(self.lower_n - k)[1], ONE)
                guess = count_estimate(self.n, self.tail, self.band + lower)
            holds = self._holds(0, k)
            self._greatest[k] = greatest_true(lambda x: self._holds(x, k), 0, self.n, guess) if holds else -1
        return self._greatest[k]

    def least(self, k: int) -> int:
        """The least n10 with pU(k) - pL(n10) <= band, which grows with k; lower_n + 1 when there is none."""
        if k not in self._least:
            low, high = 0, self.lower_n
            guess = self._least.get(k - 1, self._least.get(k + 1, 2 * k - self.greatest(k)))
            holds = self._holds(k, high)
            self._least[k] = least_true(lambda x: self._holds(k, x), low, high, guess) if holds else high + 1
        return self._least[k]

    def last(self) -> int:
        """The greatest n01 = k with a passing cell, or -1; its best partner is n10 = min(k, n - k).

        On a block [a, b] of k, pU(k) - pL(n10) is at least pU(a) - pL(min(b, n - a)).
        """
        found = last_left(0, self.n, lambda low, high: not self._holds(low, min(high, self.n - low)))
        return -1 if found is None else found

    def _holds(self, x: int, k: int) -> bool:
        def exact() -> bool:
            first, second = Count(k, self.lower_n, self.tail), Count(x, self.n, self.tail)
            return separating_point(first, second, -self.band) is not None

        return self.sums.fit(x, self.lower_n - k, exact)


@lru_cache(maxsize=256)
def feedback_outcomes(n: int, alpha: Fraction, margin: Fraction) -> FeedbackRegion:
    """The region, with its limits remembered."""
    return FeedbackRegion(n, alpha, margin)


@lru_cache(maxsize=256)
def null_outcomes(n: int, alpha: Fraction, band: Fraction, lower_n: int | None = None) -> NullRegion:
    """The region, with its limits remembered."""
    return NullRegion(n, alpha, band, lower_n)


def feedback_region(n: int, alpha: Fraction, margin: Fraction) -> Region:
    """Outcomes of n feedback pairs whose lower paired limit is >= margin, row by row.

    The best outcome of a row has limit 1 - 2 pU(n01), which falls with n01, so the first empty row ends the region.
    """
    rows: list[tuple[int, int]] = []
    region = feedback_outcomes(n, alpha, margin)
    for k in range(n + 1):
        least, most = region.row(k)
        if least > most:
            break
        rows.append((least, most))
    return tuple(rows)


def null_region(n: int, alpha: Fraction, band: Fraction) -> Region:
    """Outcomes of n null pairs whose whole paired interval lies inside [-band, +band], row by row.

    They stay within the rows, as a passing n10 has by symmetry a row of its own.
    """
    region = null_outcomes(n, alpha, band)
    return tuple(region.row(k) for k in range(region.last() + 1))
