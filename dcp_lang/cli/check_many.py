"""Many files at once: findings as they come, then a table; or everything in one document."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from dcp_lang.bulk.cache import default_path
from dcp_lang.bulk.check import Options
from dcp_lang.bulk.many import COLOR, DATA, PLAIN, Checked, check_all
from dcp_lang.bulk.submission import Submission
from dcp_lang.bulk.summary import Tally
from dcp_lang.cli.check import written
from dcp_lang.cli.common import is_colored
from dcp_lang.diagnostics.model import Diagnostic


def check_many(files: Sequence[Submission], options: Options, form: str, *, use_cache: bool) -> int:
    """Check files, show what is found, and return the exit code."""
    cache = default_path() if use_cache else ""
    paint = DATA if form != "text" else COLOR if is_colored(sys.stdout) else PLAIN
    checked = _counted(check_all(files, options, cache, paint), len(files))
    if form == "text":
        return _text(checked)
    tally = Tally()
    sys.stdout.writelines(written([file.path for file in files], _findings(checked, tally), form))
    return 1 if tally.errors else 0


def _findings(checked: Iterator[Checked], tally: Tally) -> Iterator[Diagnostic]:
    for each in checked:
        tally.add(each.answer.rows)
        yield from each.findings()


def _text(checked: Iterator[Checked]) -> int:
    tally = Tally()
    for each in checked:
        tally.add(each.answer.rows)
        print(each.answer.text, end="")
    print(tally.table())
    return 1 if tally.errors else 0


def _counted(checked: Iterator[Checked], total: int) -> Iterator[Checked]:
    """Count on standard error while a terminal watches."""
    if not sys.stderr.isatty():
        yield from checked
        return
    for number, each in enumerate(checked, 1):
        print(f"\r\x1b[K{number}/{total}", end="", file=sys.stderr, flush=True)
        yield each
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)
