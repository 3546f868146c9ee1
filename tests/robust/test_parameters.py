"""What is read without click is what click reads, and looks as click shows it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dcp_lang.cli import run
from dcp_lang.cli.check import command
from dcp_lang.cli.group import click_command, run_click
from dcp_lang.cli.parameters import MisuseError, read

ROOT = Path(__file__).resolve().parents[2]

WORDS = st.one_of(
    st.sampled_from([word for option in command.options for word in (option.name, *option.choices)]),
    st.sampled_from(
        ["-", "--", "", "a.dcp", "folder", "-h", "--help", "--stric", "-fix", "--format=", "--strict="]
    ),
    st.builds("{}={}".format, st.sampled_from([o.name for o in command.options]), st.text(max_size=4)),
    st.text(max_size=6),
)


def _by_click(words: list[str]) -> dict[str, Any]:
    bare = command._replace(run=lambda **values: values)
    values = click_command(bare).main(words, prog_name="dcpc check", standalone_mode=False)
    assert isinstance(values, dict)
    return values


@given(st.lists(WORDS, max_size=5))
@example(["--format", "json", "a", "--strict", "b", "--format=sarif"])
@example(["--profile", "--strict", "a"])
@example(["--format", "yaml", "a"])
@example(["--profile="])
def test_what_is_read_is_what_click_reads(words: list[str]) -> None:
    try:
        values = read(command, words)
    except MisuseError:
        return
    assert values == _by_click(words)


def test_the_plain_cases_are_read() -> None:
    values = read(command, ["a.dcp", "--format=json", "--strict", "--profile", "house.dcp", "-"])
    assert values == {
        "paths": ("a.dcp", "-"),
        "form": "json",
        "profile": "house.dcp",
        "strict": True,
        "fix": False,
        "no_cache": False,
    }


@pytest.mark.parametrize(
    "words", [[], ["--"], ["--stric", "a"], ["--strict=1", "a"], ["--format=x", "a"], ["--format"]]
)
def test_a_mistake_is_left_to_click(words: list[str]) -> None:
    with pytest.raises(MisuseError):
        read(command, words)


@pytest.mark.parametrize("columns", ["40", "66", "80", "200"])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_the_overview_is_what_click_shows(
    option: str, columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert run([option]) == 0
    ours = capsys.readouterr().out
    assert run_click([option]) == 0
    assert ours == capsys.readouterr().out != ""


def test_a_misuse_found_by_the_command_names_its_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--fix", "-"]) == 2
    assert capsys.readouterr().err == (
        "Usage: dcpc check [OPTIONS] PATHS...\nTry 'dcpc check --help' for help.\n\n"
        "Error: --fix needs files: standard input cannot be changed in place\n"
    )


def test_completion_is_clicks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_DCPC_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "dcpc che")
    monkeypatch.setenv("COMP_CWORD", "1")
    with pytest.raises((SystemExit, click.exceptions.Exit)):
        run(["check", "a.dcp"])


@pytest.mark.parametrize(
    "arguments", [["--help"], ["check", "examples/sqlite_web/registration.dcp", "--strict"]]
)
def test_click_is_not_loaded(arguments: list[str]) -> None:
    code = f"import sys; from dcp_lang.cli import run; run({arguments!r}); sys.exit('click' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
