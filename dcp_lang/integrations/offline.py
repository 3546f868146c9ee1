"""A case folder audited offline, from registration to a decision checked by the peer's own command.

What `examples/*/run.py` have in common. The agent is scripted, Web pages are recorded, and the run folder
lies in memory where the system has such a place: the harness forces every file to disk, which costs more than
everything else.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dcp_lang.integrations.run import main as run_main

#: Compiles the case into a folder and returns the path of `dcp-harness.json` there.
Compile = Callable[[Path], Path]
#: Where Linux keeps files in memory, and the room that a run folder may need there (76 MB were measured).
_MEMORY = Path("/dev/shm")
_RUN_BYTES = 512 * 2**20


def audit_offline(
    case: Path, compile_case: Compile, *, agent: str, arguments: Sequence[str] | None = None
) -> int:
    """Compile `case`, run its audit with the case's scripted agent (`FILE.py:FUNCTION`), verify the bundle.

    The bundle is left in `build/bundle` of the case, the run folder in `--out` or in a temporary folder. Exit
    code 0 means that the bundle replays, whatever its decision.
    """
    options = _parser(case.name).parse_args(arguments)
    out: Path = options.out or _new_folder(case.name)
    runner = case / "build"
    if not (out / "state.json").is_file():  # an interrupted run goes on with the registration it started with
        shutil.rmtree(runner, ignore_errors=True)
        compile_case(runner)
    call = ["--config", str(runner / "runner/dcp-harness.json"), "--run", str(out)]
    call += ["--agent", f"{case}/{agent}", "--seed", str(options.seed), "--workers", str(options.workers)]
    if (case / "pages").is_dir():
        call += ["--pages", str(case / "pages")]
    code = run_main(call)
    if code:
        return code
    shutil.copytree(out / "bundle", runner / "bundle", dirs_exist_ok=True)
    return verify(runner / "bundle")


def _new_folder(name: str) -> Path:
    in_memory = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _RUN_BYTES
    return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=_MEMORY if in_memory else None))


def verify(bundle: Path) -> int:
    """Check a bundle with the peer's `verify` command and print its decision; returns its exit code."""
    command = [sys.executable, "-m", "dcp", "verify", str(bundle)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    print("\n".join(decision_lines(report, bundle)))
    return done.returncode


def decision_lines(report: dict[str, Any], bundle: Path) -> list[str]:
    """The decision and the numbers it rests on, one per line."""
    verdict = report["saved_verdict"]
    gate2 = json.loads((bundle / "payload/gate2.json").read_text(encoding="utf-8"))
    scores = [sum(row["per_unit"]) / len(row["per_unit"]) for row in gate2["controls"] if row["per_unit"]]
    levels = sorted({round(score, 4) for score in scores})
    counts = ", ".join(f"{level:.4f} x {sum(round(s, 4) == level for s in scores)}" for level in levels)
    return [
        f"bundle      {bundle}",
        f"replays     {report['kernel_replay_matches']}",
        f"challengers {len(gate2['controls'])}: {counts}",
        f"Core        {verdict['core']}",
        f"Evidence    {verdict['evidence']}",
        f"because     {verdict['reason']}",
    ]


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=f"Run the {name} audit offline and verify its bundle.")
    add: Any = parser.add_argument
    add("--workers", type=int, default=1, help="episodes side by side (default 1)")
    add("--out", type=Path, help="run folder (default: a new one in memory); an interrupted run resumes")
    add("--seed", type=int, default=1, help="seed of the scripted agent (default 1)")
    return parser
