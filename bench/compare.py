"""The first table: one file and a thousand, every side, as ratios to the start of bare Python."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from job import FAULTS, kernel_values, write
from measure import DCPC, bare_start, spend
from schemas import write_schemas
from sides import Side, sides

#: How many registrations the second figure is about.
MANY = 1000


def table(unit: float, repeat: int) -> Iterator[str]:
    """The rows of the Markdown table; every side is first held to the sound and the faulty files."""
    values = kernel_values()
    yield "| | one file | 1,000 files | faults found | |"
    yield "| --- | ---: | ---: | ---: | --- |"
    yield "| bare Python, no check | 1 | | | |"
    for side in sides():
        if side.version is None:
            yield f"| {side.name} | | | | not installed |"
            continue
        with TemporaryDirectory() as folder:
            write(Path(folder), side.form, values, MANY)
            write_schemas(Path(folder), values)
            yield from _rows(side, Path(folder), unit, repeat)


def _rows(side: Side, job: Path, unit: float, repeat: int) -> list[str]:
    found = _faults_found(side, job)
    one = median(_in_starts(side, job) for _ in range(repeat))
    many = _accepted(side, job, _all(job, side)) / unit
    name = f"{side.name} {side.version}"
    rows = [f"| {name} | {one:.1f} | {many:.0f} | {found} of {len(FAULTS)} | {side.remark} |"]
    if side.form == "dcp":
        rows.append(f"| {name}, again, unchanged | | {_unchanged(job) / unit:.0f} | | from its cache |")
    return rows


def _in_starts(side: Side, job: Path) -> float:
    """One file, by the start of bare Python just before it: in a pair the machine is as fast for both."""
    bare = bare_start(1)
    return _accepted(side, job, [_one(job, side)]) / bare


def _one(job: Path, side: Side) -> str:
    return str(job / "one" / f"r.{side.form}")


def _all(job: Path, side: Side) -> list[str]:
    folder = job / "sound"
    return [str(folder)] if side.walks else sorted(map(str, folder.iterdir()))


def _accepted(side: Side, job: Path, paths: list[str]) -> float:
    spent = spend(side.call(job, paths))
    if spent.code != 0:
        sys.exit(f"{side.name} refuses a sound registration, or cannot run")
    return spent.seconds


def _faults_found(side: Side, job: Path) -> int:
    """How many of the faulty files are refused; the sound one must not be. Also warms the file system."""
    _accepted(side, job, [_one(job, side)])
    faulty = sorted((job / "faulty").glob(f"*.{side.form}"))
    return sum(spend(side.call(job, [str(path)])).code == 1 for path in faulty)


def _unchanged(job: Path) -> float:
    """Our own second run over the thousand."""
    call = [*DCPC, "check", str(job / "sound")]
    spend(call, XDG_CACHE_HOME=str(job / "cache"))
    return spend(call, XDG_CACHE_HOME=str(job / "cache")).seconds
