"""What is no registration gets one error that says why, exit code 1, and no file is written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

Codes = Callable[..., list[str]]

#: What stands in the sound registration, what is written instead, the one error that must follow.
EDITS = {
    "unclosed string": ("web access = none\n", 'web access = "none\n', "E030"),
    "unclosed block string": ('recovers the target.\n    """', "recovers the target.", "E030"),
    "unclosed block": ("\n  require ε < x - score(first_fit)\n}", "\n", "E041"),
    "unknown edition": ("dcp 1\n", "dcp 9\n", "E108"),
    "Cyrillic о": ("mode = prospective", "mоde = prospective", "E010"),
    "exponent": ("5_000 USD", "1e9 USD", "E020"),
    "two points": ("δ_min = 0.1\n", "δ_min = 0.1.2\n", "E023"),
    "two percent signs": ("ρ = 5%", "ρ = 5 %%", "E024"),
    "two units": ("10 USD", "10 USD + 30 min", "E106"),
    "outside": ("baseline.json", "../../etc/passwd", "E801"),
    "absolute path": ("baseline.json", "/etc/passwd", "E801"),
    "missing file": ("baseline.json", "nothing.json", "E802"),
    "link": ("baseline.json", "link.json", "E803"),
    "behind a link": ("baseline.json", "linked/TASK.md", "E803"),
    "pipe": ("baseline.json", "pipe.json", "E806"),
    "file named as a folder": ("baseline.json", "baseline.json/", "E806"),
    "accent in a name": ("workspace/", "accents/", "E801"),
    "names that differ in case": ("workspace/", "cases/", "E801"),
    "name with a line end": ("workspace/", "lines/", "E801"),
    "shipped profile of no such name": ('"dcp.kernel/2"', '"dcp.kernel/9"', "E901"),
}

BYTES = {
    "empty": (b"", "E006"),
    "blank": (b"\r\n \n", "E006"),
    "binary": (bytes(range(256)), "E002"),
    "UTF-16": ("dcp 1".encode("utf-16"), "E003"),
    "Latin-1": ("dcp 1 # é".encode("latin-1"), "E003"),
    "5 MB of brackets": (b"[" * 5_000_000, "E001"),
    "200 kB of brackets": (b"[" * 200_000, "E040"),
}


@pytest.fixture
def hostile(folder: Path) -> Path:
    """The folder with what must not be committed."""
    (folder / "link.json").symlink_to(folder / "baseline.json")
    (folder / "linked").symlink_to(folder / "workspace")
    os.mkfifo(folder / "pipe.json")
    for name in ("accents/é.txt", "cases/a.txt", "cases/A.txt", "lines/a\nb.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"x")
    return folder


def compile_codes(codes: Codes, folder: Path, data: bytes) -> list[str]:
    """Exit code and errors of compiling bytes; nothing may have been written for a failure."""
    (folder / "registration.dcp").write_bytes(data)
    before = sorted(folder.parent.rglob("*"))
    found = codes("compile", folder / "registration.dcp", "-o", folder.parent / "out")
    assert found[0] == "0" or sorted(folder.parent.rglob("*")) == before
    return found


@pytest.mark.parametrize("case", EDITS)
def test_one_edit_one_error(case: str, codes: Codes, hostile: Path, sound: str) -> None:
    old, new, code = EDITS[case]
    assert sound.count(old) == 1
    assert compile_codes(codes, hostile, sound.replace(old, new).encode()) == ["1", code]


@pytest.mark.parametrize("case", BYTES)
def test_no_registration_at_all(case: str, codes: Codes, folder: Path) -> None:
    data, code = BYTES[case]
    assert compile_codes(codes, folder, data) == ["1", code]


def test_byte_order_mark(codes: Codes, folder: Path, sound: str) -> None:
    assert compile_codes(codes, folder, b"\xef\xbb\xbf" + sound.encode()) == ["1", "E004"]


def test_two_registrations(codes: Codes, folder: Path, sound: str) -> None:
    second = sound[sound.index("registration ") :]
    assert compile_codes(codes, folder, (sound + second).encode()) == ["1", "E109"]


def test_windows_line_ends_are_no_fault(codes: Codes, folder: Path, sound: str) -> None:
    """CRLF is how an editor saves the same text: it compiles, also inside of block strings."""
    assert compile_codes(codes, folder, sound.replace("\n", "\r\n").encode()) == ["0"]


def test_a_lone_carriage_return_is_one(codes: Codes, folder: Path, sound: str) -> None:
    found = compile_codes(codes, folder, sound.replace("ρ = 5%\n", "ρ = 5%\r\n\r", 1).encode())
    assert found[0] == "1" and len(found) == 2


def test_a_type_fault_in_a_bare_registration(codes: Codes, folder: Path) -> None:
    found = compile_codes(codes, folder, b"registration x : core { id = 5% }")
    assert found[0] == "1" and {"E104", "E108"} <= set(found)
