"""The world around a run: interruptions, full disks, closed pipes, poor locales. One line each, never a trace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dcp_lang.bulk import check as bulk
from dcp_lang.cli import run

ROOT = Path(__file__).resolve().parents[2]


def dcpc(*arguments: str | Path, stdin: bytes | None = None, **environment: str) -> subprocess.Popen[bytes]:
    """A started `dcpc`, its standard streams piped."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dcp_lang", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    assert process.stdin
    if stdin is not None:
        process.stdin.write(stdin)
    process.stdin.close()
    process.stdin = None
    return process


def test_an_interruption_leaves_130(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(bulk, "check_submission", interrupt)
    assert run(["check", str(folder / "registration.dcp")]) == 130


def test_a_bug_says_that_it_is_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bulk, "check_submission", lambda *_: 1 // 0)
    assert run(["check", str(folder / "registration.dcp")]) == 3
    shown = capsys.readouterr().err
    assert shown.startswith("error[I901]: this is a bug of dcpc") and shown.count("\n") == 1


def test_out_of_memory_is_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def exhaust(*_: object) -> None:
        raise MemoryError("out of memory")

    monkeypatch.setattr(bulk, "check_submission", exhaust)
    assert run(["check", str(folder / "registration.dcp")]) == 1
    assert capsys.readouterr().err == "dcpc: out of memory\n"


def test_a_closed_pipe_is_no_trace() -> None:
    process = dcpc("rules")
    assert process.stdout and process.stderr
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dcp_lang", "rules"],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"dcpc: [Errno 28] No space left on device\n")


def test_a_locale_without_greek(folder: Path) -> None:
    """Every finding still shows; what the terminal cannot print is escaped."""
    poor = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    out, err = dcpc("check", folder / "registration.dcp", **poor).communicate()
    assert err == b"" and b"info[W203]" in out and b"`lattice = \\u2026`" in out


def test_standard_input_with_a_poor_locale(folder: Path, sound: str) -> None:
    data = sound.replace("ρ = 5%", "ρ = 200%").encode()
    process = dcpc("check", "-", stdin=data, LC_ALL="C")
    assert process.stdout
    assert b"error[E105]" in process.stdout.read()
    assert process.wait(60) == 1


def test_a_file_name_that_is_no_text(folder: Path) -> None:
    os.rename(folder / "registration.dcp", os.path.join(os.fsencode(folder), b"a\xff\n.dcp"))
    out, err = dcpc("check", folder, XDG_CACHE_HOME=str(folder.parent / "cache")).communicate()
    assert err == b"" and b"1 files: 1 sound" in out


@pytest.mark.parametrize("place", ["file/out", "file"])
def test_a_place_that_takes_no_build(place: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder.parent / "file").write_bytes(b"kept")
    assert run(["compile", str(folder / "registration.dcp"), "-o", str(folder.parent / place)]) == 1
    assert "dcpc: " in capsys.readouterr().err and (folder.parent / "file").read_bytes() == b"kept"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to the superuser")
def test_a_read_only_folder_stays_as_it_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    closed = folder.parent / "closed"
    closed.mkdir(mode=0o555)
    assert run(["compile", str(folder / "registration.dcp"), "-o", str(closed / "out")]) == 1
    assert "dcpc: " in capsys.readouterr().err and not any(closed.iterdir())


def test_a_build_beside_its_source_can_be_checked_with_it(folder: Path) -> None:
    assert run(["compile", str(folder / "registration.dcp"), "-o", str(folder / "out")]) == 0
    assert run(["check", "--no-cache", str(folder)]) == 0
