"""`dcpc check FILE|DIR…`"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from dcp_lang.cli.common import show
from dcp_lang.cli.parameters import Command, MisuseError, Option
from dcp_lang.diagnostics.formats import FORMATS
from dcp_lang.diagnostics.model import Diagnostic


def check(
    paths: tuple[str, ...], form: str, profile: str | None, strict: bool, fix: bool, no_cache: bool
) -> int:
    """Check registrations, sources and compiled ones, and show every finding.

    Folders are walked; `-` reads standard input. Files that have not changed are answered from a cache.
    """
    from dcp_lang.bulk.check import Options, check_all
    from dcp_lang.bulk.walk import submissions

    files = list(submissions(paths))
    is_bulk = len(files) != 1 or files[0] != paths[0]
    options = Options(_profile(profile), strict, _cache(is_bulk and not no_cache))
    if fix:
        _mend(files)
    checked = _progress(check_all(files, options), len(files) if is_bulk else 0)
    if form == "text":
        return _text(checked, is_bulk)
    found = [d for _, diagnostics in checked for d in diagnostics]
    print(_html(files, found) if form == "html" else FORMATS[form](found), end="")
    return _code(found)


def _html(files: list[str], found: list[Diagnostic]) -> str:
    from dcp_lang.cli.report_html import render_report

    return render_report(files, found)


def _mend(files: list[str]) -> None:
    from dcp_lang.cli.mend import mend

    if "-" in files:
        raise MisuseError("--fix needs files: standard input cannot be changed in place")
    for path in files:
        if path.endswith(".dcp"):
            mend(path)


def _profile(name: str | None) -> str:
    from dcp_lang.resources import profile_names, profile_text

    if name is None:
        return ""
    if name in profile_names():
        return profile_text(name)
    try:
        with open(name, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise MisuseError(f"--profile {name}: {error}") from error


def _cache(wanted: bool) -> str:
    if not wanted:
        return ""
    from dcp_lang.bulk.cache import default_path

    return default_path()


def _text(checked: Iterator[tuple[str, list[Diagnostic]]], is_bulk: bool) -> int:
    """Findings as they come, then a table of all files where there is more than one."""
    from dcp_lang.bulk.summary import Tally

    tally = Tally()
    for path, found in checked:
        tally.add(path, found)
        show(found, err=False)
    if is_bulk:
        print(tally.table())
    return 1 if tally.errors else 0


def _progress(
    checked: Iterator[tuple[str, list[Diagnostic]]], total: int
) -> Iterator[tuple[str, list[Diagnostic]]]:
    """Count on standard error while a terminal watches."""
    if not total or not sys.stderr.isatty():
        yield from checked
        return
    for number, row in enumerate(checked, 1):
        print(f"\r\x1b[K{number}/{total}", end="", file=sys.stderr, flush=True)
        yield row
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _code(found: list[Diagnostic]) -> int:
    return 1 if any(d.is_error for d in found) else 0


command = Command(
    "check",
    check,
    "paths",
    (
        Option("--format", "form", "How findings show.", choices=(*FORMATS, "html"), default="text"),
        Option(
            "--profile", "profile", "An authority's profile, a file or a name: its rules hold for every file."
        ),
        Option("--strict", "strict", "Lints count as errors.", is_flag=True),
        Option("--fix", "fix", "Apply the safe fixes in place, then check.", is_flag=True),
        Option("--no-cache", "no_cache", "Check everything again.", is_flag=True),
    ),
)
