"""The second table: our own time and memory as one thing grows, and the worst that a source within the caps can cost.

Every figure is taken in a fresh process, from the call of the check on; the start of Python is not in it.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

from job import EXAMPLE
from measure import ENVIRONMENT, ROOT

#: Least processor time that a ratio is taken of: below it the clock decides.
_FLOOR = 1e-3


class Growth(NamedTuple):
    """What grows, its sizes, and how a folder is filled at a size; `r.dcp` or the whole folder is then checked."""

    what: str
    sizes: tuple[int, ...]
    fill: Callable[[Path, int], None]
    is_bulk: bool = False


class Cost(NamedTuple):
    """Processor seconds of a check, and the greatest resident memory of its process in MB."""

    seconds: float
    memory: int


def _edited(old: str, new: str) -> Callable[[Path, int], None]:
    """The example with one place that says the size."""

    def fill(folder: Path, size: int) -> None:
        text = (EXAMPLE / "registration.dcp").read_text("utf-8")
        changed = re.sub(old, new.replace("SIZE", str(size)), text, count=1)
        assert changed != text, old
        (folder / "r.dcp").write_text(changed, "utf-8")

    return fill


def _repeated(before: str, line: str) -> Callable[[Path, int], None]:
    """The example with a line `size` times before the first place that matches."""

    def fill(folder: Path, size: int) -> None:
        text = (EXAMPLE / "registration.dcp").read_text("utf-8")
        lines = "".join(line.replace("NUMBER", str(n)) for n in range(size))
        (folder / "r.dcp").write_text(text.replace(before, lines + before, 1), "utf-8")

    return fill


def _files(folder: Path, size: int) -> None:
    """The example, its workspace of `size` files in folders of a thousand."""
    (folder / "r.dcp").write_bytes((EXAMPLE / "registration.dcp").read_bytes())
    for number in range(size):
        below = folder / "workspace" / f"part{number // 1000:03}"
        if number % 1000 == 0:
            below.mkdir(parents=True)
        (below / f"file{number:06}.txt").write_bytes(b"%d\n" % number)


def _faulty(folder: Path, size: int) -> None:
    """Sources of another edition, each with two faults: what a flood of rubbish costs."""
    for number in range(size):
        (folder / f"f{number:06}.dcp").write_bytes(b"dcp 9\n# %d\n" % number)


def _sound(folder: Path, size: int) -> None:
    """Distinct sound registrations over the same committed files."""
    text = (EXAMPLE / "registration.dcp").read_text("utf-8")
    for number in range(size):
        changed = re.sub(r'(\n  id = "[^"]*)"', rf'\1-{number}"', text, count=1)
        (folder / f"s{number:06}.dcp").write_text(changed, "utf-8")


TENS = (10, 100, 1000, 10_000)
GROWTHS = (
    Growth("lines of a source", TENS, _repeated("    given workspace", '    known k_NUMBER = "a"\n')),
    Growth("`require`s", (*TENS[:3], 5000), _repeated("  require ", "  require ε < x - score(no_index)\n")),
    Growth('files below a `file("folder/")`', (*TENS, 100_000), _files),
    Growth(
        "pairs, up to 10^7",
        (100, 1000, 10_000, 10**5, 10**6, 10**7),
        _edited(r"null_pairs = 60", "null_pairs = SIZE"),
    ),
    Growth("sound submissions below a folder", TENS[:3], _sound, is_bulk=True),
    Growth("faulty submissions below a folder", (*TENS, 100_000), _faulty, is_bulk=True),
)


def growth_table(unit: float) -> Iterator[str]:
    """Rows of the Markdown table; times against the start of bare Python."""
    yield "| | sizes | time for ten times as much | time at the largest | memory at the largest |"
    yield "| --- | --- | --- | ---: | ---: |"
    for growth in GROWTHS:
        costs = [_at_size(growth, size) for size in growth.sizes]
        times = [max(cost.seconds, _FLOOR) for cost in costs]
        ratios = ", ".join(f"{after / before:.1f}" for before, after in pairwise(times))
        last = costs[-1]
        shown = f"{growth.sizes[0]:,} … {growth.sizes[-1]:,}"
        yield f"| {growth.what} | {shown} | {ratios} | {last.seconds / unit:.0f} | {last.memory} MB |"


def shapes_table(unit: float, shown: int = 5) -> Iterator[str]:
    """The dearest of the shapes in `tests/support/shapes.py`: a check, and a build where only numbers are extreme."""
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    from shapes import shapes

    costs = {name: _in_child("shape", name, str(EXAMPLE)) for name in shapes()}
    dearest = sorted(costs.items(), key=lambda row: -row[1].seconds)[:shown]
    yield f"| the dearest of {len(costs)} sources at the caps | time | memory |"
    yield "| --- | ---: | ---: |"
    for name, cost in dearest:
        yield f"| {name} | {cost.seconds / unit:.0f} | {cost.memory} MB |"


def _at_size(growth: Growth, size: int) -> Cost:
    with TemporaryDirectory() as name:
        folder = Path(name)
        for committed in ("task.py", "baseline.json", "workspace/TASK.md"):
            (folder / committed).parent.mkdir(exist_ok=True)
            (folder / committed).write_bytes((EXAMPLE / committed).read_bytes())
        growth.fill(folder, size)
        tries = 1 if growth.is_bulk or size > 1000 else 3
        kind = "bulk" if growth.is_bulk else "one"
        costs = [_in_child(kind, "", name) for _ in range(tries)]
    return min(costs)


def _in_child(kind: str, name: str, folder: str) -> Cost:
    """What a fresh process says that it spent on one check."""
    done = run(
        [sys.executable, __file__, kind, name, folder],
        capture_output=True,
        check=False,
        env=ENVIRONMENT,
        timeout=300,
    )
    if done.returncode != 0:
        sys.exit(f"{kind} {name}: {done.stderr.decode()[-400:]}")
    return Cost(*json.loads(done.stdout.splitlines()[-1]))


def _child(kind: str, name: str, folder: str) -> None:
    from resource import RUSAGE_CHILDREN, getrusage

    os.chdir(folder)
    call = {"bulk": _check_folder, "one": _check_one, "shape": lambda: _check_shape(name)}[kind]()
    started = process_time()
    call()
    helpers = getrusage(RUSAGE_CHILDREN)
    seconds = process_time() - started + helpers.ru_utime + helpers.ru_stime
    memory = max(_peak(), helpers.ru_maxrss) // 1024
    print(json.dumps([seconds, memory]))


def _peak() -> int:
    """Greatest resident memory of this program in kB; the usual `ru_maxrss` counts what it was forked from, too."""
    status = Path("/proc/self/status").read_text("ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def _check_folder() -> Callable[[], object]:
    from dcp_lang.cli import run as dcpc

    return lambda: dcpc(["check", "--no-cache", "."])


def _check_one() -> Callable[[], object]:
    from dcp_lang.cli import run as dcpc

    return lambda: dcpc(["check", "r.dcp"])


def _check_shape(name: str) -> Callable[[], object]:
    """A check with its text; a source whose numbers are extreme is small, and is built in memory too."""
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    from judging import judge
    from shapes import NUMBERS, shapes

    from dcp_lang.bulk.check import Options, check_bytes
    from dcp_lang.diagnostics.formats import FORMATS

    data = shapes()[name]
    if name in NUMBERS:
        return lambda: judge("x.dcp", data)
    return lambda: FORMATS["text"](check_bytes("x.dcp", data, Options()))


if __name__ == "__main__":
    _child(*sys.argv[1:])
