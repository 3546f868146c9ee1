"""Many submissions: what has not changed is answered from the cache, the rest is checked by all processors."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Sequence

from dcp_lang.bulk.cache import Answer, Cache, key_of, still_holds
from dcp_lang.bulk.check import Options, check_bytes, not_read, source_of
from dcp_lang.bulk.pool import MOST, fork_map, processors
from dcp_lang.bulk.submission import Submission
from dcp_lang.bulk.wire import pack, unpack
from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.workspace import DiskWorkspace

if TYPE_CHECKING:
    from typing import Any

#: Files and bytes that are in memory at a time: as many as the workers take before they end, with what they learnt.
BATCH, BATCH_BYTES = MOST, 2**24
#: From this many files on that must be checked, all processors are used.
PARALLEL_FROM = 32
#: How findings are shown: as text without or with colour, or not as text.
PLAIN, COLOR, DATA = "plain", "color", ""


class Checked(Record):
    """A submission, its bytes, and what was found."""

    submission: Submission
    data: bytes
    answer: Answer

    def findings(self) -> list[Diagnostic]:
        """What was found."""
        rows, path = self.answer.rows, self.submission.path
        return unpack(rows, source_of(path, self.data), self.answer.others) if rows else []


class _Read(Record):
    """A submission as it was read: its bytes, or why there are none, and the key of its answer."""

    submission: Submission
    data: bytes = b""
    fault: OSError | None = None
    key: bytes = b""


def check_all(
    submissions: Sequence[Submission], options: Options, cache: str = "", paint: str = DATA
) -> Iterator[Checked]:
    """Every submission with what was found, in the order given; memory does not grow with their number.

    `cache` is the file of answers, or none; `paint` is how the findings will be shown.
    """
    run = _Run(options, cache, paint)
    try:
        for batch in run.batches(submissions):
            yield from run.checked(batch)
    finally:
        run.close()


class _Run:
    """One run over many submissions; a committed file is hashed once for all those of a folder."""

    def __init__(self, options: Options, cache: str, paint: str) -> None:
        self._options, self._paint = options, paint
        self._cache = Cache(cache) if cache else None
        self._place: tuple[str, str] | None = None
        self._beside = DiskWorkspace("")

    def close(self) -> None:
        """Give the cache's file back."""
        if self._cache:
            self._cache.close()

    def batches(self, submissions: Iterable[Submission]) -> Iterator[list[_Read]]:
        """The submissions, read, as many at a time as may be in memory."""
        batch: list[_Read] = []
        size = 0
        for submission in submissions:
            batch.append(self._read(submission))
            size += len(batch[-1].data)
            if len(batch) >= BATCH or size >= BATCH_BYTES:
                yield batch
                batch, size = [], 0
        yield batch

    def _read(self, submission: Submission) -> _Read:
        try:
            data = submission.read()
        except OSError as error:
            return _Read(submission, fault=error)
        if not self._cache or submission.path == "-":
            return _Read(submission, data)
        return _Read(submission, data, key=key_of(data, submission.is_source, repr(self._options)))

    def checked(self, batch: list[_Read]) -> Iterator[Checked]:
        """A batch with what was found, which is kept, also where the run ends early."""
        known = self._known(batch)
        fresh = self._fresh([read for read, answer in zip(batch, known, strict=True) if not answer])
        new: dict[bytes, Answer] = {}
        try:
            for read, kept in zip(batch, known, strict=True):
                answer = self._painted(read, kept) if kept else next(fresh)
                if answer is not kept:
                    new[read.key] = answer
                yield Checked(read.submission, read.data, answer)
        finally:
            fresh.close()
            new.pop(b"", None)
            if self._cache and new:
                self._cache.put(new.items())

    def _known(self, batch: list[_Read]) -> list[Answer | None]:
        """The answers that were kept and hold today."""
        if not self._cache:
            return [None] * len(batch)
        found = self._cache.get([read.key for read in batch])
        return [self._if_good(read, found.get(read.key)) for read in batch]

    def _if_good(self, read: _Read, answer: Answer | None) -> Answer | None:
        """An answer if it holds; findings in texts of other names are sorted by name, so they hold for one name."""
        if answer is None:
            return None
        if answer.name != read.submission.path and any(name is not None for name, _ in answer.others):
            return None
        return answer if still_holds(answer.files, self._files(read.submission)) else None

    def _painted(self, read: _Read, answer: Answer) -> Answer:
        """An answer as it shows for this name and in this run's manner."""
        name = read.submission.path
        if not answer.rows or not self._paint or (answer.name, answer.paint) == (name, self._paint):
            return answer
        found = Checked(read.submission, read.data, answer).findings()
        return answer._replace(name=name, paint=self._paint, text=_shown(found, self._paint))

    def _fresh(self, reads: list[_Read]) -> Generator[Answer, None, None]:
        """The answers by checking. The first is made here: what it loads and remembers, every worker has."""
        processes = processors() if len(reads) >= PARALLEL_FROM else 1
        yield from (Answer(*self._check(read)) for read in reads[:1])
        yield from (Answer(*made) for made in fork_map(self._check, reads[1:], processes))

    def _check(self, read: _Read) -> list[Any]:
        """The fields of an answer."""
        from dcp_lang.bulk.recording import RecordingWorkspace

        path, fault = read.submission.path, read.fault
        files = RecordingWorkspace(self._files(read.submission))
        found = [not_read(path, fault)] if fault else check_bytes(path, read.data, self._options, files)
        rows, others = pack(found, source_of(path, read.data)) if found else ([], [])
        return [rows, others, files.asked, path, self._paint, _shown(found, self._paint)]

    def _files(self, submission: Submission) -> DiskWorkspace:
        """The files beside a submission; the same as for the one before where they lie in one folder."""
        place = (submission.top, os.path.dirname(submission.path))
        if place != self._place:
            self._place, self._beside = place, submission.workspace()
        return self._beside


def _shown(found: list[Diagnostic], paint: str) -> str:
    if not found or not paint:
        return ""
    from dcp_lang.diagnostics.text import render_text

    return render_text(found, color=paint == COLOR)
