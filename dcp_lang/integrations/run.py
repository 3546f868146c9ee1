"""Run a compiled audit from registration to bundle."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from dcp_harness import HarnessConfig, load_config
from dcp_harness.adapter import load_adapter
from dcp_harness.backend import AgentBackend
from dcp_harness.web import Fetcher

from dcp_lang.integrations.contracts import known_contracts
from dcp_lang.integrations.harness_run import AuditHarness
from dcp_lang.integrations.load import load_file
from dcp_lang.integrations.mismatch import Finding, RegistrationMismatch
from dcp_lang.integrations.preflight import preflight
from dcp_lang.integrations.scripted import Policy, ScriptedBackend, recorded_pages
from dcp_lang.integrations.slot import release_slot, take_slot


def run_audit(
    config_path: str | Path,
    run_root: str | Path,
    *,
    backend: AgentBackend | None = None,
    workers: int = 1,
    web_fetcher: Fetcher | None = None,
    progress: TextIO | None = None,
) -> Path:
    """Run, or resume, the audit of a compiled registration and return the folder of its bundle.

    `workers` episodes run side by side; the ledger and the records are the harness's own. `backend` defaults
    to the harness's Claude backend. Raises `RegistrationMismatch` before anything is created when a check
    fails, and after the main run when it committed no valid artifact: the remaining sessions could then
    produce no bundle (A9).
    """
    run_root = Path(run_root)
    findings = preflight(config_path, run_root=run_root, backend=backend)
    if findings:
        raise RegistrationMismatch(findings)
    config = load_config(config_path)
    harness = _start(config, run_root, backend, workers, web_fetcher, progress)
    harness.capture()
    _check_main_run(harness)
    harness.challenge()
    if config.audit.grade == "evidence":
        harness.gate3()
    harness.finalize()
    return run_root.resolve() / "bundle"


def _start(
    config: HarnessConfig,
    run_root: Path,
    backend: AgentBackend | None,
    workers: int,
    web_fetcher: Fetcher | None,
    progress: TextIO | None,
) -> AuditHarness:
    take_slot(config, run_root)
    try:
        return AuditHarness(
            config,
            run_root,
            backend=backend,
            web_fetcher=web_fetcher,
            workers=workers,
            on_step=Progress(config, progress).step if progress else None,
        )
    except BaseException:
        release_slot(config, run_root)
        raise


def _check_main_run(harness: AuditHarness) -> None:
    """Stop before the challengers when the main run cannot pass finalisation."""
    record = json.loads((harness.root / "episodes/main/main/record.json").read_text(encoding="utf-8"))
    result = record["evaluation"]
    if result["outcome"] != "artifact" or result["validity"] != "valid":
        reason = result["reason"] or result["validity"]
        message = f"ended as {result['outcome']} ({reason}); no bundle can come of this run"
        raise RegistrationMismatch([Finding("A9", "main run", message, "report it as an incomplete audit")])


class Progress:
    """Counts finished steps on a stream, about five lines per stage."""

    def __init__(self, config: HarnessConfig, stream: TextIO) -> None:
        audit = config.audit
        pairs = 2 * (audit.feedback_pairs + audit.sham_pairs) if audit.grade == "evidence" else 0
        self._totals = {
            "main run": 1,
            "challengers": audit.challenger_episodes,
            "positive controls": audit.positive_control_episodes,
            "paired branches": pairs,
            "scored": audit.challenger_episodes + pairs,
        }
        self._stream = stream
        self._start = time.monotonic()

    def step(self, stage: str, done: int) -> None:
        """Tell that `done` steps of `stage` are finished."""
        total = self._totals[stage]
        if done >= total or done % max(total // 4, 1) == 0:
            elapsed = time.monotonic() - self._start
            print(f"{elapsed:7.1f} s  {stage} {done}/{total}", file=self._stream, flush=True)


def load_policy(locator: str) -> Policy:
    """The policy function named by `file.py:function`."""
    path, _, name = locator.rpartition(":")
    policy: Policy = getattr(load_file(Path(path)), name)
    return policy


def main(arguments: Sequence[str] | None = None, *, config: Path | None = None) -> int:
    """Command line of the emitted `run_audit.py`. Exit code 0: a bundle was written; 1: the audit must not
    start."""
    options = _parser(config).parse_args(arguments)
    loaded = load_config(options.config)
    backend = None
    if options.agent:
        accepted = loaded.agent.accepted_model_ids
        backend = ScriptedBackend(
            load_policy(options.agent), model=loaded.agent.model, accepted=accepted, seed=options.seed
        )
    try:
        if options.contracts:
            contracts = known_contracts(loaded, load_adapter(loaded), backend)
            print(json.dumps(contracts, indent=1, sort_keys=True))
            return 0
        if options.check:
            findings = preflight(options.config, run_root=options.run, backend=backend)
            print("\n".join(map(str, findings)) or "ready")
            return int(bool(findings))
        pages = recorded_pages(options.pages) if options.pages else None
        bundle = run_audit(
            options.config,
            options.run,
            backend=backend,
            workers=options.workers,
            web_fetcher=pages,
            progress=None if options.quiet else sys.stderr,
        )
    except RegistrationMismatch as mismatch:
        print(mismatch, file=sys.stderr)
        return 1
    print(bundle)
    return 0


def _parser(config: Path | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Run the compiled audit and write its bundle.")
    add: Any = parser.add_argument
    add("--config", type=Path, default=config, required=config is None, help="dcp-harness.json")
    add("--run", type=Path, required=True, help="run folder; an interrupted run resumes")
    add("--workers", type=int, default=1, help="episodes side by side (default 1)")
    add("--agent", metavar="FILE.py:FUNCTION", help="a scripted agent instead of the registered backend")
    add("--seed", type=int, default=0, help="seed of the scripted agent (default 0)")
    add("--pages", type=Path, help="folder of recorded Web pages instead of the network")
    add("--contracts", action="store_true", help="print the contracts that every run will seal, as JSON")
    add("--check", action="store_true", help="only run the checks before the start")
    add("--quiet", action="store_true", help="no progress")
    return parser
