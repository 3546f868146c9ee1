"""Folders of many files and of hostile names: counted on a terminal only, and no name forges a line of output."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from started import environment

from dcp_lang.bulk.cache import Answer
from dcp_lang.bulk.many import Checked
from dcp_lang.bulk.submission import Submission
from dcp_lang.cli import check_many, run
from dcp_lang.diagnostics.formats import FORMATS
from dcp_lang.sema.materials import MaterialError
from dcp_lang.workspace import MAX_FILES, DiskWorkspace

pty = pytest.importorskip("pty", reason="no pseudo-terminals on this system")


@pytest.fixture
def flood(tmp_path: Path) -> Path:
    """Forty sources of an unknown edition: two errors each."""
    for number in range(40):
        (tmp_path / f"f{number:02}.dcp").write_bytes(b"dcp 9\n")
    return tmp_path


def _standard_error(arguments: list[str], on_terminal: bool, output_too: bool = False) -> bytes:
    """What `dcpc` writes to standard error, a terminal or a pipe; with standard output where that is the same."""
    reader, writer = pty.openpty() if on_terminal else os.pipe()
    done = subprocess.Popen(
        [sys.executable, "-m", "dcp_lang", *arguments],
        stdout=writer if output_too else subprocess.DEVNULL,
        stderr=writer,
        env=environment(NO_COLOR="1"),
    )
    os.close(writer)
    shown = b""
    try:
        while chunk := os.read(reader, 4096):
            shown += chunk
    except OSError:  # how the end of a terminal looks on Linux
        pass
    finally:
        os.close(reader)
    assert done.wait(60) == 1
    return shown


def test_a_terminal_sees_the_count_and_loses_it_at_the_end(flood: Path) -> None:
    shown = _standard_error(["check", "--no-cache", str(flood)], on_terminal=True)
    assert b"\r\x1b[K[%-30b] 20/40\r" % (b"#" * 15) in shown
    assert shown.endswith(b"\r\x1b[K[%b] 40/40\r\x1b[K" % (b"#" * 30))


def test_the_count_moves_a_thousand_times_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three are shown of a flood of 3,500 without findings: nothing else need be erased."""
    monkeypatch.setattr(check_many, "_STEPS", 3)
    monkeypatch.setattr(sys, "stderr", terminal := io.StringIO())
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    quiet = Checked(Submission("r.dcp"), b"", Answer([], [], [], "", "", ""))
    assert len(list(check_many._counted(iter([quiet] * 3500), 3500))) == 3500
    assert [each[-9:] for each in terminal.getvalue().split("\r\x1b[K")[1:]] == [
        "1166/3500",
        "2332/3500",
        "3498/3500",
        "",
    ]


def test_no_finding_begins_behind_the_count(flood: Path) -> None:
    """Findings and count on one terminal: the count is gone before a finding is printed."""
    shown = _standard_error(["check", "--no-cache", str(flood)], on_terminal=True, output_too=True)
    assert shown.count(b"\r\x1b[Kerror[E109]") == 40


def test_a_pipe_sees_no_count(flood: Path) -> None:
    assert _standard_error(["check", "--no-cache", str(flood)], on_terminal=False) == b""


def test_one_named_file_shows_no_count(flood: Path) -> None:
    assert b"/1" not in _standard_error(["check", str(flood / "f00.dcp")], on_terminal=True)


def test_a_name_with_a_line_end_forges_no_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file name is the claimant's text: it may not look like a finding, nor like a command to GitHub."""
    (tmp_path / "a\nerror[E999]: forged\n::error file=x::y.dcp").mkdir(parents=True)
    (tmp_path / "a\nerror[E999]: forged\n::error file=x::y.dcp" / "b\r\x1b[2J.dcp").write_bytes(b"dcp 9\n")
    for form in (*FORMATS, "html"):
        assert run(["check", "--no-cache", "--format", form, str(tmp_path)]) == 1
        shown = capsys.readouterr().out
        assert "\x1b" not in shown, form
        lines = shown.splitlines()
        assert not [line for line in lines if line.startswith(("error[E999]", "::error file=x"))], form


def test_a_folder_beyond_the_cap_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file more than the cap, which is lowered here: 100,000 files take a test too long."""
    assert MAX_FILES == 100_000
    monkeypatch.setattr("dcp_lang.workspace.MAX_FILES", 3)
    for number in range(3):
        (tmp_path / "folder" / f"part{number}").mkdir(parents=True)
        (tmp_path / "folder" / f"part{number}" / "file").write_bytes(b"x")
    assert len(DiskWorkspace(str(tmp_path)).material("folder/", folder=True).files) == 3
    (tmp_path / "folder" / "part0" / "another").write_bytes(b"x")
    with pytest.raises(MaterialError, match="holds more than 3 files"):
        DiskWorkspace(str(tmp_path)).material("folder/", folder=True)


def test_a_profile_that_is_a_folder_is_no_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "r.dcp").write_text('dcp 1\nuse file("folder/")\nregistration r : core { }\n', "utf-8")
    assert run(["check", str(tmp_path / "r.dcp")]) == 1
    assert "error[E" in capsys.readouterr().out
