"""A function over many values in processes of their own: nothing is loaded, sent or pickled on the way there.

Every worker is a copy of this process (`fork`), so it has the values and all that is loaded and remembered. It takes
the number of the next value out of a pipe that all share, says so, and sends the result as `marshal` writes it. What a
worker fails at, or was killed at, is done again in this process, where it can be raised.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, TypeVar

    Value = TypeVar("Value")

#: A pipe holds at least 4,096 bytes: the numbers of all values, in four bytes each, are in it before anyone reads.
MOST = 1024
_NUMBER = 4


def processors() -> int:
    """How many processors this process may use; 1 where processes cannot be copied."""
    if not hasattr(os, "fork"):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def fork_map(work: Callable[[Value], Any], values: Sequence[Value], processes: int) -> Iterator[Any]:
    """The results in order, at most `MOST` of them, each of what `marshal` writes; as `map` for one process.

    Memory does not grow with the number of values: a worker waits while its pipe is full.
    """
    if processes < 2:
        yield from map(work, values)
        return
    assert len(values) <= MOST
    numbers = _numbers(len(values))
    workers: list[_Worker] = []
    try:
        with suppress(OSError):  # where no more processes are to be had, those there are do the work
            for _ in range(min(processes, len(values))):
                workers.append(_Worker(work, values, numbers))
        for number, value in enumerate(values):
            worker = next((w for w in workers if w.next == number), None)
            result = worker.result() if worker else None
            yield work(value) if result is None else result[0]
    finally:
        os.close(numbers)
        for worker in workers:
            worker.end()


def _numbers(count: int) -> int:
    """A pipe out of which each of the numbers below `count` can be read once, in order."""
    reader, writer = os.pipe()
    os.write(writer, b"".join(map(_packed, range(count))))
    os.close(writer)
    return reader


def _packed(number: int) -> bytes:
    return number.to_bytes(_NUMBER, "big")


class _Worker:
    """A copy of this process at work, and the pipe that it answers into."""

    def __init__(self, work: Callable[[Value], Any], values: Sequence[Value], numbers: int) -> None:
        reader, writer = os.pipe()
        try:
            self._process = os.fork()
        except OSError:
            os.close(reader)
            os.close(writer)
            raise
        if self._process == 0:
            os.close(reader)
            _serve(work, values, numbers, writer)
        os.close(writer)
        self._pipe = os.fdopen(reader, "rb")
        self._next: int | None = None

    @property
    def next(self) -> int | None:
        """The number that it has taken and not answered; None once it has ended.

        Waits only for a worker that is between two values.
        """
        if self._next is None:
            self._next = self._number()
        return self._next

    def result(self) -> list[Any] | None:
        """The result of the number it has taken, in a list; None where it failed or was killed."""
        self._next = None
        size = self._number() or 0
        data = self._pipe.read(size)
        return marshal.loads(data) if size and len(data) == size else None

    def _number(self) -> int | None:
        data = self._pipe.read(_NUMBER)
        return int.from_bytes(data, "big") if len(data) == _NUMBER else None

    def end(self) -> None:
        """Stop it wherever it is, and forget it."""
        from signal import SIGKILL

        self._pipe.close()
        with suppress(OSError):  # gone, and perhaps not even to be waited for
            os.kill(self._process, SIGKILL)
            os.waitpid(self._process, 0)


def _serve(work: Callable[[Value], Any], values: Sequence[Value], numbers: int, writer: int) -> None:
    """The life of a worker; it leaves without touching what it has in common with its parent."""
    try:
        from signal import SIG_DFL, SIGINT, signal

        signal(SIGINT, SIG_DFL)  # the parent says that it was interrupted
        while taken := os.read(numbers, _NUMBER):
            _send(writer, taken)
            data = _result(work, values[int.from_bytes(taken, "big")])
            _send(writer, _packed(len(data)) + data)
    finally:
        os._exit(0)


def _result(work: Callable[[Value], Any], value: Value) -> bytes:
    try:
        return marshal.dumps([work(value)])
    except Exception:
        return b""


def _send(writer: int, data: bytes) -> None:
    while data:
        data = data[os.write(writer, data) :]
