"""Folders that change while they are walked, or were made to lead outside: nothing outside is read or written."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from dcp_lang.bulk import walk
from dcp_lang.bulk.check import Options
from dcp_lang.bulk.many import check_all
from dcp_lang.bulk.rewrite import rewrite
from dcp_lang.bulk.submission import READ_AT_MOST, Submission, submissions
from dcp_lang.bulk.walk import MAX_DEPTH
from dcp_lang.cli import run
from dcp_lang.workspace import DiskWorkspace

Codes = Callable[..., list[str]]

#: A source without its edition, which a safe fix adds.
FIXABLE = "registration a : core {\n}\n"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the submissions, whose only file nobody may see or touch."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "r.dcp").write_text("secret", "utf-8")
    return tmp_path / "outside"


@pytest.fixture
def inside(tmp_path: Path, outside: Path) -> Path:
    """A folder of submissions with one of them, which has a fault, in a folder of its own."""
    (tmp_path / "inside" / "sub").mkdir(parents=True)
    (tmp_path / "inside" / "sub" / "r.dcp").write_text("dcp 9\n", "utf-8")
    return tmp_path / "inside"


def _swap_folder(inside: Path, outside: Path) -> None:
    (inside / "sub").rename(inside / "moved")
    (inside / "sub").symlink_to(outside)


def _swap_file(inside: Path, outside: Path) -> None:
    (inside / "sub" / "r.dcp").unlink()
    (inside / "sub" / "r.dcp").symlink_to(outside / "r.dcp")


def _put_pipe(inside: Path, outside: Path) -> None:
    (inside / "sub" / "r.dcp").unlink()
    os.mkfifo(inside / "sub" / "r.dcp")


def _put_folder(inside: Path, outside: Path) -> None:
    (inside / "sub" / "r.dcp").unlink()
    (inside / "sub" / "r.dcp").mkdir()


def _remove(inside: Path, outside: Path) -> None:
    (inside / "sub" / "r.dcp").unlink()


@pytest.mark.parametrize("change", [_swap_folder, _swap_file, _put_pipe, _put_folder, _remove])
def test_what_changes_after_the_walk_is_not_followed(
    change: Callable[[Path, Path], None], inside: Path, outside: Path
) -> None:
    walked = list(submissions([str(inside)]))
    assert [each.path for each in walked] == [str(inside / "sub" / "r.dcp")]
    change(inside, outside)
    [checked] = check_all(walked, Options())
    assert [d.code for d in checked.findings()] == ["E822"] and checked.data == b""
    with pytest.raises(OSError):
        rewrite(walked[0], b"changed")
    assert (outside / "r.dcp").read_text("utf-8") == "secret" and os.listdir(outside) == ["r.dcp"]


def test_a_folder_that_becomes_a_link_during_the_walk_is_not_entered(
    inside: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = walk._listed

    def swap_after_the_first(top: str, steps: tuple[str, ...]) -> tuple[list[str], list[str]]:
        found = listed(top, steps)
        if not steps:
            _swap_folder(inside, outside)
        return found

    monkeypatch.setattr(walk, "_listed", swap_after_the_first)
    [found] = submissions([str(inside)])
    assert found.path == str(inside / "sub") and found.fault


def test_committed_files_are_not_sought_behind_a_link(inside: Path, outside: Path) -> None:
    _swap_folder(inside, outside)
    with pytest.raises(Exception, match="is a link, or lies behind one"):
        DiskWorkspace(str(inside), ("sub",)).material("r.dcp", False)


def test_a_link_that_is_named_is_followed(inside: Path, codes: Codes) -> None:
    """The user's own link, to a folder or to a file: what it names was asked for."""
    (inside.parent / "folder").symlink_to(inside)
    (inside.parent / "file").symlink_to(inside / "sub" / "r.dcp")
    assert codes("check", "--no-cache", inside.parent / "folder")[0] == "1"
    assert (
        codes("check", "--no-cache", inside.parent / "folder")[1:]
        == codes("check", inside.parent / "file")[1:]
    )


def test_a_folder_that_cannot_be_listed_does_not_pass_for_sound(
    inside: Path, codes: Codes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for one without permission, which the superuser would not notice."""
    open_below = walk.open_below

    def refuse(top: str, steps: tuple[str, ...]) -> int:
        if steps == ("sub",):
            raise PermissionError(13, "Permission denied")
        return open_below(top, steps)

    monkeypatch.setattr(walk, "open_below", refuse)
    assert codes("check", "--no-cache", inside) == ["1", "E822"]
    assert codes("fmt", inside) == ["2"]


@pytest.mark.parametrize("depth", [MAX_DEPTH, MAX_DEPTH + 1, 1500])
def test_folders_within_folders(
    depth: int, inside: Path, codes: Codes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No depth is a trap; beyond any that is used it is said."""
    monkeypatch.chdir(inside)
    for _ in range(depth - 1):  # a path of all of them would be too long for the system
        os.mkdir("d")
        os.chdir("d")
    Path("r.dcp").write_bytes(b"dcp 9\n")
    monkeypatch.chdir(inside)
    os.unlink("sub/r.dcp")
    found = codes("check", "--no-cache", inside)[1:]
    subprocess.run(["rm", "-r", "d"], check=True)  # too deep for Python, which clears up after tests
    assert found == (["E109", "E108"] if depth - 1 <= MAX_DEPTH else ["E822"])


def test_a_mark_is_found_wherever_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also across two reads; but only in a JSON object, and no further than a submission is read."""
    monkeypatch.setattr(walk, "_CHUNK", 64)
    monkeypatch.setattr(walk, "READ_AT_MOST", 640)
    mark = b'"schema":"dcp-lang/registration/1"}'
    for at in (0, 30, 40, 63, 64, 100, 600, 700):
        (tmp_path / f"{at:03}.json").write_bytes(b"{" + b" " * at + mark)
    (tmp_path / "bom.json").write_bytes(b"\xef\xbb\xbf\n {" + mark)
    (tmp_path / "list.json").write_bytes(b"[" + mark)
    found = [os.path.basename(each.path) for each in submissions([str(tmp_path)])]
    assert found == [*(f"{at:03}.json" for at in (0, 30, 40, 63, 64, 100, 600)), "bom.json"]


def test_files_without_end_are_not_read_to_it(inside: Path, codes: Codes) -> None:
    """A terabyte that takes no room on the disk; a submission of that size is refused."""
    for name in ("large.json", "sub/r.dcp"):
        with open(inside / name, "wb") as file:
            file.truncate(2**40)
    assert codes("check", "--no-cache", inside) == ["1", "E001"]
    [found] = check_all([Submission("r.dcp", str(inside), ("sub", "r.dcp"))], Options())
    assert READ_AT_MOST <= len(found.data) < READ_AT_MOST + 2**13


def test_a_fix_leaves_other_names_of_a_file_alone(inside: Path, outside: Path, codes: Codes) -> None:
    """A hard link leads outside without being a link: the name gets a file of its own."""
    path = inside / "sub" / "r.dcp"
    for arguments in (["check", "--fix", inside], ["check", "--fix", path], ["fmt", inside]):
        path.write_text(FIXABLE, "utf-8")
        path.chmod(0o640)
        (outside / "other.dcp").unlink(missing_ok=True)
        os.link(path, outside / "other.dcp")
        codes(*arguments)
        assert (outside / "other.dcp").read_text("utf-8") == FIXABLE != path.read_text("utf-8")
        assert path.stat().st_mode & 0o777 == 0o640 and os.listdir(inside / "sub") == ["r.dcp"]


def test_a_fix_that_cannot_be_written_leaves_nothing(
    inside: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = inside / "sub" / "r.dcp"
    path.write_text(FIXABLE, "utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert run(["check", "--fix", str(inside)]) == 1
    assert capsys.readouterr().err == "dcpc: [Errno 28] No space left on device\n"
    assert path.read_text("utf-8") == FIXABLE and os.listdir(inside / "sub") == ["r.dcp"]


def test_no_name_steers_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever is said of a file on the way: that it was mended, would change, or cannot be read."""
    name = tmp_path / "\x1b[2Ja\nerror[E999]: forged.dcp"
    name.write_text(FIXABLE, "utf-8")
    run(["fmt", "--check", str(name)])
    run(["fmt", "--diff", str(tmp_path)])
    run(["check", "--fix", str(tmp_path)])
    run(["digest", str(name)])
    name.unlink()
    for command in (["fmt"], ["plan"], ["check"], ["compile", "-o", str(tmp_path / "out")]):
        run([*command, str(name)])
    shown = "".join(capfd.readouterr())
    assert shown.count("forged") >= 8 and "\x1b" not in shown and "\nerror[E999]" not in shown


def test_a_build_does_not_copy_what_it_did_not_hash(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file changes after the check, before it is copied into the build."""
    read = DiskWorkspace.bytes

    def change_first(workspace: DiskWorkspace, path: str) -> bytes:
        (folder / path).write_bytes(b"changed")
        return read(workspace, path)

    monkeypatch.setattr(DiskWorkspace, "bytes", change_first)
    assert run(["compile", str(folder / "registration.dcp"), "-o", str(folder / "out")]) == 1
    assert "changed while it was hashed" in capsys.readouterr().err and not (folder / "out").exists()
