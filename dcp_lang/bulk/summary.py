"""The table under the findings of many files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dcp_lang.diagnostics.summary import plural
from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from dcp_lang.bulk.wire import Row


class Tally:
    """Counts files and findings while they pass by; keeps no finding."""

    def __init__(self) -> None:
        self.files = 0
        self.faulty = 0
        self.errors = 0
        self._codes: Counter[tuple[str, str]] = Counter()
        self._files: Counter[str] = Counter()

    def add(self, rows: Sequence[Row]) -> None:
        """Count one file by its packed findings."""
        errors = sum(severity == "error" for _, _, severity, *_ in rows)
        self.files += 1
        self.errors += errors
        self.faulty += errors > 0
        codes = [(code, name) for code, name, *_ in rows]
        self._codes.update(codes)
        self._files.update({code for code, _ in codes})

    def table(self) -> str:
        """How many files are sound, and how often each code was found in how many files."""
        sound = self.files - self.faulty
        lines = [f"{plural(self.files, 'file')}: {sound} sound, {self.faulty} with errors"]
        rows = sorted(self._codes.items(), key=lambda row: (-row[1], row[0]))
        for (code, name), count in rows:
            lines.append(f"  {code}  {name:<36} {count:>6} in {plural(self._files[code], 'file')}")
        return "\n".join(lines)
