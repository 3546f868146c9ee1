"""What a command may load: the budget that keeps its start short, without a clock."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: Each takes a millisecond or more, and a check needs none of them.
STANDARD = {
    *(
        "ast",
        "asyncio",
        "bisect",
        "concurrent",
        "contextlib",
        "dataclasses",
        "datetime",
        "difflib",
        "importlib.metadata",
        "inspect",
    ),
    *(
        "_hashlib",
        "hashlib",
        "json",
        "logging",
        "multiprocessing",
        "pathlib",
        "pickle",
        "random",
        "shutil",
        "socket",
        "sqlite3",
        "struct",
    ),
    *("subprocess", "tempfile", "textwrap", "tokenize", "traceback", "typing", "urllib", "uuid"),
}
#: What only a fault, a finding or another command needs.
OURS = (
    *(
        f"dcp_lang.{package}"
        for package in ("editing", "emit", "frozen", "integrations", "lsp", "seal", "verify")
    ),
    *(f"dcp_lang.syntax.{module}" for module in ("faults", "generate", "printer", "recovery", "spelling")),
    *(f"dcp_lang.canonical.{module}" for module in ("errors", "jcs", "strict")),
    *(
        f"dcp_lang.{module}"
        for module in (
            "cli.group",
            "cli.common",
            "diagnostics.formats",
            "diagnostics.text",
            "diagnostics.fixes",
        )
    ),
    *(f"dcp_lang.sema.{module}" for module in ("cells", "missing", "shown", "symbolic")),
    *(f"dcp_lang.{module}" for module in ("bulk.cache", "bulk.walk", "stats.bernstein", "stats.binomial")),
)
PROBE = """
import sys
before = set(sys.modules)
from dcp_lang.cli import run
code = run(sys.argv[1:])
print(code, *sorted(set(sys.modules) - before), file=sys.stderr)
"""

PATTERNS = """
import fractions, sys
from re import _compiler
compiled, compile = [], _compiler.compile
_compiler.compile = lambda pattern, flags=0: compiled.append(pattern) or compile(pattern, flags)
from dcp_lang.cli import run
from dcp_lang.syntax import tables
assert run(sys.argv[1:]) == 0
print(compiled == [tables.PATTERN.pattern])
"""


def loaded(*arguments: str | Path) -> set[str]:
    """The modules that a command loads which ends well."""
    probe = [sys.executable, "-c", PROBE, *map(str, arguments)]
    done = subprocess.run(probe, cwd=ROOT, capture_output=True, text=True, check=True)
    code, *modules = done.stderr.split()
    assert code == "0"
    return set(modules)


@pytest.fixture
def silent(folder: Path, sound: str) -> Path:
    """A sound Evidence registration without a single finding."""
    path = folder / "registration.dcp"
    allowed = '  allow W203 because "no score can fall between"\n}\n'
    path.write_text(sound.rstrip().removesuffix("}") + allowed, encoding="utf-8")
    return path


def test_a_check_loads_only_what_it_needs(silent: Path) -> None:
    modules = loaded("check", silent)
    assert not modules & STANDARD
    assert not [m for m in modules if m.startswith(OURS)]
    assert {m.partition(".")[0] for m in modules} - {"dcp_lang"} <= sys.stdlib_module_names
    assert len([m for m in modules if m.startswith("dcp_lang")]) <= 101


def test_a_check_compiles_the_pattern_of_the_lexer_alone(silent: Path) -> None:
    """Python takes milliseconds for a regular expression: the standard library's own are compiled before."""
    probe = [sys.executable, "-c", PATTERNS, "check", str(silent)]
    assert subprocess.run(probe, cwd=ROOT, capture_output=True, text=True, check=True).stdout == "True\n"


def test_a_finding_loads_what_shows_it() -> None:
    modules = loaded("check", "examples/sqlite_web/registration.dcp")
    assert "dcp_lang.diagnostics.text" in modules and not modules & STANDARD
    # No finding has a fix, and no `allow` stands in the file.
    assert not modules & {"dcp_lang.diagnostics.fixes", "dcp_lang.sema.waivers"}


def test_an_unchanged_folder_loads_no_compiler(silent: Path) -> None:
    """Nor what would check in other processes: the cache knows it all."""
    loaded("check", silent.parent)
    modules = loaded("check", silent.parent)
    assert not modules & (STANDARD - {"_hashlib", "contextlib", "datetime", "hashlib", "sqlite3"})
    packages = ("driver", "diagnostics.text", "emit", "frozen", "sema", "syntax")
    assert not [m for m in modules if m.startswith(tuple(f"dcp_lang.{package}" for package in packages))]


def test_fmt_loads_neither_click_nor_what_decides(silent: Path) -> None:
    modules = loaded("fmt", "--check", silent)
    assert "click" not in modules and not [m for m in modules if m.startswith("dcp_lang.sema")]


def test_help_loads_no_command() -> None:
    modules = {m for m in loaded("--help") if m.startswith(("dcp_lang", "click"))}
    assert modules == {
        *("dcp_lang", "dcp_lang.record", "dcp_lang.cli", "dcp_lang.cli.parameters", "dcp_lang.cli.overview")
    }


@pytest.mark.parametrize("ending", ["", "import atexit; atexit.register(print, 'told')"])
def test_an_end_at_once_loses_no_output_and_no_one_who_waits_for_it(ending: str, silent: Path) -> None:
    call = f"{ending}\nfrom dcp_lang.__main__ import main; main()"
    arguments = [sys.executable, "-c", call, "check", "--no-cache", str(silent.parent)]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == "" and "1 file: 1 sound" in done.stdout
    assert done.stdout.endswith("told\n") == bool(ending)
