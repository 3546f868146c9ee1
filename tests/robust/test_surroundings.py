"""The world around a run: interruptions, full disks, closed pipes, poor locales. One line each, never a trace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from started import dcpc, environment

from dcp_lang.bulk import check as bulk
from dcp_lang.cli import run


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
            env=environment(),
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
    assert err == b"" and b"1 file: 1 sound" in out


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


def test_a_starter_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The disk is full after two files; the next try is not told that they exist."""
    synced, sync = [], os.fsync

    def fill(handle: int) -> None:
        synced.append(handle)
        if len(synced) > 4:
            raise OSError(28, "No space left on device")
        sync(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fill)
        assert run(["init", str(tmp_path / "new")]) == 1
    assert capsys.readouterr().err == "dcpc: [Errno 28] No space left on device\n"
    assert not [path for path in (tmp_path / "new").rglob("*") if path.is_file()]
    assert run(["init", str(tmp_path / "new")]) == 0


@pytest.mark.parametrize("stream", [0, 1, 2])
def test_a_standard_stream_that_is_closed_is_empty(stream: int, folder: Path) -> None:
    """As `<&-` in a shell: nothing to read, nowhere to write, and no file of ours under its number."""
    call = f'"$0" -m dcp_lang check - . {"<" if stream == 0 else f"{stream}>"}&-'
    variables = environment(XDG_CACHE_HOME=str(folder.parent / "cache"))
    source = None if stream == 0 else b""
    done = subprocess.run(
        ["sh", "-c", call, sys.executable],
        cwd=folder,
        env=variables,
        input=source,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1 and done.stderr == b""
    assert stream == 1 or (b"error[E006]" in done.stdout and b"2 files: 1 sound" in done.stdout)


def test_a_folder_that_is_gone(folder: Path) -> None:
    call = 'rmdir "$PWD" && exec "$0" -m dcp_lang check x.dcp'
    (folder / "gone").mkdir()
    done = subprocess.run(
        ["sh", "-c", call, sys.executable],
        cwd=folder / "gone",
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"") and b"error[E822]" in done.stdout


@pytest.mark.parametrize("encoding", ["ascii:strict", "latin-1", "utf-16", "cp037"])
def test_an_odd_encoding(encoding: str, folder: Path) -> None:
    """What the encoding lacks is escaped; what it spells otherwise is spelled so."""
    out, err = dcpc("check", folder / "registration.dcp", PYTHONIOENCODING=encoding).communicate()
    assert err == b"" and "info[W203]" in out.decode(encoding.partition(":")[0])


def test_a_locale_that_is_not_installed(folder: Path) -> None:
    out, err = dcpc("check", folder / "registration.dcp", LC_ALL="xx_YY.UTF-8").communicate()
    assert err == b"" and b"info[W203]" in out


@pytest.mark.parametrize("home", [{"XDG_CACHE_HOME": "relative"}, {"XDG_CACHE_HOME": "", "HOME": "~"}])
def test_no_cache_is_made_among_the_submissions(
    home: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache folder that is relative, or that nobody knows."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder.parent))
    for name, value in home.items():
        monkeypatch.setenv(name, value)
    before = sorted(os.listdir())
    assert run(["check", "."]) == 0
    assert sorted(os.listdir()) == before


def test_a_limit_on_files_costs_the_cache_only(many: Path) -> None:
    """Where no file may grow beyond a page, answers are not kept, and everything else is as ever."""
    resource = pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-m", "dcp_lang", "check", many],
        env=environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"") and b"6 files: 1 sound" in done.stdout
