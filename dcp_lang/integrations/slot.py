"""The run folder and the one audit that a compiled registration may start.

The harness gives every run folder a new audit slot, so a second folder is a second try that nobody sees
(A34). A file beside `compiled.json` names the folder of the one run; it is written before the harness starts.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from dcp_harness import HarnessConfig
from dcp_harness.util import write_json

from dcp_lang.integrations.mismatch import Finding


def slot_path(config: HarnessConfig) -> Path:
    """The file that says which run folder took the slot."""
    base: Path = config.base_dir
    return base / "started.json"


def slot_findings(config: HarnessConfig, run_root: Path) -> list[Finding]:
    """Why this run folder cannot be used: another took the slot, an earlier start broke it, or it overlaps
    the source."""
    root = run_root.resolve()
    source = config.resolve(config.source_workspace)
    findings = []
    holder = _holder(config)
    if holder is not None and holder != root:
        findings.append(
            Finding(
                "A34",
                "run folder",
                f"the registration's one audit was started in {holder}",
                "resume it there",
            )
        )
    if root.exists() and any(root.iterdir()) and not (root / "state.json").is_file():
        message = "is not empty and holds no run that can resume; a failed start leaves such a folder"
        findings.append(Finding("A1", "run folder", message, "use a new folder"))
    if root == source or source in root.parents or root in source.parents:
        findings.append(Finding("A1", "run folder", "overlaps the source workspace"))
    return findings


def take_slot(config: HarnessConfig, run_root: Path) -> None:
    """Note that the one audit starts, or goes on, in `run_root`."""
    if _holder(config) is None:
        write_json(slot_path(config), {"run_folder": str(run_root.resolve())})


def forget_broken_start(config: HarnessConfig, run_root: Path) -> None:
    """Remove the folder of a start that was killed before it registered anything: nothing can resume it (A1).

    The first event of the ledger is the registration; without it no session was run.
    """
    ledger = run_root / "events.jsonl"
    registered = ledger.is_file() and ledger.stat().st_size > 0
    if _holder(config) == run_root.resolve() and not registered:
        shutil.rmtree(run_root, ignore_errors=True)
        release_slot(config)


def release_slot(config: HarnessConfig) -> None:
    """Give the slot back after a start that registered nothing."""
    slot_path(config).unlink(missing_ok=True)


def _holder(config: HarnessConfig) -> Path | None:
    path = slot_path(config)
    return Path(json.loads(path.read_text(encoding="utf-8"))["run_folder"]) if path.is_file() else None
