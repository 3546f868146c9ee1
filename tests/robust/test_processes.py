"""Many submissions at work in several processes: whatever ends the run ends all of them, and quietly."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from started import dcpc, environment

from dcp_lang.bulk.pool import processors

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are listed otherwise"),
    pytest.mark.skipif(processors() < 2, reason="one processor, one process"),
]


@pytest.fixture
def crowd(folder: Path, sound: str) -> Path:
    """So many submissions that all processors are used."""
    for number in range(600):
        (folder / f"r{number:03}.dcp").write_text(sound.replace("ρ = 5%", f"ρ = {number + 2}00%"), "utf-8")
    return folder


def _processes(of: int) -> set[int]:
    """The processes below one, itself included; Linux tells."""
    found = {of}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text("utf-8").rpartition(")")[2].split()
            if int(fields[1]) == of and fields[0] != "Z":
                found.add(int(path.parent.name))
    return found


def _at_work(crowd: Path) -> tuple[subprocess.Popen[bytes], set[int]]:
    """A run over the crowd that has begun, and its processes."""
    process = dcpc("check", "--no-cache", crowd)
    while process.poll() is None:
        running = _processes(process.pid)
        if len(running) > 2:
            return process, running
    pytest.fail("it ended before two others were at work")


@pytest.mark.parametrize("whole_group", [False, True])
def test_an_interruption_ends_every_process(whole_group: bool, crowd: Path) -> None:
    """As ^C, which a terminal sends to all of them, and as `kill -INT`, which reaches one."""
    process, running = _at_work(crowd)
    for each in running if whole_group else [process.pid]:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"\n")
    assert not any(Path("/proc", str(each)).exists() for each in running)


def test_a_reader_that_leaves_ends_every_process(crowd: Path) -> None:
    process, running = _at_work(crowd)
    assert process.stdout and process.stderr
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait(60) == 1
    assert not any(Path("/proc", str(each)).exists() for each in running)


def test_a_killed_run_leaves_no_process(crowd: Path) -> None:
    process, running = _at_work(crowd)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 30
    while any(Path("/proc", str(each)).exists() for each in running) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(Path("/proc", str(each)).exists() for each in running)


def test_a_killed_worker_changes_nothing(crowd: Path) -> None:
    expected = dcpc("check", "--no-cache", crowd).communicate()[0]
    process, running = _at_work(crowd)
    for worker in running - {process.pid}:
        os.kill(worker, signal.SIGKILL)
    assert process.communicate() == (expected, b"") and process.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_under_many_submissions(crowd: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dcp_lang", "check", "--no-cache", crowd],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"dcpc: [Errno 28] No space left on device\n")
