"""What reading one source has found so far, so that one mistake is reported once."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import NoReturn

from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.source import SourceFile
from dcp_lang.syntax import faults

#: Most faults of one source that are reported one by one.
MAX_FAULTS = 100


class EnoughError(Exception):
    """The source has more faults than are reported, or more of something than is read."""


class Findings:
    """Collects faults, with where they start, until they are passed on to a sink."""

    def __init__(self, source: SourceFile, sink: Sink) -> None:
        self.source = source
        self._sink = sink
        self._starts: list[int] = []
        self._found: list[Diagnostic] = []

    def add(self, fault: Diagnostic) -> None:
        """Report a fault. At the cap, report that there are more and raise `EnoughError`."""
        if len(self._starts) == MAX_FAULTS:
            self.give_up(faults.too_many_faults(self.source, fault.span))
        insort(self._starts, fault.span.start)
        self._found.append(fault)

    def give_up(self, fault: Diagnostic) -> NoReturn:
        """Report why nothing is read from here on, and raise `EnoughError`."""
        self._found.append(fault)
        raise EnoughError

    def retract(self, start: int) -> None:
        """Forget the faults that start at an offset or after it."""
        del self._starts[bisect_left(self._starts, start) :]
        self._found = [fault for fault in self._found if fault.span.start < start]

    def flush(self) -> None:
        """Pass all faults on."""
        for fault in self._found:
            self._sink.add(fault)

    def within(self, start: int, end: int) -> bool:
        """Whether a fault starts at `start` or later and before `end`."""
        at = bisect_left(self._starts, start)
        return at < len(self._starts) and self._starts[at] < end

    def __len__(self) -> int:
        return len(self._starts)
