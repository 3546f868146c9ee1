"""A limit on the work of a search, counted in steps, so that it ends at the same place on every machine."""


class EffortError(Exception):
    """The search would take longer than it may."""


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
