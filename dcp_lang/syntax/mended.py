"""What a faulty place of the text is taken for, so that reading goes on as if it had been written right."""

from __future__ import annotations

from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.record import Record


class Mended(Record):
    """The text from `start` to `end` counts as a token of terminal `kind` (None for no token at all).

    Tokens that were read from `start` on are replaced. `spelling` is what the token should have been, when
    that differs from what is written; `fault` is what to report.
    """

    kind: int | None
    start: int
    end: int
    fault: Diagnostic | None = None
    spelling: str | None = None
