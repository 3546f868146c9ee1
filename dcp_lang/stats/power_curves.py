"""The sizes of one gate at a given alpha as a curve for `solver`: one option for each n that can be worth its cost."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count, pairwise
from math import exp, inf, log

from dcp_lang.stats.search import Effort
from dcp_lang.stats.solver import Multipliers, Option
from dcp_lang.stats.teeth import Tooth

#: Sizes, as multiples of the least one, at which a smooth curve is fitted.
_KNOTS = (1.0, 1.1, 1.25, 1.45, 1.7, 2.1, 3.0)
#: Shortfalls below this are taken for it.
_LEAST_SHORTFALL = 1e-12
#: Blocks begin at multiples of their length, at most this power of 2.
_BLOCK = 64


class SmoothCurve:
    """A stand-in for a curve when multipliers are sought: ln shortfall falls linearly between some sizes."""

    def __init__(self, cost: int, low: int, shortfall: Callable[[int], float]) -> None:
        self.cost = cost
        sizes = sorted({round(low * knot) for knot in _KNOTS} | {low + 1})
        self.knots = [(n, log(max(shortfall(n), _LEAST_SHORTFALL))) for n in sizes]

    def best(self, rates: Multipliers) -> Option:
        """About the option of least reduced cost."""
        return min(self._candidates(rates), key=rates.reduced_cost)

    def menu(self, rates: Multipliers, gap: float) -> list[Option]:
        """Only the best one: nothing is searched here."""
        return [self.best(rates)]

    def _candidates(self, rates: Multipliers) -> Iterator[Option]:
        """Of every piece the ends, and where its slope just makes up for the cost."""
        for (n, start), (end, stop) in pairwise(self.knots):
            slope, turn = (start - stop) / (end - n), float(n)
            if slope > 0 and rates.assurance > 0:
                turn = n + (start - log(self.cost / (rates.assurance * slope))) / slope
            for m in (n, min(max(round(turn), n), end), end):
                yield Option(m, self.cost * m, 0, 0.0, exp(start - slope * (m - n)))


class BlockCurve:
    """Sizes from `low` on; `floor(a, b)` is at most every shortfall on [a, b]."""

    def __init__(
        self, cost: int, low: int, shortfall: Callable[[int], float], floor: Callable[[int, int], float]
    ) -> None:
        self.cost, self.low = cost, low
        self._shortfall, self._floor = cache(shortfall), cache(floor)
        self.smooth = SmoothCurve(cost, low, self._shortfall)

    def best(self, rates: Multipliers) -> Option:
        """The option of least reduced cost."""
        return min(self.menu(rates, 0.0), key=rates.reduced_cost)

    def menu(self, rates: Multipliers, gap: float) -> list[Option]:
        """Every option whose reduced cost exceeds the least by at most `gap`."""
        found: list[tuple[float, Option]] = []
        least = rates.reduced_cost(self._option(self.smooth.best(rates).n))
        for start in count(self.low - self.low % _BLOCK, _BLOCK):
            if self.cost * max(start, self.low) > least + gap:
                break
            blocks = [(start, start + _BLOCK - 1)]
            while blocks:
                a, b = blocks.pop()
                if b < self.low or self._bound(rates, max(a, self.low), b) > least + gap:
                    continue
                if a < b:
                    middle = (a + b) // 2
                    blocks += [(middle + 1, b), (a, middle)]
                    continue
                option = self._option(a)
                worth = rates.reduced_cost(option)
                least = min(least, worth)
                found.append((worth, option))
        return [option for worth, option in found if worth <= least + gap]

    def _option(self, n: int) -> Option:
        return Option(n, self.cost * n, 0, 0.0, self._shortfall(n))

    def _bound(self, rates: Multipliers, a: int, b: int) -> float:
        """At most every reduced cost on [a, b]."""
        if a == b:
            return self.cost * a
        return self.cost * a + rates.assurance * self._floor(a, b)


class ToothCurve:
    """Positive controls: within a tooth power falls and cost rises, so its first size is the one worth having."""

    def __init__(self, cost: int, low: int, teeth: Iterator[Tooth], effort: Effort) -> None:
        self.cost, self.low = cost, low
        self._teeth, self._effort = teeth, effort
        self._options: list[Option] = []

    def best(self, rates: Multipliers) -> Option:
        """The option of least reduced cost."""
        return min(self.menu(rates, 0.0), key=rates.reduced_cost)

    def menu(self, rates: Multipliers, gap: float) -> list[Option]:
        """Every option whose reduced cost exceeds the least by at most `gap`."""
        found: list[tuple[float, Option]] = []
        least = inf
        for option in self._all():
            if option.cost > least + gap:
                break
            worth = rates.reduced_cost(option)
            least = min(least, worth)
            found.append((worth, option))
        return [option for worth, option in found if worth <= least + gap]

    def _all(self) -> Iterator[Option]:
        """The options so far, then those of further teeth."""
        yield from self._options
        for tooth in self._teeth:
            self._effort.spend()
            if tooth.first >= self.low:
                shortfall = -log(tooth.power(tooth.first))
                self._options.append(Option(tooth.first, self.cost * tooth.first, 0, 0.0, shortfall))
                yield self._options[-1]
