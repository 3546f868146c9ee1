"""How many findings of each severity there are, in how many files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.record import Record


class Summary(Record):
    """Counts of findings by severity, and of the files that have any."""

    errors: int
    warnings: int
    infos: int
    files: int

    def __str__(self) -> str:
        counts = ((self.errors, "error"), (self.warnings, "warning"), (self.infos, "note"))
        found = ", ".join(plural(count, noun) for count, noun in counts if count)
        return f"{found or 'no findings'} in {plural(self.files, 'file')}" if self.files else "no findings"


def summarize(diagnostics: Iterable[Diagnostic]) -> Summary:
    """Count findings."""
    found = tuple(diagnostics)
    by = Counter(d.severity for d in found)
    return Summary(by["error"], by["warning"], by["info"], len({d.source.name for d in found}))


def plural(count: int, noun: str) -> str:
    """``1 error``, ``2 errors``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
