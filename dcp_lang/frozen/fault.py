"""What is wrong with a frozen registration, and where."""

from __future__ import annotations

from collections.abc import Iterable


class FrozenFault(ValueError):
    """One fault: the JSON pointer (RFC 6901) of its place, and a sentence with what is there and what
    must be.
    """

    def __init__(self, place: str, message: str) -> None:
        self.pointer, self.message = place, message
        super().__init__(f"{place or 'the file'}: {message}")


def pointer(steps: Iterable[str | int]) -> str:
    """The JSON pointer of a path of keys and indices: `/fields/thresholds.rho/value`."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
