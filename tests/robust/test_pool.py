"""Values over copies of this process: results in order, whatever becomes of the copies, and none is left behind."""

from __future__ import annotations

import os
import signal
import time

import pytest

from dcp_lang.bulk.pool import MOST, fork_map, processors

PARENT = os.getpid()
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied here")


def no_children() -> bool:
    """Whether every child of this process has ended and was waited for."""
    try:
        return os.waitpid(-1, os.WNOHANG) is None
    except ChildProcessError:
        return True


def test_every_result_in_order() -> None:
    """The largest number of values; the results of some are larger than a pipe holds."""
    values = list(range(MOST))
    results = list(fork_map(lambda n: [n, "é" * (70_000 if n % 100 == 0 else 1)], values, 3))
    assert [number for number, _ in results] == values
    assert all(len(text) == (70_000 if n % 100 == 0 else 1) for n, text in results)
    assert no_children()


def test_the_work_is_shared() -> None:
    done = set(fork_map(lambda _: time.sleep(0.002) or os.getpid(), range(100), 2))
    assert len(done) == 2 and PARENT not in done


def test_a_slow_value_does_not_hold_up_the_others() -> None:
    """One worker sleeps over the first value, the other does all the rest meanwhile."""
    done = list(fork_map(lambda n: time.sleep(0.5 if n == 0 else 0) or os.getpid(), range(50), 2))
    assert done.count(done[0]) == 1


def test_one_process_is_a_map() -> None:
    assert list(fork_map(lambda n: (n, os.getpid()), [1, 2], 1)) == [(1, PARENT), (2, PARENT)]
    assert list(fork_map(str, [], 2)) == []


def test_what_a_killed_worker_held_is_done_here() -> None:
    def work(number: int) -> list[int]:
        if number in (3, 7) and os.getpid() != PARENT:
            os.kill(os.getpid(), signal.SIGKILL)
        return [number, os.getpid()]

    results = list(fork_map(work, range(10), 2))
    assert [number for number, _ in results] == list(range(10))
    assert results[3][1] == results[7][1] == results[9][1] == PARENT
    assert no_children()


def test_what_cannot_be_sent_is_made_here() -> None:
    """`marshal` knows no sets of objects: the parent's own result comes through whole."""
    made = list(fork_map(lambda n: {object} if n == 1 else n, range(3), 2))
    assert made == [0, {object}, 2]


def test_an_error_is_raised_here() -> None:
    def work(number: int) -> int:
        return 1 // (number - 5)

    results = fork_map(work, range(10), 2)
    assert [next(results) for _ in range(5)] == [1 // (n - 5) for n in range(5)]
    with pytest.raises(ZeroDivisionError):
        next(results)
    assert no_children()


def test_an_end_before_the_end_stops_the_workers() -> None:
    results = fork_map(lambda n: time.sleep(n), range(60), 2)
    assert next(results) is None
    results.close()  # type: ignore[attr-defined]
    assert no_children()


def test_without_new_processes_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    open_before = os.listdir("/dev/fd")
    assert list(fork_map(lambda _: os.getpid(), range(3), 2)) == [PARENT] * 3
    assert os.listdir("/dev/fd") == open_before


def test_processors_are_those_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    assert processors() == 1
    monkeypatch.delattr(os, "fork")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    assert processors() == 1
