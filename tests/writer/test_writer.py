"""Builds on disk: what may replace what."""

import os
import stat
import sys
from pathlib import Path

import pytest
from builds import NEW, OLD, tree

from dcp_lang.canonical import digest
from dcp_lang.emit import atomic
from dcp_lang.emit.writer import BuildError, FrozenBuildError, NotABuildError, write_build

#: The same registration with another file beside it.
CHANGED = {**OLD, "run/task.py": b"changed\n"}


def test_a_build_is_written_then_replaced_whole(out: Path) -> None:
    write_build(out, OLD)
    assert tree(out) == OLD
    write_build(out, CHANGED)
    assert tree(out) == CHANGED
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
        write_build(out, CHANGED, force=True)
    assert (out / "run" / "claimant.seal").read_bytes() == b"seal"


def test_the_same_build_stays_with_what_was_put_beside_it(out: Path) -> None:
    write_build(out, OLD)
    (out / "claimant.seal").write_bytes(b"signed")
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    write_build(out, OLD)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before
    with pytest.raises(NotABuildError, match=r"claimant\.seal"):
        write_build(out, CHANGED, force=True)


def test_a_link_to_a_folder_is_foreign(out: Path, tmp_path: Path) -> None:
    write_build(out, OLD)
    (out / "data").symlink_to(tmp_path)
    with pytest.raises(NotABuildError, match="'data'"):
        write_build(out, CHANGED)


def test_caches_of_python_are_not_foreign(out: Path) -> None:
    write_build(out, OLD)
    cache = out / "run" / "__pycache__"
    cache.mkdir()
    (cache / "task.cpython-311.pyc").write_bytes(b"\0")
    write_build(out, CHANGED)
    assert tree(out) == CHANGED


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


def test_frozen_and_foreign_are_both_build_errors() -> None:
    assert issubclass(FrozenBuildError, BuildError)
    assert issubclass(NotABuildError, BuildError)


def test_a_folder_that_cannot_be_listed_is_not_taken_for_empty(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_build(out, OLD)
    scan = os.scandir

    def closed(path: str) -> object:
        if str(path).endswith("run"):
            raise PermissionError(13, "permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", closed)
    with pytest.raises(PermissionError):
        write_build(out, CHANGED)
    monkeypatch.undo()
    assert tree(out) == OLD


def test_what_an_old_swap_left_aside_is_not_put_over_a_build(tmp_path: Path) -> None:
    out, aside = tmp_path / "out", tmp_path / ".out.dcpc-old"
    write_build(out, OLD)
    write_build(aside, NEW)
    with atomic.exclusive(out):
        assert tree(out) == OLD
        assert os.listdir(tmp_path) == ["out"]
