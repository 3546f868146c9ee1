"""`dcpc check FILE|DIR…`"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from dcp_lang.bulk.submission import Submission, submissions
from dcp_lang.cli.parameters import Command, MisuseError, Option
from dcp_lang.diagnostics import FORMAT_NAMES
from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from dcp_lang.bulk.check import Options


def check(
    paths: tuple[str, ...], form: str, profile: str | None, strict: bool, fix: bool, no_cache: bool
) -> int:
    """Check registrations, sources and compiled ones, and show every finding.

    Folders are walked; `-` reads standard input. Files that have not changed are answered from a cache.
    """
    from dcp_lang.bulk.check import Options

    files = list(submissions(paths))
    options = Options(_profile(profile), strict)
    if fix:
        _mend(files)
    if files == [Submission(paths[0])]:
        return _one(files[0], options, form)
    from dcp_lang.cli.check_many import check_many

    return check_many(files, options, form, use_cache=not no_cache)


def _one(file: Submission, options: Options, form: str) -> int:
    """A file that was named alone: nothing is counted, nothing kept."""
    from dcp_lang.bulk.check import check_submission

    found = check_submission(file, options)
    if form != "text":
        sys.stdout.writelines(written([file.path], found, form))
    elif found:
        from dcp_lang.cli.common import show

        show(found, err=False)
    return 1 if any(d.is_error for d in found) else 0


def written(paths: Sequence[str], found: Iterable[Diagnostic], form: str) -> Iterator[str]:
    """Findings in one of the formats for other programs, in pieces, or as a page."""
    if form != "html":
        from dcp_lang.diagnostics.formats import pieces

        return pieces(form, found)
    from dcp_lang.cli.report_html import render_report

    return iter([render_report(paths, list(found))])


def _mend(files: Sequence[Submission]) -> None:
    from dcp_lang.cli.mend import mend

    if any(file.path == "-" for file in files):
        raise MisuseError("--fix needs files: standard input cannot be changed in place")
    for file in files:
        if file.path.endswith(".dcp"):
            mend(file)


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


command = Command(
    "check",
    check,
    "paths",
    (
        Option("--format", "form", "How findings show.", choices=(*FORMAT_NAMES, "html"), default="text"),
        Option(
            "--profile", "profile", "An authority's profile, a file or a name: its rules hold for every file."
        ),
        Option("--strict", "strict", "Lints count as errors.", is_flag=True),
        Option("--fix", "fix", "Apply the safe fixes in place, then check.", is_flag=True),
        Option("--no-cache", "no_cache", "Check everything again.", is_flag=True),
    ),
)
