"""Run a compiled audit from registration to bundle."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO, TypeVar

from dcp_harness import HarnessConfig, load_config
from dcp_harness.adapter import load_adapter
from dcp_harness.backend import AgentBackend
from dcp_harness.util import HarnessError
from dcp_harness.web import Fetcher

from dcp_lang.integrations.compiled import CompiledError, strict_json
from dcp_lang.integrations.contracts import known_contracts
from dcp_lang.integrations.harness_run import AuditHarness
from dcp_lang.integrations.job_harness import JobHarness, JobRefused
from dcp_lang.integrations.jobs import Jobs
from dcp_lang.integrations.load import load_file
from dcp_lang.integrations.mismatch import Finding, RegistrationMismatch
from dcp_lang.integrations.preflight import preflight
from dcp_lang.integrations.scripted import Policy, ScriptedBackend, recorded_pages
from dcp_lang.integrations.slot import forget_broken_start, release_slot, take_slot

Kind = TypeVar("Kind", bound=AuditHarness)


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
    fails, and after the main run when it committed no artifact: the remaining sessions could then produce no
    bundle (A9).
    """
    run_root = Path(run_root)
    harness = started(
        config_path, run_root, backend, web_fetcher, AuditHarness, workers=workers, progress=progress
    )
    harness.challenge()
    if harness.config.audit.grade == "evidence":
        harness.gate3()
    harness.finalize()
    return run_root.resolve() / "bundle"


def started(
    config_path: str | Path,
    run_root: Path,
    backend: AgentBackend | None,
    web_fetcher: Fetcher | None,
    kind: type[Kind],
    *,
    workers: int = 1,
    progress: TextIO | None = None,
) -> Kind:
    """Start or resume an audit, with all checks before and after the main run, and return its harness."""
    with suppress(HarnessError):  # a configuration that cannot be read is a finding below
        forget_broken_start(load_config(config_path), run_root)
    findings = preflight(config_path, run_root=run_root, backend=backend)
    if findings:
        raise RegistrationMismatch(findings)
    config = load_config(config_path)
    existed = run_root.exists()
    take_slot(config, run_root)
    try:
        harness = kind(
            config,
            run_root,
            backend=backend,
            web_fetcher=web_fetcher,
            workers=workers,
            on_step=Progress(config, progress).step if progress else None,
        )
    except BaseException:
        if not (run_root / "state.json").is_file():
            release_slot(config)
            if not existed:
                shutil.rmtree(run_root, ignore_errors=True)
        raise
    harness.capture()
    _check_main_run(harness)
    return harness


def _check_main_run(harness: AuditHarness) -> None:
    """Stop before the challengers when the main run cannot pass finalisation; an invalid artifact can."""
    result = strict_json(harness.root / "episodes/main/main/record.json")["evaluation"]
    if result["outcome"] != "artifact":
        message = f"ended as {result['outcome']} ({result['reason']}); no bundle can come of this run"
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
    """Command line of the emitted `run_audit.py`.

    Exit code 0: done; 1: findings, or the audit stopped, with the reason on standard error.
    """
    options = _parser(config).parse_args(arguments)
    try:
        return _execute(options, _backend(options))
    except (RegistrationMismatch, CompiledError, HarnessError, JobRefused) as error:
        print(error, file=sys.stderr)
        return 1


def _backend(options: argparse.Namespace) -> AgentBackend | None:
    """The scripted agent that was asked for, registered under the configured model."""
    if not options.agent:
        return None
    agent = load_config(options.config).agent
    policy = load_policy(options.agent)
    return ScriptedBackend(policy, model=agent.model, accepted=agent.accepted_model_ids, seed=options.seed)


def _execute(options: argparse.Namespace, backend: AgentBackend | None) -> int:
    if options.check:
        findings = preflight(options.config, run_root=options.run, backend=backend)
        print("\n".join(map(str, findings)) or "ready")
        return int(bool(findings))
    if options.contracts:
        config = load_config(options.config)
        print(json.dumps(known_contracts(config, load_adapter(config), backend), indent=1, sort_keys=True))
        return 0
    pages = recorded_pages(options.pages) if options.pages else None
    progress = None if options.quiet else sys.stderr
    if options.job:
        print(_jobs(options, backend, pages).run(options.job))
        return 0
    bundle = run_audit(
        options.config,
        options.run,
        backend=backend,
        workers=options.workers,
        web_fetcher=pages,
        progress=progress,
    )
    print(bundle)
    return 0


def _jobs(options: argparse.Namespace, backend: AgentBackend | None, pages: Fetcher | None) -> Jobs:
    """The jobs of the configured audit, for a workflow engine."""
    config = load_config(options.config)
    compiled = strict_json(config.resolve("compiled.json"))
    if options.registration not in (None, compiled["registration_sha256"]):
        raise JobRefused(
            f"the workflow is for registration {options.registration}, compiled.json is another's"
        )
    return Jobs(
        config,
        options.run,
        options.jobs,
        compiled["registration_sha256"],
        start=lambda: started(options.config, options.run, backend, pages, JobHarness),
        join=lambda: JobHarness(config, options.run, backend=backend, workers=options.workers),
    )


def _parser(config: Path | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Run the compiled audit and write its bundle.")
    add: Any = parser.add_argument
    add("--config", type=Path, default=config, required=config is None, help="dcp-harness.json")
    add("--run", type=Path, required=True, help="run folder; an interrupted run resumes")
    add("--workers", type=int, default=1, help="episodes side by side (default 1)")
    add("--agent", metavar="FILE.py:FUNCTION", help="a scripted agent instead of the registered backend")
    add("--seed", type=int, default=0, help="seed of the scripted agent (default 0)")
    add("--pages", type=Path, help="folder of recorded Web pages instead of the network")
    add("--job", help="run one job of the audit only; a workflow engine asks for them in order")
    add(
        "--jobs", type=Path, default=Path("jobs"), help="where jobs note their starts and ends (default jobs)"
    )
    add("--registration", help="refuse unless the compiled registration has this digest")
    add("--contracts", action="store_true", help="print the contracts that every run will seal, as JSON")
    add("--check", action="store_true", help="only run the checks before the start")
    add("--quiet", action="store_true", help="no progress")
    return parser
