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


class Count:
    """Counts findings while they pass by."""

    def __init__(self) -> None:
        self.findings = 0
        self._by: Counter[str] = Counter()
        self._files: set[str] = set()

    def add(self, d: Diagnostic) -> None:
        """Count one more."""
        self.findings += 1
        self._by[d.severity] += 1
        self._files.add(d.source.name)

    def summary(self) -> Summary:
        """What was counted so far."""
        return Summary(self._by["error"], self._by["warning"], self._by["info"], len(self._files))


def summarize(diagnostics: Iterable[Diagnostic]) -> Summary:
    """Count findings."""
    count = Count()
    for d in diagnostics:
        count.add(d)
    return count.summary()


def plural(count: int, noun: str) -> str:
    """``1 error``, ``2 errors``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
