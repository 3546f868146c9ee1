"""Many submissions: which files they are, and that no short cut changes an answer."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from bulk_runs import AUTHORITY, found_in, plain

from dcp_lang.bulk import many as bulk
from dcp_lang.bulk.submission import Submission, submissions
from dcp_lang.canonical import canonical_bytes
from dcp_lang.cli import run

Codes = Callable[..., list[str]]


def test_the_walk_is_sorted_and_takes_submissions_only(tmp_path: Path) -> None:
    frozen = b'{"schema":"dcp-lang/registration/1"}'
    for name in ("b/x.dcp", "a.dcp", "b/a.dcp", ".git/h.dcp", "node_modules/n.dcp", "c/readme.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "c/frozen.json").write_bytes(frozen)
    (tmp_path / "c/other.json").write_bytes(b"{}")
    (tmp_path / "link.dcp").symlink_to(tmp_path / "a.dcp")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.dcp")
    found = [os.path.relpath(each.path, tmp_path) for each in submissions([str(tmp_path)])]
    assert found == ["a.dcp", "b/a.dcp", "b/x.dcp", "c/frozen.json"]


def test_named_files_keep_their_order(many: Path) -> None:
    named = [str(many / "faulty_3.dcp"), "-", str(many / "faulty_1.dcp")]
    assert list(submissions(named)) == [Submission(name) for name in named]


def test_parallel_equals_serial(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serial = found_in(many, cache=False)
    monkeypatch.setattr(bulk, "PARALLEL_FROM", 2)
    monkeypatch.setattr(bulk, "processors", lambda: 2)
    assert plain(found_in(many, cache=False)) == plain(serial)
    assert sum(any(d.is_error for d in found) for found in serial) == 5


def test_the_table_counts_files_and_codes(many: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--no-cache", str(many)]) == 1
    shown = capsys.readouterr().out
    assert "6 files: 1 sound, 5 with errors" in shown
    assert any(
        line.split()[0] == "E105" and line.endswith("5 in 5 files") for line in shown.splitlines() if line
    )


@pytest.fixture
def lint(folder: Path, sound: str) -> Path:
    """The folder with a registration that has one warning: one number decides every score."""
    (folder / "registration.dcp").write_text(sound.replace("(10 units)", "(1 unit)", 1), "utf-8")
    return folder


def test_strict_makes_lints_errors(codes: Codes, lint: Path) -> None:
    assert codes("check", lint / "registration.dcp") == ["0"]
    assert codes("check", "--strict", lint / "registration.dcp") == ["1", "W204"]


def test_strict_and_not_strict_have_answers_of_their_own(codes: Codes, lint: Path) -> None:
    assert codes("check", lint) == ["0"]
    assert codes("check", "--strict", lint) == ["1", "W204"]
    assert codes("check", lint) == ["0"]


def test_an_imposed_profile_holds_and_its_change_counts(codes: Codes, folder: Path) -> None:
    profile = folder.parent / "authority.dcp"
    profile.write_text(AUTHORITY.format("5%"), "utf-8")
    assert codes("check", folder, "--profile", profile) == ["0"]
    profile.write_text(AUTHORITY.format("1%"), "utf-8")
    assert codes("check", folder, "--profile", profile)[0] == "1"
    assert codes("check", folder, "--profile", "no-such-profile") == ["2"]


def test_a_compiled_registration_is_sound(codes: Codes, compiled: Path) -> None:
    assert codes("check", compiled) == ["0"]


def test_an_edited_value_in_a_compiled_registration_is_found(codes: Codes, compiled: Path) -> None:
    value = json.loads(compiled.read_bytes())
    assert value["fields"]["thresholds.rho"]["value"] == "0.05"
    value["fields"]["thresholds.rho"]["value"] = "0.06"
    compiled.write_bytes(canonical_bytes(value))
    assert codes("check", compiled) == ["1", "E821"]


def test_a_compiled_registration_in_another_form_is_unreadable(codes: Codes, compiled: Path) -> None:
    compiled.write_bytes(compiled.read_bytes() + b"\n")
    assert codes("check", compiled.parent) == ["1", "E820"]


def test_a_file_that_cannot_be_read_does_not_end_the_run(codes: Codes, many: Path) -> None:
    assert codes("check", many / "nothing.dcp", many / "faulty_0.dcp") == ["1", "E822", "E105"]


def test_an_endless_device_is_refused(codes: Codes) -> None:
    assert codes("check", "/dev/zero") == ["1", "E001"]


def test_an_empty_folder_is_sound(codes: Codes, tmp_path: Path) -> None:
    assert codes("check", tmp_path) == ["0"]
