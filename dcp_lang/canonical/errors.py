"""Why a JSON text or value was refused: a stable kind, a sentence, a place."""

from __future__ import annotations

from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal[
        "byte-order-mark",
        "carriage-return",
        "duplicate-key",
        "float-in-frozen-file",
        "integer-too-large",
        "lone-surrogate",
        "non-ascii-key",
        "not-canonical",
        "not-finite",
        "not-json-type",
        "not-utf8",
        "syntax",
        "too-deep",
        "too-large",
        "trailing-newline",
    ]
else:
    Kind = str


class StrictJsonError(ValueError):
    """A JSON text or value that the strict form refuses.

    `where` is the JSON pointer (RFC 6901) of the value in question, "" for the whole document. `offset` is
    the place in the text in characters from 0 (in bytes for not-utf8 and not-canonical), None for a value
    that was never text.
    """

    def __init__(self, kind: Kind, message: str, *, where: str = "", offset: int | None = None) -> None:
        self.kind = kind
        self.message = message
        self.where = where
        self.offset = offset
        at = f" at {where}" if where else ""
        place = f" (offset {offset})" if offset is not None else ""
        super().__init__(f"{message}{at}{place} [{kind}]")


def pointer(path: list[str | int]) -> str:
    """The JSON pointer of a path of keys and indices, RFC 6901 section 3."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
