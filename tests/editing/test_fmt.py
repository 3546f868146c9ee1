"""`dcpc fmt` and `dcpc check --fix`: what they write, and what they leave alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from syntax_programs import programs

from dcp_lang.cli import run
from dcp_lang.diagnostics.model import Sink
from dcp_lang.editing.outline import walk
from dcp_lang.source import SourceFile
from dcp_lang.syntax import ast, parse, rewrite
from dcp_lang.syntax.printer import same_tree
from dcp_lang.syntax.rewrite import UnfaithfulError, formatted

UNTIDY = "dcp 1\nthresholds {\n δ_min=0.5   # the least gain\n\n\n  ε = δ_min/100}\n"
TIDY = "dcp 1\nthresholds {\n  δ_min = 0.5  # the least gain\n\n  ε = δ_min / 100\n}\n"
BROKEN = "dcp 1\nthresholds { δ_min = = 0.5\n"


def test_a_file_is_formatted_in_place_with_its_comments(tmp_path: Path) -> None:
    path = tmp_path / "a.dcp"
    path.write_text(UNTIDY, encoding="utf-8")
    path.chmod(0o640)
    assert run(["fmt", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == TIDY
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["a.dcp"]


def test_a_tidy_file_is_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "a.dcp"
    path.write_text(TIDY, encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert run(["fmt", str(path)]) == 0
    assert path.stat().st_mtime_ns == 1


def crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


PROSE = 'dcp 1\nregistration a : core {\n  claim = """\n    one\n    two\n    """\n}\n'


@pytest.mark.parametrize(("before", "after"), [(UNTIDY, TIDY), (TIDY, TIDY), (PROSE, PROSE)])
def test_crlf_line_ends_are_kept(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "a.dcp"
    path.write_bytes(crlf(before))
    assert run(["fmt", "--check", str(path)]) == (before != after)
    assert run(["fmt", str(path)]) == 0
    assert path.read_bytes() == crlf(after)


def test_line_ends_of_two_kinds_become_one(tmp_path: Path) -> None:
    path = tmp_path / "a.dcp"
    path.write_bytes(crlf(TIDY).replace(b"\r\n", b"\n", 1))
    assert run(["fmt", "--check", str(path)]) == 1
    assert run(["fmt", str(path)]) == 0
    assert path.read_bytes() == TIDY.encode()


def test_a_file_without_line_ends_gets_the_common_one(tmp_path: Path) -> None:
    path = tmp_path / "a.dcp"
    path.write_bytes(b"dcp 1")
    assert run(["fmt", str(path)]) == 0
    assert path.read_bytes() == b"dcp 1\n"


def test_crlf_is_read_as_lf() -> None:
    values = []
    for text in (PROSE, crlf(PROSE).decode()):
        tree = parse(SourceFile("a", text), sink := Sink())
        values.append([node.value for node in walk(tree.statements) if isinstance(node, ast.Text)])
        assert not sink.has_errors
    assert values == [["one\ntwo"], ["one\ntwo"]]


def test_fixes_keep_crlf_line_ends(tmp_path: Path) -> None:
    text = "registration a : core {\n  mode = prospektive\n}\n"
    path = tmp_path / "a.dcp"
    path.write_bytes(crlf(text))
    run(["check", "--fix", str(path)])
    assert path.read_bytes() == crlf("dcp 1\n\n" + text)


def test_check_says_so_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    untidy, tidy = tmp_path / "a.dcp", tmp_path / "b.dcp"
    untidy.write_text(UNTIDY, encoding="utf-8")
    tidy.write_text(TIDY, encoding="utf-8")
    assert run(["fmt", "--check", str(untidy), str(tidy)]) == 1
    assert capsys.readouterr().err == f"would reformat {untidy}\n"
    assert untidy.read_text(encoding="utf-8") == UNTIDY
    assert run(["fmt", "--check", str(tidy)]) == 0


def test_diff_shows_the_lines_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.dcp"
    path.write_text(UNTIDY, encoding="utf-8")
    assert run(["fmt", "--diff", str(path)]) == 0
    assert run(["fmt", "--diff", "--check", str(path)]) == 1
    shown = capsys.readouterr().out
    assert "- δ_min=0.5   # the least gain\n" in shown and "+  δ_min = 0.5  # the least gain\n" in shown
    assert path.read_text(encoding="utf-8") == UNTIDY


def test_ascii_spells_the_greek_letters(tmp_path: Path) -> None:
    path = tmp_path / "a.dcp"
    path.write_text(UNTIDY, encoding="utf-8")
    assert run(["fmt", "--ascii", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == TIDY.replace("δ", "delta").replace("ε", "epsilon")


def test_a_file_that_cannot_be_parsed_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.dcp"
    path.write_text(BROKEN, encoding="utf-8")
    assert run(["fmt", str(path)]) == 1
    assert path.read_text(encoding="utf-8") == BROKEN
    assert f"{path}:2:" in capsys.readouterr().err


def test_a_formatter_that_changes_the_meaning_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.dcp"
    path.write_text(UNTIDY, encoding="utf-8")
    monkeypatch.setattr(rewrite, "format_file", lambda *_, **__: TIDY.replace("0.5", "0.6"))
    assert run(["fmt", str(path)]) == 3
    assert "bug of dcpc" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == UNTIDY


def test_a_lost_comment_is_a_changed_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewrite, "format_file", lambda *_, **__: TIDY.replace("  # the least gain", ""))
    with pytest.raises(UnfaithfulError):
        formatted(SourceFile("a.dcp", UNTIDY), Sink())


def test_folders_are_walked_and_hidden_files_left_out(tmp_path: Path) -> None:
    names = ("a.dcp", "below/b.dcp", ".hidden/c.dcp", "node_modules/d.dcp", "e.txt")
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(UNTIDY, encoding="utf-8")
    assert run(["fmt", str(tmp_path)]) == 0
    assert [n for n in names if (tmp_path / n).read_text(encoding="utf-8") == TIDY] == [
        "a.dcp",
        "below/b.dcp",
    ]


def test_standard_input_goes_to_standard_output() -> None:
    command = [sys.executable, "-m", "dcp_lang", "fmt", "-"]
    tidy = subprocess.run(command, input=UNTIDY.encode(), capture_output=True, check=False)
    assert (tidy.returncode, tidy.stdout.decode(), tidy.stderr) == (0, TIDY, b"")
    broken = subprocess.run(command, input=BROKEN.encode(), capture_output=True, check=False)
    assert (broken.returncode, broken.stdout) == (1, b"") and b"<stdin>:2:" in broken.stderr


@settings(max_examples=40, deadline=None)
@given(programs(), st.booleans())
def test_formatting_keeps_the_meaning_and_has_one_result(program: str, is_ascii: bool) -> None:
    source = SourceFile("a.dcp", program)
    assume(parse(source, Sink()).statements)  # a file of blanks and comments alone is a fault
    text = formatted(source, Sink(), ascii=is_ascii)
    assert text is not None
    assert same_tree(parse(source, Sink()), parse(SourceFile("a.dcp", text), Sink()))
    assert formatted(SourceFile("a.dcp", text), Sink(), ascii=is_ascii) == text


def test_fix_applies_the_safe_fixes_and_keeps_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.dcp"
    path.write_text(
        "# kept\nregistration a : core {\n  title   = “A name”   # kept too\n}\n", encoding="utf-8"
    )
    run(["check", "--fix", str(path)])
    assert path.read_text(encoding="utf-8") == (
        'dcp 1\n\n# kept\nregistration a : core {\n  title   = "A name"   # kept too\n}\n'
    )
    assert "fixes applied" in capsys.readouterr().err


def test_fix_leaves_unsafe_fixes_and_standard_input_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.dcp"
    text = 'dcp 1\nregistration a : core {\n  titel = "A name"\n}\n'
    path.write_text(text, encoding="utf-8")
    assert run(["check", "--fix", str(path)]) == 1
    assert path.read_text(encoding="utf-8") == text
    assert run(["check", "--fix", "-"]) == 2
