"""Integer searches over a monotone predicate, shared by bounds (grid points) and planning (sample sizes).

And the limit on the work of any search, counted in steps, so that it ends at the same place on every machine.
"""

from collections.abc import Callable


class EffortError(Exception):
    """The work would take longer than it may."""


class Effort:
    """How many steps are left."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> None:
        """Take steps off; raises `EffortError` when there are not as many."""
        self.left -= steps
        if self.left < 0:
            raise EffortError

    def foresee(self, steps: int) -> None:
        """Raises `EffortError` when there are not as many left, before any is taken in vain."""
        if self.left < steps:
            raise EffortError


def least_true(holds: Callable[[int], bool], low: int, high: int, guess: int | None = None) -> int:
    """The least m in [low, high] with holds(m), for `holds` false then true and holds(high) true.

    A good `guess` costs two or three evaluations: the bracket around it doubles until it contains the change.
    """
    step = 1
    if guess is not None:
        middle = min(max(guess, low), high)
        if middle == high or holds(middle):
            high = middle
            while low < high and holds(max(low, high - step)):
                high, step = max(low, high - step), 2 * step
            low = max(low, high - step + 1)
        else:
            low = middle + 1
            while low < high and not holds(min(high, low + step - 1)):
                low, step = min(high, low + step), 2 * step
            high = min(high, low + step - 1)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def greatest_true(holds: Callable[[int], bool], low: int, high: int, guess: int | None = None) -> int:
    """The greatest m in [low, high] with holds(m), for `holds` true then false and holds(low) true."""
    mirrored = None if guess is None else -guess
    return -least_true(lambda m: holds(-m), -high, -low, mirrored)


def first_left(low: int, high: int, excludes: Callable[[int, int], bool]) -> int | None:
    """The least m in [low, high] that is not excluded; None when all are. Needs no monotone predicate.

    `excludes(a, b)` may prove that no m in [a, b] qualifies and must be exact when a = b. Blocks halve when they
    cannot be excluded, and double after two in a row that can.
    """
    size, grown = (high - low + 4) // 4, False
    while low <= high:
        last = min(high, low + size - 1)
        if excludes(low, last):
            low, size, grown = last + 1, 2 * size if grown else size, not grown
        elif low == last:
            return low
        else:
            size, grown = (last - low + 1) // 2, False
    return None


def last_left(low: int, high: int, excludes: Callable[[int, int], bool]) -> int | None:
    """The greatest m in [low, high] that is not excluded; None when all are. See `first_left`."""
    found = first_left(-high, -low, lambda first, last: excludes(-last, -first))
    return None if found is None else -found
