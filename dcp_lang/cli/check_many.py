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

#: Columns of the bar, and how often it moves at most.
_WIDTH, _STEPS = 30, 1000


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
    """Show on standard error how far it is while a terminal watches; no line of findings begins with it."""
    if not sys.stderr.isatty():
        yield from checked
        return
    step = max(total // _STEPS, 1)
    for number, each in enumerate(checked, 1):
        if each.answer.rows:
            _watch("")
        yield each
        if number % step == 0:
            _watch(f"[{'#' * (number * _WIDTH // total):<{_WIDTH}}] {number}/{total}")
    _watch("")


def _watch(text: str) -> None:
    """Replace what stands in the terminal's last line."""
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
