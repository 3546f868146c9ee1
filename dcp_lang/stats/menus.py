"""A gate's designs as an open-ended menu: n upward from the least that can pass, any number of options at each n."""

from collections.abc import Callable
from itertools import count

from dcp_lang.stats.solver import Multipliers, Option


class MenuCurve:
    """Options at every n from `low` to `high` (None: no end), each costing `cost` * n.

    Nothing is assumed about prices and powers: since a reduced cost is at least the cost, no n is worth a
    look once its cost alone exceeds the least reduced cost met so far plus the gap.
    """

    def __init__(
        self, options: Callable[[int], list[Option]], cost: int, low: int, high: int | None = None
    ) -> None:
        self.cost = cost
        self.low = low
        self.high = high
        self._make = options
        self._made: dict[int, list[Option]] = {}

    def best(self, rates: Multipliers) -> Option:
        """The option of least reduced cost."""
        return min(self.menu(rates, 0.0), key=rates.reduced_cost)

    def menu(self, rates: Multipliers, gap: float) -> list[Option]:
        """Every option whose reduced cost exceeds the least by at most `gap`."""
        worths: list[tuple[float, Option]] = []
        least = float("inf")
        for n in count(self.low) if self.high is None else range(self.low, self.high + 1):
            if self.cost * n > least + gap:
                break
            for option in self.options(n):
                worth = rates.reduced_cost(option)
                least = min(least, worth)
                worths.append((worth, option))
        return [option for worth, option in worths if worth <= least + gap]

    def options(self, n: int) -> list[Option]:
        """The options at n, made once."""
        if n not in self._made:
            self._made[n] = self._make(n)
        return self._made[n]
