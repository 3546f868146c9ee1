"""Committed files on a real disk: what cannot be committed is refused, each with its own code."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
import rfc8785
from bases import base
from literate import patched

from dcp_lang import workspace
from dcp_lang.driver import Compilation
from dcp_lang.sema.materials import RULES, MaterialError
from dcp_lang.source import SourceFile
from dcp_lang.workspace import DiskWorkspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of the core base."""
    for name in ("task.py", "baseline.json", "workspace/readme"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def codes(folder: Path, adapter: str) -> list[str]:
    """The findings of the core base with another adapter."""
    text = patched(base("core"), f'- adapter    = file("task.py")\n+ adapter    = file("{adapter}")')
    return [d.code for d in Compilation(SourceFile("a.dcp", text), DiskWorkspace(str(folder))).diagnostics]


def test_files_that_lie_there_are_committed_by_their_digest(folder: Path) -> None:
    assert codes(folder, "task.py") == []
    material = DiskWorkspace(str(folder)).material("task.py", False)
    assert material.sha256 == "sha256:" + hashlib.sha256(b"task.py").hexdigest()


@pytest.mark.parametrize(
    ("adapter", "code"),
    [
        ("../../etc/passwd", "E801"),
        ("/etc/passwd", "E801"),
        ("./task.py", "E801"),
        ("workspace/../task.py", "E801"),
        ("task\\\\py", "E801"),
        ("no.py", "E802"),
        ("workspace/no.py", "E802"),
        ("task.py/deeper", "E802"),
        ("link.py", "E803"),
        ("around/readme", "E803"),
        ("workspace", "E806"),
        ("pipe", "E806"),
    ],
)
def test_each_refusal_has_its_code(folder: Path, adapter: str, code: str) -> None:
    (folder / "link.py").symlink_to("task.py")
    (folder / "around").symlink_to("workspace")
    os.mkfifo(folder / "pipe")
    assert codes(folder, adapter) == [code]


def test_a_file_as_large_as_the_limit_is_hashed_and_one_byte_more_is_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "ten").write_bytes(b"0123456789")
    monkeypatch.setattr(workspace, "MAX_FILE_BYTES", 10)
    assert DiskWorkspace(str(folder)).material("ten", False).size == 10
    (folder / "ten").write_bytes(b"0123456789+")
    with pytest.raises(MaterialError, match="has 11 bytes") as caught:
        DiskWorkspace(str(folder)).material("ten", False)
    assert caught.value.rule.code == "E805"


def test_a_folder_holds_so_many_files_and_no_more(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "workspace" / "second").write_text("2")
    monkeypatch.setattr(workspace, "MAX_FILES", 2)
    assert len(DiskWorkspace(str(folder)).material("workspace/", True).files) == 2
    (folder / "workspace" / "third").write_text("3")
    with pytest.raises(MaterialError) as caught:
        DiskWorkspace(str(folder)).material("workspace/", True)
    assert caught.value.rule.code == "E809"


def test_a_folders_digest_is_that_of_its_manifest_in_rfc_8785(folder: Path) -> None:
    (folder / "workspace" / "second part/a'b&c").parent.mkdir()
    (folder / "workspace" / "second part/a'b&c").write_bytes(b"")
    found = DiskWorkspace(str(folder)).material("workspace/", True)
    names = ["readme", "second part/a'b&c"]
    contents = {name: (folder / "workspace" / name).read_bytes() for name in names}
    rows = [
        {"path": name, "sha256": f"sha256:{hashlib.sha256(data).hexdigest()}", "size": len(data)}
        for name, data in contents.items()
    ]
    assert found.sha256 == f"sha256:{hashlib.sha256(rfc8785.dumps(rows)).hexdigest()}"


def test_a_file_that_changes_while_it_is_hashed_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = os.read

    def append_then_read(handle: int, size: int) -> bytes:
        monkeypatch.setattr(os, "read", read)
        with (folder / "task.py").open("a") as file:
            file.write("more")
        return read(handle, size)

    monkeypatch.setattr(os, "read", append_then_read)
    with pytest.raises(MaterialError) as caught:
        DiskWorkspace(str(folder)).material("task.py", False)
    assert caught.value.rule.code == "E807"


def test_errors_carry_the_names_of_their_rules(folder: Path) -> None:
    for path in ("../a", "no.py", "workspace"):
        with pytest.raises(MaterialError) as caught:
            DiskWorkspace(str(folder)).material(path, False)
        assert caught.value.rule in RULES
