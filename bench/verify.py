"""Verify the same bundles with `dcpc verify` and with dcp-audit's `dcp verify`, in one run.

    python bench/verify.py [--cold 5] [--many 1000] [--episodes 1000,10000,100000] [--fuzz 0]

Cold: one process per bundle, wall clock, the two tools taking turns. Many: one process, CPU time per bundle. Episodes:
CPU time against the number of challenger episodes. `--fuzz N` compares verdicts on N random audits instead. Bundles are
made by the peer's own writer; needs dcp-audit (the extra `audit`).
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from peer_audits import Shape, core_audit, full_audit  # noqa: E402
from peer_bundles import write  # noqa: E402
from peer_mutations import random_audit  # noqa: E402

from dcp_lang.verify.decision import decide  # noqa: E402


def seconds(command: list[str]) -> float:
    """Wall clock of one process; its exit code must be 0."""
    start = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - start


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def cold(folder: Path, runs: int) -> None:
    write(folder / "core", core_audit())
    write(folder / "full", full_audit())
    for name in ("core", "full"):
        bundle = str(folder / name)
        ours, peer = [], []
        for _ in range(runs):
            ours.append(seconds([sys.executable, "-m", "dcp_lang", "verify", bundle]))
            peer.append(seconds([sys.executable, "-m", "dcp", "verify", bundle]))
        row("cold, " + name, statistics.median(ours), statistics.median(peer))


def many(folder: Path, count: int) -> None:
    """One process over `count` readings of ten different sound bundles."""
    from dcp.bundle import verify_bundle

    bundles = [folder / f"m{index}" for index in range(10)]
    for index, bundle in enumerate(bundles):
        shape = Shape(truthful=(True,) * (22 + index), neutral=(False,) * (22 + index))
        write(bundle, full_audit(shape))
    ours = cpu(lambda: [decide(bundles[index % 10]) for index in range(count)])
    peer = cpu(lambda: [verify_bundle(bundles[index % 10]) for index in range(count)])
    row(f"{count} bundles, each", ours / count, peer / count)


def scaling(folder: Path, sizes: list[int]) -> None:
    from dcp.bundle import verify_bundle

    for size in sizes:
        bundle = folder / f"n{size}"
        write(bundle, core_audit(Shape(challengers=((0.4, 0.4), (0.5, 0.3)) * (size // 2))))
        row(f"{size} episodes", cpu(partial(decide, bundle)), cpu(partial(verify_bundle, bundle)))


def row(label: str, ours: float, peer: float) -> None:
    print(f"{label:<24}{ours:>12.4f} s{peer:>12.4f} s{peer / ours:>9.1f} x", flush=True)


def fuzz(folder: Path, count: int) -> None:
    """Verdicts of `count` random audits against the peer's; prints every difference that no boundary explains."""
    outcomes: Counter[str] = Counter()
    for seed in range(count):
        bundle = folder / str(seed)
        try:
            verdict = write(bundle, random_audit(Random(seed)))["verdict"]
        except (ArithmeticError, TypeError, ValueError, AttributeError, KeyError):
            outcomes["refused by the writer"] += 1
            continue
        record = decide(bundle)
        same = record.reason == verdict["reason"] and record.exit_code == 0
        outcome = "boundary" if record.boundaries else record.outcome if same else "DIFFERENT"
        outcomes[outcome] += 1
        if outcome == "DIFFERENT":
            print(seed, record.reason, verdict["reason"], record.replay, sep="\n  ")
    for outcome, number in outcomes.most_common():
        print(f"{number:>8} {outcome}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cold", type=int, default=5)
    parser.add_argument("--many", type=int, default=1000)
    parser.add_argument("--episodes", default="1000,10000,100000")
    parser.add_argument("--fuzz", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.fuzz:
            fuzz(folder, options.fuzz)
            return
        print(f"{'':<24}{'dcpc verify':>14}{'dcp verify':>14}{'ratio':>11}")
        cold(folder, options.cold)
        many(folder, options.many)
        scaling(folder, [int(size) for size in options.episodes.split(",") if size])


if __name__ == "__main__":
    main()
