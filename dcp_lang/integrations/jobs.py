"""One audit as many jobs, for a workflow engine: each job is one command, and the run folder is what they share.

The jobs run the harness's own episode code over one run folder, so its ledger, its receipts and its bundle are those of
a run on one machine. What the engine adds is kept beside them, in a folder `jobs`:

* `starts/JOB.N.json`: written before anything else, never overwritten, forced to disk. The N-th start of a job is
  there for everybody to see, and a job that started more than once is told in the ledger.
* `done/JOB.json`: written last, under another name, and renamed. A job without it has not finished.
* `locks/JOB`: held while the job runs, so that a second start waits for nobody: it refuses.

Jobs, in the order of the harness's phases: `main`; `challenge-0001`…, `positive-control-0001`…; `commit-challenge`;
`score-challenge`; and for the evidence grade `feedback-0001`…, `sham-0001`…; `commit-gate3`; then `bundle`. A `commit`
job ends only when all candidates of its phase are committed; scoring starts from what it has written.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dcp_harness import HarnessConfig
from dcp_harness.util import hash_json, load_json_object, utc_now, write_json

from dcp_lang.integrations.compiled import CompiledError, strict_json
from dcp_lang.integrations.job_harness import FAMILIES, JobHarness, JobRefused, take_lock

#: Where the committed records of a phase lie, each with the key of its hash, which also names its file.
_RECORDS = {
    "challenge": {"challenge": "generation_record_hash", "positive_control": "record_hash"},
    "gate3": {"gate3": "generation_record_hash"},
}


@dataclass(frozen=True)
class Jobs:
    """The jobs of one audit: how to reach its harness, and the folder where starts and ends are noted."""

    config: HarnessConfig
    run_root: Path
    folder: Path
    registration: str
    #: Starts the audit, with all checks, and runs it up to the end of its main run.
    start: Callable[[], JobHarness]
    #: Opens the audit that was started.
    join: Callable[[], JobHarness]

    def run(self, job: str) -> Path:
        """Run one job, or refuse: `JobRefused`. Returns the file that says that it is done."""
        done = self.folder / f"done/{job}.json"
        with self._alone(job):
            number = self._note_start(job)
            result = self._work(job)
            write_json(done, {"job": job, "registration": self.registration, "starts": number, **result})
        return done

    @contextmanager
    def _alone(self, job: str) -> Iterator[None]:
        place = self.folder / "locks" / job
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("a+") as handle:
            take_lock(handle.fileno(), fcntl.LOCK_EX, f"job {job} is still running elsewhere")
            yield

    def _note_start(self, job: str) -> int:
        """Write the next start receipt of a job, and return its number."""
        starts = self.folder / "starts"
        starts.mkdir(parents=True, exist_ok=True)
        number = 1 + len(list(starts.glob(f"{job}.*.json")))
        receipt = {"job": job, "registration": self.registration, "start": number, "at": utc_now()}
        text = json.dumps(receipt | {"host": socket.gethostname(), "process": os.getpid()}) + "\n"
        descriptor = os.open(starts / f"{job}.{number}.json", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444)
        with os.fdopen(descriptor, "w") as handle:
            handle.write(text)
            handle.flush()
            os.fsync(handle.fileno())
        return number

    def _work(self, job: str) -> dict[str, Any]:
        if job == "main":
            harness = self.start()
            harness.open(harness.challenge)
            return {}
        kind, _, number = job.rpartition("-")
        harness = self._joined()
        if kind in {"challenge", "positive-control", *FAMILIES} and number.isdigit():
            with harness.beside_others():
                self._episode(harness, kind, int(number))
            return {}
        phases: dict[str, Callable[[JobHarness], dict[str, Any]]] = {
            "commit-challenge": lambda audit: self._commit(audit, "challenge"),
            "score-challenge": self._score_challenge,
            "commit-gate3": lambda audit: self._commit(audit, "gate3"),
            "bundle": self._bundle,
        }
        if job not in phases:
            raise JobRefused(f"there is no job `{job}`")
        return phases[job](harness)

    def _joined(self) -> JobHarness:
        """The harness of the audit that the job `main` has started; nothing is registered here."""
        if not (self.folder / "done/main.json").is_file():
            raise JobRefused("no audit was started here: run the job `main` first")
        return self.join()

    def _episode(self, harness: JobHarness, kind: str, number: int) -> None:
        if kind == "challenge":
            harness.challenger(number)
        elif kind == "positive-control":
            harness._run_positive_control(number - 1)
        else:
            harness.pair(kind, number)

    def _commit(self, harness: JobHarness, phase: str) -> dict[str, Any]:
        """The barrier: what all candidates of a phase committed to, and which jobs started more than once."""
        committed = self._committed(harness, phase)
        again = self._started_again()
        event = {"phase": phase, "records_hash": hash_json(committed), "started_again": again}
        harness.ledger.append("candidates_committed", event)
        return {"records": committed, "started_again": again}

    def _committed(self, harness: JobHarness, phase: str) -> dict[str, str]:
        """Every record of a phase by its place, with its hash; `JobRefused` when a job has not finished."""
        missing = [job for job in self.episodes_of(phase) if not (self.folder / f"done/{job}.json").is_file()]
        if missing:
            raise JobRefused(f"{len(missing)} jobs of phase {phase} are not done, the first is {missing[0]}")
        records: dict[str, str] = {}
        for group, key in _RECORDS[phase].items():
            for path in sorted(
                (harness.root / "episodes" / group).glob(f"*/{key.removesuffix('_hash')}.json")
            ):
                records[f"{group}/{path.parent.name}"] = load_json_object(path)[key]
        return records

    def episodes_of(self, phase: str) -> list[str]:
        """The jobs of a phase that run episodes."""
        audit = self.config.audit
        counts = {
            "challenge": {
                "challenge": audit.challenger_episodes,
                "positive-control": audit.positive_control_episodes,
            },
            "gate3": {"feedback": audit.feedback_pairs, "sham": audit.sham_pairs},
        }[phase]
        return [f"{kind}-{number:04d}" for kind, count in counts.items() for number in range(1, count + 1)]

    def _started_again(self) -> dict[str, int]:
        """Jobs that were started more than once, with the number of their starts."""
        counts: dict[str, int] = {}
        for path in (self.folder / "starts").glob("*.json"):
            job = path.name.split(".")[0]
            counts[job] = counts.get(job, 0) + 1
        return {job: number for job, number in sorted(counts.items()) if number > 1}

    def _require_commit(self, harness: JobHarness, phase: str) -> None:
        """Private scores are opened only when all is committed, and unchanged since. Replacements come later."""
        path = self.folder / f"done/commit-{phase}.json"
        if not path.is_file():
            raise JobRefused(f"phase {phase} is not committed")
        if not strict_json(path)["records"].items() <= self._committed(harness, phase).items():
            raise CompiledError(f"records of phase {phase} changed after they were committed", code="A38")

    def _score_challenge(self, harness: JobHarness) -> dict[str, Any]:
        self._require_commit(harness, "challenge")
        summary = harness.challenge()
        if self.config.audit.grade == "evidence":
            harness.open(harness.gate3)
        return {"summary_hash": hash_json(summary)}

    def _bundle(self, harness: JobHarness) -> dict[str, Any]:
        """Close the audit; for the evidence grade after the barrier of its branches."""
        if self.config.audit.grade == "evidence":
            self._require_commit(harness, "gate3")
            harness.gate3()
        return {"bundle_id": harness.finalize()["bundle_id"], "bundle": str(harness.root / "bundle")}
