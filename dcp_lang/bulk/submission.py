"""Submissions: where they lie, and their bytes, of which none come from outside the folder that was named."""

from __future__ import annotations

import os
import stat
import sys

from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.workspace import DiskWorkspace, open_below

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Far above every cap: more is refused all the same, and a device without end fills no memory.
READ_AT_MOST = 2**26
_STEP = 4096


class Submission(Record):
    """A file by its path; `steps` lead to it from the folder `top` that was walked, none where it was named itself.

    `fault` says why a folder has no submissions to show.
    """

    path: str
    top: str = ""
    steps: tuple[str, ...] = ()
    fault: str = ""

    @property
    def is_source(self) -> bool:
        """Whether it is no compiled registration."""
        return not self.path.endswith(".json")

    def read(self) -> bytes:
        """Its bytes, at most `READ_AT_MOST`, and of a regular file where a walk found it; raises OSError."""
        if self.fault:
            raise OSError(None, self.fault)
        if not self.steps:
            return read_bytes(self.path)
        handle = open_below(self.top, self.steps)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(None, "it is no longer a regular file")
            return _read(handle, status.st_size)
        finally:
            os.close(handle)

    def workspace(self) -> DiskWorkspace:
        """The files beside it."""
        if self.steps:
            return DiskWorkspace(self.top, self.steps[:-1])
        return DiskWorkspace(os.path.dirname(self.path))


def submissions(paths: Iterable[str], *, compiled: bool = True) -> Iterator[Submission]:
    """Every submission, in a stable order: named files as they are, folders by path; links are not followed.

    Compiled registrations are left out of folders without `compiled`.

    A folder that cannot be listed is a submission that cannot be read: what it holds must not pass for sound.
    """
    for path in paths:
        if path != "-" and os.path.isdir(path):
            from dcp_lang.bulk.walk import below

            yield from below(path, compiled)
        else:
            yield Submission(path)


def read_bytes(path: str) -> bytes:
    """The bytes of a file that the user named, or of standard input for `-`; at most `READ_AT_MOST`."""
    if path == "-":
        return sys.stdin.buffer.read(READ_AT_MOST)
    with open(path, "rb") as file:
        return file.read(READ_AT_MOST)


def _read(handle: int, size: int) -> bytes:
    """The bytes of a file of about `size`, at most `READ_AT_MOST` and one step."""
    found = b""
    while len(found) < READ_AT_MOST and (
        more := os.read(handle, max(min(size, READ_AT_MOST) - len(found) + 1, _STEP))
    ):
        found += more
    return found
