"""What was found out before, for as long as it takes little room."""

from __future__ import annotations

from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any


class Memory(dict["Hashable", "Any"]):
    """A dictionary that forgets everything when what is kept would weigh more than `most`."""

    __slots__ = ("most", "weight")

    def __init__(self, most: int) -> None:
        self.most = most
        self.weight = 0

    def keep(self, key: Hashable, value: Any, weight: int = 1) -> None:
        """Remember a value, unless it alone weighs too much; another value of a known key weighs the same."""
        if key in self:
            self[key] = value
        elif weight <= self.most:
            if self.weight + weight > self.most:
                self.clear()
            self[key] = value
            self.weight += weight

    def clear(self) -> None:
        """Forget everything."""
        super().clear()
        self.weight = 0
