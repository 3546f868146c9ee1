"""Single files: whole or untouched."""

import os
import resource
import stat
from pathlib import Path

import pytest
from builds import in_child

from dcp_lang.emit.writer import write_file


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
