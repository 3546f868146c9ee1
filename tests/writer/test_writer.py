"""Builds on disk: what may replace what, and what a kill, a full disk or a read-only folder leaves behind."""

import os
import random
import resource
import signal
import stat
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from dcp_lang.canonical import digest, load_strict
from dcp_lang.emit import atomic
from dcp_lang.emit.writer import BuildError, FrozenBuildError, NotABuildError, write_build, write_file

OLD = {"registration.json": b'{"build":"old"}', "run/task.py": b"old\n", "only-old.txt": b""}
NEW = {"registration.json": b'{"build":"new"}', "run/task.py": b"new\n" * 1000, "run/deep/only-new.md": b"#"}


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder but the manifest, which must name exactly them with their digests."""
    files = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    manifest = load_strict(files.pop("manifest.json"))
    assert manifest == {
        "format": "dcp-lang/build-1",
        "files": {name: digest(data) for name, data in files.items()},
    }
    return files


#: The user that owns nothing, for tests that run as root.
NOBODY = 65534


@pytest.fixture(params=["one step", "two steps"])
def out(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for a build, once with the one-step swap and once as on systems without it."""
    if request.param == "two steps":
        monkeypatch.setattr(atomic, "_exchange", lambda one, other: False)
    return tmp_path / "parent" / "out"


def test_a_build_is_written_then_replaced_whole(out: Path) -> None:
    write_build(out, OLD)
    assert tree(out) == OLD
    write_build(out, {**OLD, "run/task.py": b"changed\n"})
    assert tree(out) == {**OLD, "run/task.py": b"changed\n"}
    assert os.listdir(out.parent) == ["out"]


def test_the_one_step_swap_works_where_the_tests_run() -> None:
    # Guards the parametrisation above: if this system lost the call, "one step" would test the other path.
    assert sys.platform != "linux" or hasattr(__import__("ctypes").CDLL(None), "renameat2")


def test_the_same_frozen_registration_may_be_written_again(out: Path) -> None:
    write_build(out, OLD)
    write_build(out, OLD)
    assert tree(out) == OLD


def test_another_frozen_registration_is_not_overwritten_without_force(out: Path) -> None:
    write_build(out, OLD)
    with pytest.raises(FrozenBuildError) as caught:
        write_build(out, NEW)
    assert digest(OLD["registration.json"]) in str(caught.value)
    assert digest(NEW["registration.json"]) in str(caught.value)
    assert tree(out) == OLD
    write_build(out, NEW, force=True)
    assert tree(out) == NEW


def test_a_build_without_registration_does_not_remove_a_frozen_one(out: Path) -> None:
    write_build(out, OLD)
    with pytest.raises(FrozenBuildError, match="without a registration"):
        write_build(out, {"plan.txt": b""})
    assert tree(out) == OLD


def test_foreign_files_are_never_removed_even_by_force(out: Path) -> None:
    write_build(out, OLD)
    (out / "run" / "claimant.seal").write_bytes(b"seal")
    with pytest.raises(NotABuildError, match=r"'run/claimant\.seal'"):
        write_build(out, OLD, force=True)
    assert (out / "run" / "claimant.seal").read_bytes() == b"seal"


def test_a_link_to_a_folder_is_foreign(out: Path, tmp_path: Path) -> None:
    write_build(out, OLD)
    (out / "data").symlink_to(tmp_path)
    with pytest.raises(NotABuildError, match="'data'"):
        write_build(out, OLD)


def test_caches_of_python_are_not_foreign(out: Path) -> None:
    write_build(out, OLD)
    cache = out / "run" / "__pycache__"
    cache.mkdir()
    (cache / "task.cpython-311.pyc").write_bytes(b"\0")
    write_build(out, OLD)
    assert tree(out) == OLD


@pytest.mark.parametrize(
    "manifest",
    [
        None,
        b"",
        b"[]",
        b'{"files":{"a":""}}',
        b'{"files":{"a":""},"format":"x"}',
        b'{"files":["a"],"format":"dcp-lang/build-1"}',
        b'{"format":"dcp-lang/build-1"}',
        b'{"files":{"b":""},"format":"dcp-lang/build-1"}',
        b'{"files":{"a":""},"format":"dcp-lang/build-1"}\n',
    ],
)
def test_a_folder_that_no_build_made_is_left_alone(out: Path, manifest: bytes | None) -> None:
    out.mkdir(parents=True)
    (out / "a").write_bytes(b"mine")
    if manifest is not None:
        (out / "manifest.json").write_bytes(manifest)
    with pytest.raises(NotABuildError):
        write_build(out, OLD, force=True)
    assert (out / "a").read_bytes() == b"mine"


def test_an_empty_folder_may_be_filled(out: Path) -> None:
    out.mkdir(parents=True)
    write_build(out, OLD)
    assert tree(out) == OLD


def test_a_file_is_not_a_place_for_a_build(out: Path) -> None:
    out.parent.mkdir()
    out.write_bytes(b"file")
    with pytest.raises(NotABuildError, match="not a folder"):
        write_build(out, OLD, force=True)
    with pytest.raises(NotABuildError, match="not a place"):
        write_build(Path("/"), OLD, force=True)
    assert out.read_bytes() == b"file"


def test_a_link_at_the_place_stays_a_link(out: Path, tmp_path: Path) -> None:
    write_build(out, OLD)
    link = tmp_path / "link"
    link.symlink_to(out)
    write_build(link, {**OLD, "extra": b""})
    assert link.is_symlink()
    assert tree(out) == {**OLD, "extra": b""}


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "/x",
        "a//b",
        "a/",
        "./a",
        "a/../../x",
        "a\\b",
        "C:x",
        "é",
        "",
        ".",
        "a\n",
        "a\0",
        "a?",
        "MANIFEST.json",
    ],
)
def test_names_that_escape_or_mean_different_things_are_refused(out: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"plain relative name|is taken"):
        write_build(out, {name: b""})
    assert not out.parent.exists()


def test_names_that_collide_are_refused(out: Path) -> None:
    with pytest.raises(ValueError, match=r"'A\.txt' is taken"):
        write_build(out, {"a.txt": b"", "A.txt": b""})
    with pytest.raises(ValueError, match="'a' is a file and a folder"):
        write_build(out, {"a": b"", "a/b": b""})


def test_permissions_follow_the_umask_and_then_the_old_folder(out: Path) -> None:
    before = os.umask(0o027)
    try:
        write_build(out, OLD)
    finally:
        os.umask(before)
    assert stat.S_IMODE(out.stat().st_mode) == 0o750
    assert stat.S_IMODE((out / "run/task.py").stat().st_mode) == 0o640
    out.chmod(0o705)
    write_build(out, OLD)
    assert stat.S_IMODE(out.stat().st_mode) == 0o705


# -- what a failure leaves
# ---------------------------------------------------------------------------------------


def in_child(work: Callable[[], None]) -> int:
    """Run `work` in a forked process: its exit status as `os.waitpid` gives it, 0 if nothing was raised."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except OSError:
            os._exit(75)
        finally:
            os._exit(70)
    return os.waitpid(child, 0)[1]


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


# -- single files
# ------------------------------------------------------------------------------------------------


def test_a_file_is_replaced_with_its_permissions_and_through_links(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    write_file(path, b"one")
    path.chmod(0o604)
    link.symlink_to(path)
    write_file(link, b"two")
    assert link.is_symlink()
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert sorted(os.listdir(tmp_path)) == ["file", "link"]


def test_a_file_that_cannot_be_written_keeps_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_file(path, b"one")

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
        write_file(path, b"x" * 11)

    assert os.waitstatus_to_exitcode(in_child(work)) == 75
    assert path.read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["file"]


def test_a_device_or_a_folder_is_not_replaced(tmp_path: Path) -> None:
    for path in (Path("/dev/null"), tmp_path):
        with pytest.raises(OSError, match="not a regular file"):
            write_file(path, b"")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_frozen_and_foreign_are_both_build_errors() -> None:
    assert issubclass(FrozenBuildError, BuildError)
    assert issubclass(NotABuildError, BuildError)
