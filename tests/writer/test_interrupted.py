"""What a kill, a full disk or a read-only folder leaves behind: the old build or the new one."""

import os
import random
import resource
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from builds import NEW, OLD, in_child, tree

from dcp_lang.emit import atomic
from dcp_lang.emit.writer import write_build, write_file

#: The user that owns nothing, for tests that run as root.
NOBODY = 65534


def die_at(event_number: int) -> None:
    """Kill this process, as if from outside, just before the n-th operation that Python announces."""
    count = 0

    def hook(event: str, args: object) -> None:
        nonlocal count
        if event.startswith(("open", "os.", "shutil.", "fcntl.", "ctypes.")):
            count += 1
            if count == event_number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def kill_at_every_operation(out: Path, files: Mapping[str, bytes], check: Callable[[], None]) -> int:
    """Write `files` over OLD, killed before operation 1, 2, … until a run gets through: how many it took."""
    for number in range(1, 1000):
        write_build(out, OLD, force=True)

        def work(number: int = number) -> None:
            die_at(number)
            write_build(out, files, force=True)

        status = in_child(work)
        check()
        if status == 0:
            assert tree(out) == files
            return number
        assert os.WTERMSIG(status) == signal.SIGKILL
    raise AssertionError("never got through")


def test_killed_at_any_operation_the_place_holds_the_old_build_or_the_new(tmp_path: Path) -> None:
    out = tmp_path / "out"
    seen = []

    def check() -> None:
        seen.append(tree(out))
        assert seen[-1] in (OLD, NEW)

    operations = kill_at_every_operation(out, NEW, check)
    assert operations > 30
    assert OLD in seen
    assert seen.count(NEW) > 1  # killed while it removed the old build
    write_build(out, NEW)
    assert os.listdir(tmp_path) == ["out"]


def test_killed_between_two_renames_the_next_run_puts_the_old_build_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic, "_exchange", lambda one, other: False)
    out = tmp_path / "out"
    gone = 0

    def check() -> None:
        nonlocal gone
        gone += not out.exists()
        with atomic.exclusive(out):  # what the next run does first
            assert tree(out) in (OLD, NEW)
            assert os.listdir(tmp_path) == ["out"]

    kill_at_every_operation(out, NEW, check)
    assert gone == 1


def test_a_first_build_killed_at_any_operation_is_there_or_not(tmp_path: Path) -> None:
    for number in range(1, 1000):
        out = tmp_path / str(number) / "out"

        def work(number: int = number, out: Path = out) -> None:
            die_at(number)
            write_build(out, NEW)

        if in_child(work) == 0:
            break
        assert not out.exists() or tree(out) == NEW
        write_build(out, NEW)
        assert os.listdir(out.parent) == ["out"]
    assert number > 15


def test_killed_at_random_moments(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_build(out, OLD)
    moments = random.Random(20260801)

    def work() -> None:
        while True:
            write_build(out, NEW, force=True)
            write_build(out, OLD, force=True)

    for _ in range(40):
        child = os.fork()
        if child == 0:
            work()
        time.sleep(moments.uniform(0.001, 0.02))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert tree(out) in (OLD, NEW)
    write_build(out, OLD, force=True)
    assert os.listdir(tmp_path) == ["out"]


def test_writers_at_the_same_time_leave_one_whole_build(tmp_path: Path) -> None:
    out = tmp_path / "out"
    builds = [{"registration.json": b'{"n":%d}' % n, f"only-{n}": b"x" * 5000} for n in range(6)]
    children = []
    for build in builds:
        child = os.fork()
        if child == 0:
            for _ in range(5):
                write_build(out, build, force=True)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * len(builds)
    assert tree(out) in builds
    assert os.listdir(tmp_path) == ["out"]


def test_a_full_disk_is_an_os_error_and_leaves_the_old_build(out: Path) -> None:
    write_build(out, OLD)

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        write_build(out, NEW, force=True)  # one file of NEW has 4000 bytes

    assert os.waitstatus_to_exitcode(in_child(work)) == 75
    assert tree(out) == OLD
    assert os.listdir(out.parent) == ["out"]


@pytest.mark.parametrize("closed", ["out", "parent"])
def test_a_read_only_folder_is_an_os_error_and_leaves_the_old_build(tmp_path: Path, closed: str) -> None:
    parent = tmp_path / "parent"
    out = parent / "out"
    write_build(out, OLD)
    root = os.geteuid() == 0
    if root:  # root may write anywhere: the writer is to be the owner, and somebody else
        for path in (parent, out, *out.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        for folder in tmp_path.parents:
            if folder.stat().st_uid == 0:
                folder.chmod(folder.stat().st_mode | 0o011)
        tmp_path.chmod(0o755)
    (out if closed == "out" else parent).chmod(0o555)

    def work() -> None:
        if root:
            os.setuid(NOBODY)
        write_build(out, NEW, force=True)

    assert os.waitstatus_to_exitcode(in_child(work)) == 75
    parent.chmod(0o755)
    assert tree(out) == OLD
    assert os.listdir(parent) == ["out"]


def test_an_interrupt_while_writing_leaves_nothing(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(path: Path, data: bytes) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic, "_write_new", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_build(out, OLD)
    assert os.listdir(out.parent) == []


def test_errors_of_the_swap_are_passed_on(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_build(out, OLD)
    rename = os.rename

    def fail_to_move_in(source: Path, target: Path) -> None:
        if target == out and "dcpc-old" not in str(source):
            raise OSError(5, "input/output error")
        rename(source, target)

    monkeypatch.setattr(atomic, "_exchange", lambda one, other: False)
    monkeypatch.setattr(os, "rename", fail_to_move_in)
    with pytest.raises(OSError, match="input/output error"):
        write_build(out, NEW, force=True)
    assert tree(out) == OLD


def test_a_place_with_wild_characters_in_its_name_sweeps_only_its_own(tmp_path: Path) -> None:
    (tmp_path / ".outs.dcpc-1").mkdir()
    write_build(tmp_path / "out[s]", OLD)
    write_build(tmp_path / "out?", OLD)
    assert (tmp_path / ".outs.dcpc-1").exists()


def test_every_file_and_folder_is_synced(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = set()
    monkeypatch.setattr(os, "fsync", lambda handle: synced.add(os.fstat(handle).st_ino))
    write_build(out, NEW)
    assert {path.stat().st_ino for path in (out.parent, out, *out.rglob("*"))} <= synced
    synced.clear()
    write_file(out / "single", b"")
    assert {(out / "single").stat().st_ino, out.stat().st_ino} <= synced
