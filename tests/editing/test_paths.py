"""File names inside `file("…")`: those beside the registration, and nothing behind a link or above its folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from drawn import at_mark, compiled

from dcp_lang.driver import Compilation
from dcp_lang.editing.completion import Completion, complete
from dcp_lang.source import SourceFile
from dcp_lang.workspace import DiskWorkspace

HEAD = "dcp 1\nregistration a : core {\n  "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A registration's folder with files to commit, and with what may not be committed."""
    below = tmp_path / "study"
    (below / "data" / "raw").mkdir(parents=True)
    for name in (
        "task.py",
        "base$1.json",
        "data/a.csv",
        "data/own.dcp",
        "a.dcp",
        ".hidden",
        "straße.txt",
        'q".py',
    ):
        (below / name).write_text("x", encoding="utf-8")
    (below / "__pycache__").mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.pem").write_text("x", encoding="utf-8")
    (below / "out").symlink_to(tmp_path / "secret")
    (below / "key.pem").symlink_to(tmp_path / "secret" / "key.pem")
    os.mkfifo(below / "pipe")
    return below


def offered(folder: Path, marked: str) -> tuple[list[str], str]:
    """The labels offered at the mark, and the text that they replace."""
    found, text = completed(folder, marked)
    return [s.label for s in found.suggestions], text[found.span.start : found.span.end]


def completed(folder: Path, marked: str) -> tuple[Completion, str]:
    text, offset = at_mark(marked)
    source = SourceFile(str(folder / "a.dcp"), text)
    return complete(Compilation(source, DiskWorkspace(str(folder))), offset), text


@pytest.mark.parametrize(
    ("typed", "labels", "replaced"),
    [
        ('task t { adapter = file("‸") }', ["base$1.json", "data/", "task.py"], ""),
        ('task t { adapter = file("ta‸") }', ["base$1.json", "data/", "task.py"], "ta"),
        ('task t { adapter = file("ta‸', ["base$1.json", "data/", "task.py"], "ta"),
        ('information { given w = file("data/‸") }', ["a.csv", "own.dcp", "raw/"], ""),
        ('information { given w = file("data/a.‸csv") }', ["a.csv", "own.dcp", "raw/"], "a."),
        ('information { given w = file("data/raw/‸', [], ""),
        ('information { given w = file("data/raw/../‸', [], ""),
        ('information { given w = file("../‸', [], ""),
        ('information { given w = file("/‸', [], ""),
        ('information { given w = file("out/‸', [], ""),  # a link out of the folder
        ('information { given w = file("none/‸', [], ""),
        ('information { given w = file("task.py/‸', [], ""),
        ('units = sealed("‸', [], ""),
        ('units = sealed("sha256:…", at = "‸")', [], ""),
        ('title = "‸"', [], ""),
        ('title = "file(‸"', [], "file("),
        ('# file("‸', [], ""),
        ('claim = """\n  file("‸\n"""', [], ""),
        ('information { given w = file("a", "‸', [], ""),
    ],
)
def test_files_are_offered_where_one_is_named(
    folder: Path, typed: str, labels: list[str], replaced: str
) -> None:
    assert offered(folder, f"{HEAD}{typed}\n}}\n") == (labels, replaced)


def test_a_name_is_inserted_as_it_is_not_as_a_snippet(folder: Path) -> None:
    found, _ = completed(folder, f'{HEAD}task t {{ adapter = file("‸") }}\n}}\n')
    assert [s.snippet for s in found.suggestions] == ["base\\$1.json", "data/", "task.py"]
    assert [s.kind for s in found.suggestions] == ["file", "folder", "file"]


def test_a_profile_is_a_file_of_the_language_or_one_that_is_shipped(folder: Path) -> None:
    assert offered(folder, 'dcp 1\nuse file("‸")\n') == (["data/"], "")
    assert offered(folder, 'dcp 1\nuse file("data/‸")\n') == (["own.dcp", "raw/"], "")
    labels, replaced = offered(folder, 'dcp 1\nuse "dcp.k‸')
    assert "dcp.kernel/2" in labels and replaced == "dcp.k"


def test_a_text_that_lies_nowhere_has_no_files() -> None:
    text, offset = at_mark(f'{HEAD}task t {{ adapter = file("‸") }}\n}}\n')
    assert complete(compiled(text), offset).suggestions == ()


def test_a_folder_that_was_deleted_has_no_files(tmp_path: Path) -> None:
    assert offered(tmp_path / "gone", 'dcp 1\nuse file("‸")\n') == ([], "")


def test_behind_a_text_completion_goes_on(folder: Path) -> None:
    labels, _ = offered(folder, f'{HEAD}claim = "said" ,‸\n}}\n')
    assert "mode" in labels
