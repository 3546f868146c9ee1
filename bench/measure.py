"""Processor time and memory of whole processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from subprocess import DEVNULL, run
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
#: Compiled modules are kept, as for every user, and nothing is read from the user's own cache.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {
    "PYTHONPATH": str(ROOT)
}
#: As the installed command starts: `python -m` would load what runs modules besides.
DCPC = (sys.executable, "-c", "from dcp_lang.__main__ import main; main()")


class Spent(NamedTuple):
    """The exit code of a process, and the processor seconds of it and its children."""

    code: int
    seconds: float


def spend(arguments: Sequence[str], **environment: str) -> Spent:
    """Run to the end; what it prints is dropped."""
    before = getrusage(RUSAGE_CHILDREN)
    done = run(arguments, stdout=DEVNULL, stderr=DEVNULL, check=False, env={**ENVIRONMENT, **environment})
    after = getrusage(RUSAGE_CHILDREN)
    return Spent(done.returncode, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def bare_start(repeat: int) -> float:
    """The unit of every table: processor seconds of `python -c pass`."""
    return median(spend([sys.executable, "-c", "pass"]).seconds for _ in range(repeat))
