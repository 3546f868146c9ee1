"""Run a compiled audit in Inspect: stage after stage, each episode once, nothing retried."""

from __future__ import annotations

import argparse
import fcntl
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dcp_harness.util import HarnessError
from inspect_ai import eval_set
from inspect_ai.model import Model, ModelCost, ModelInfo, get_model, get_model_info, set_model_info

from dcp_lang.integrations.compiled import CompiledError
from dcp_lang.integrations.inspect_ai.admission import TARGET, admit
from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.inspect_ai.bundle import write_bundle
from dcp_lang.integrations.inspect_ai.logs import Found, found_episodes
from dcp_lang.integrations.inspect_ai.scorer import score_audit
from dcp_lang.integrations.inspect_ai.scripted import scripted_model
from dcp_lang.integrations.inspect_ai.tasks import stage_task
from dcp_lang.integrations.mismatch import RegistrationMismatch
from dcp_lang.integrations.preflight import preflight
from dcp_lang.integrations.run import load_policy
from dcp_lang.integrations.scripted import recorded_pages


def run_stages(audit: Audit, model: Model, *, workers: int = 4, display: str = "none") -> list[Found]:
    """Run, or resume, all stages with `workers` samples at a time; the episodes, unscored. `display` is Inspect's.

    Raises `RegistrationMismatch` before anything is started when a check fails, and after the main run when it left
    no files. A stage that an error or a kill stopped goes on; its episodes that were under way stay as they are.
    """
    if str(model) != audit.plan.document["model"]:
        raise CompiledError(f"model is {model}, registered is {audit.plan.document['model']}", code="A2")
    admit(audit)
    with _only_one(audit.logs):
        return [row for stage in audit.plan.stages for row in _stage(audit, stage, model, workers, display)]


def _stage(audit: Audit, stage: str, model: Model, workers: int, display: Any) -> list[Found]:
    """One stage as an eval set that never retries: not a sample, not a task, not by another model."""
    eval_set(
        stage_task(audit, stage),
        log_dir=str(audit.logs / stage),
        model=model,
        score=False,
        retry_attempts=0,
        retry_immediate=False,
        retry_on_error=0,
        retry_cleanup=False,
        fail_on_error=False,
        max_samples=workers,
        display=display,
        log_format="eval",
        # A finished sample is in the log at once: after a kill it is found there, not started again.
        log_buffer=1,
        log_realtime=False,
    )
    return found_episodes(audit, stage)


@contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Hold the log folder: two runs at once could start one episode twice."""
    with (folder / "lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CompiledError(f"another run is using {folder}", code="A34") from error
        yield


def main(home: Path, arguments: Sequence[str] | None = None) -> int:
    """Command line of the emitted `inspect_task.py`.

    Exit code 0: done; 1: findings, or the step stopped, with the reason on standard error.
    """
    options = _parser().parse_args(arguments)
    try:
        return int(options.step(home, options))
    except (RegistrationMismatch, CompiledError, HarnessError) as error:
        print(error, file=sys.stderr)
        return 1


def _run(home: Path, options: argparse.Namespace) -> int:
    fetcher = recorded_pages(options.pages) if options.pages else None
    audit = Audit(home, options.logs, fetcher)
    found = run_stages(audit, _model(audit, options), workers=options.workers, display=options.display)
    irregular = [row for row in found if row.disclosures]
    for row in irregular:
        print(f"{row.planned.episode_id}: {'; '.join(row.disclosures)}", file=sys.stderr)
    print(f"{len(found)} episodes, {len(irregular)} of them irregular")
    return 0


def _model(audit: Audit, options: argparse.Namespace) -> Model:
    """The registered model, or the scripted agent that is registered as one."""
    name = audit.plan.document["model"]
    if options.agent:
        return scripted_model(load_policy(options.agent), name, options.seed)
    known = get_model_info(name)
    if options.price:
        into, out = options.price
        cost = ModelCost(input=into, output=out, input_cache_write=into, input_cache_read=into)
        set_model_info(name, (known or ModelInfo()).model_copy(update={"cost": cost}))
    elif known is None or known.cost is None:
        raise CompiledError(f"Inspect knows no price of {name}, so it cannot limit cost: give --price IN OUT")
    return get_model(name)


def _score(home: Path, options: argparse.Namespace) -> int:
    paths = score_audit(Audit(home, options.logs))
    print(f"{len(paths)} scored logs in {options.logs / 'scored'}")
    return 0


def _bundle(home: Path, options: argparse.Namespace) -> int:
    record = write_bundle(Audit(home, options.logs), options.out)
    verdict = record.certificate.to_dict()["verdict"]
    print(f"core {verdict['core']}, evidence {verdict['evidence']}: {verdict['reason']}")
    print(options.out / "bundle")
    return 0


def _check(home: Path, options: argparse.Namespace) -> int:
    found = preflight(home / "dcp-harness.json", target=TARGET)
    print("\n".join(map(str, found)) or "ready")
    return int(bool(found))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Run the compiled audit in Inspect AI, and write its bundle."
    )
    steps: Any = parser.add_subparsers(required=True, metavar="STEP")

    def step(name: str, action: Any, about: str) -> Any:
        command = steps.add_parser(name, help=about, description=about)
        command.set_defaults(step=action)
        return command

    step("check", _check, "only the checks before the start")
    run = step("run", _run, "run all episodes, or resume; nothing is scored")
    run.add_argument("logs", type=Path, help="log folder")
    run.add_argument("--workers", type=int, default=4, help="samples side by side (default 4)")
    run.add_argument("--display", default="none", help="Inspect's display: none (default), plain, rich, full")
    run.add_argument("--agent", metavar="FILE.py:FUNCTION", help="a scripted agent instead of a model")
    run.add_argument("--seed", type=int, default=0, help="seed of the scripted agent (default 0)")
    run.add_argument("--pages", type=Path, help="folder of recorded Web pages instead of the network")
    run.add_argument(
        "--price",
        type=float,
        nargs=2,
        metavar=("IN", "OUT"),
        help="USD per million tokens, for a model whose price Inspect does not know",
    )
    score = step("score", _score, "open the verifier, once all episodes have ended")
    score.add_argument("logs", type=Path, help="log folder")
    bundle = step("bundle", _bundle, "write OUT/bundle and OUT/disclosure.json")
    bundle.add_argument("logs", type=Path, help="log folder")
    bundle.add_argument("out", type=Path, help="new folder")
    return parser
