"""The harness with episodes side by side and a total cap on replacements; its own ledger stays the record.

The harness runs one session after another. Its episode code, however, is safe to call from several threads:
every file belongs to one episode and the ledger appends under a lock. So `AuditHarness` runs the independent
episodes of a phase ahead, in threads, and then lets the harness's own serial code pass over them; it finds
every record on disk and goes on. This leans on four methods that are not public, hence the pin on dcp-harness
0.1.1.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path, PosixPath
from threading import Lock
from typing import Any

from dcp_harness import Harness, Phase
from dcp_harness.ledger import EventLedger
from dcp_harness.util import load_json, write_json

from dcp_lang.integrations.lost import LostSession
from dcp_lang.integrations.resume import settle_control, settle_episode, settle_phases

#: Called with the name of a stage and the number of its finished steps.
StepListener = Callable[[str, int], None]

_STAGES = {Phase.MAIN: "main run", Phase.CHALLENGE: "challengers"}


class _RunFolder(PosixPath):
    """A run folder that finds an episode's folder at once.

    To score one episode the harness searches all files of all episodes for its folder, half of the time of a
    scripted audit. Episodes lie exactly two levels deep, so looking there gives the same answer.
    """

    def glob(self, pattern: str) -> Iterator[Path]:  # type: ignore[override]  # all that the harness calls
        name = pattern.removeprefix("**/")
        is_episode = self.name == "episodes" and name != pattern and not name.endswith(".json")
        return super().glob(f"*/{name}" if is_episode else pattern)


class _WholeLedger(EventLedger):  # type: ignore[misc]  # the harness is an optional, untyped import
    """The harness's ledger, whose readers wait for a writer: read without its lock, the last line may be half."""

    def events(self) -> list[dict[str, Any]]:
        """All events, read under the lock that `append` writes under."""
        if not self.path.is_file():
            return list(super().events())
        with self.path.open("rb") as handle:
            fcntl.flock(handle.fileno(), fcntl.LOCK_SH)
            return list(super().events())


class AuditHarness(Harness):  # type: ignore[misc]  # the harness is an optional, untyped import
    """`Harness` with `workers` episodes at a time and `on_step` told of every finished step."""

    root: Path
    ledger: EventLedger

    def __init__(
        self, *args: Any, workers: int = 1, on_step: StepListener | None = None, **kwargs: Any
    ) -> None:
        self._workers = workers
        self._on_step = on_step or (lambda stage, done: None)
        self._done: dict[str, set[str]] = {}
        self._scoring: set[str] = set()
        self._counting = Lock()
        super().__init__(*args, **kwargs)
        self.root = _RunFolder(self.root)
        self.ledger = _WholeLedger(self.ledger.path)

    def _step(self, stage: str, name: str) -> None:
        """Count a step once, although ahead-run episodes are passed over again."""
        with self._counting:
            finished = self._done.setdefault(stage, set())
            if name in finished:
                return
            finished.add(name)
            self._on_step(stage, len(finished))

    def _assert_ledger_valid(self) -> None:
        """The harness asks at the start of every phase, under its lock: a good moment to settle what a kill left."""
        super()._assert_ledger_valid()
        settle_phases(self.root, self.ledger)

    def _ahead(self, jobs: Iterable[Callable[[], Any]]) -> None:
        """Run jobs in threads. An exception drops the jobs that wait, lets the running ones end, and is
        raised.
        """
        with ThreadPoolExecutor(self._workers) as pool:
            futures = [pool.submit(job) for job in jobs]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    # ---- challengers and positive controls -----------------------------------------------------------------

    def _run_episode(self, **episode: Any) -> dict[str, Any]:
        if self._workers > 1 and episode["phase"] is Phase.CHALLENGE and episode["ordinal"] == 0:
            self._ahead(partial(self._one_episode, call) for call in self._siblings(episode))
        return self._one_episode(episode)

    def _one_episode(self, episode: dict[str, Any]) -> dict[str, Any]:
        folder = self._episode_dir(episode["phase"], episode["episode_id"])
        run = _Lost(self)._run_episode if settle_episode(folder, self.ledger) else super()._run_episode
        record: dict[str, Any] = run(**episode)
        self._step(_STAGES.get(episode["phase"], "paired branches"), episode["episode_id"])
        return record

    def _siblings(self, first: dict[str, Any]) -> Iterable[dict[str, Any]]:
        """The calls that the harness would make for all challengers, given its call for the first."""
        for ordinal in range(self.config.audit.challenger_episodes):
            yield {**first, "ordinal": ordinal, "episode_id": f"challenge-{ordinal + 1:04d}"}

    def _run_positive_control(self, index: int) -> dict[str, Any]:
        if self._workers > 1 and index == 0:
            count = self.config.audit.positive_control_episodes
            self._ahead(partial(self._one_control, number) for number in range(count))
        return self._one_control(index)

    def _one_control(self, index: int) -> dict[str, Any]:
        folder = self.root / f"episodes/positive_control/positive-control-{index + 1:04d}"
        is_lost = settle_control(folder, self.ledger)
        run = _Lost(self)._run_positive_control if is_lost else super()._run_positive_control
        record: dict[str, Any] = run(index)
        self._step("positive controls", str(index))
        return record

    def _score_deferred_episode(self, episode_id: str) -> dict[str, Any]:
        """Scoring starts when the last candidate of its phase is committed, so it may go in any order too."""
        group = "challenge" if episode_id.startswith("challenge-") else "gate3"
        if self._workers > 1 and group not in self._scoring:
            self._scoring.add(group)
            committed = (self.root / "episodes" / group).glob("*/generation_record.json")
            self._ahead(partial(self._one_score, path.parent.name) for path in sorted(committed))
        return self._one_score(episode_id)

    def _one_score(self, episode_id: str) -> dict[str, Any]:
        record: dict[str, Any] = super()._score_deferred_episode(episode_id)
        self._step("scored", episode_id)
        return record

    # ---- pairs ---------------------------------------------------------------------------------------------

    def _run_pair_family(
        self, *, family: str, slots: int, max_replacements: int, **rest: Any
    ) -> list[dict[str, Any]]:
        """Run all slots. `max_replacements` bounds the whole family, as the kernel registers it.

        The harness reads it as a bound per slot; a family that uses it twice is lost in the kernel (A6).
        Running slot by slot with what is left makes both readings hold.
        """
        if self._workers > 1:
            self._first_attempts_ahead(family, slots, rest)
        rows = self._pair_rows(family)
        for slot in range(slots):
            used = sum(1 for row in rows if row["replacement_of"] and row["slot"] != slot)
            rows = super()._run_pair_family(
                family=family, slots=slot + 1, max_replacements=max(max_replacements - used, 0), **rest
            )
        return rows

    def _pair_rows(self, family: str) -> list[dict[str, Any]]:
        path = self.root / f"gate3/{family}_pairs.json"
        return list(load_json(path)) if path.exists() else []

    def _first_attempts_ahead(self, family: str, slots: int, rest: dict[str, Any]) -> None:
        """Run the first attempt of every open slot; replacements are left to the pass that knows the cap."""
        begun = {row["slot"] for row in self._pair_rows(family)}
        with tempfile.TemporaryDirectory() as scratch:
            self._ahead(
                partial(OneSlot(self, Path(scratch) / str(slot)).run, family, slot, rest)
                for slot in range(slots)
                if slot not in begun
            )


class _Lost(Harness):  # type: ignore[misc]  # as above
    """The harness's own episode code for a session that was lost before its agent acted."""

    def __init__(self, audit: AuditHarness) -> None:
        self.__dict__.update(audit.__dict__)
        self.backend = LostSession(audit.backend, audit.config.agent.model)


class OneSlot(Harness):  # type: ignore[misc]  # as above
    """The harness's own pair loop for a single slot, with a private pair file in a scratch folder.

    Events, episodes and contracts are the audit's; only `gate3/*_pairs.json`, which all slots share, is
    private.
    """

    def __init__(self, audit: AuditHarness, scratch: Path) -> None:
        self.__dict__.update(audit.__dict__)
        self._audit = audit
        self.root = scratch
        scratch.mkdir()
        for shared in ("registration", "web_snapshot"):
            os.symlink(audit.root / shared, scratch / shared)

    def run(self, family: str, slot: int, rest: dict[str, Any]) -> None:
        """Run one attempt of `slot`, which the loop reaches over rows that mark the others as finished."""
        write_json(self.root / f"gate3/{family}_pairs.json", [{"slot": other} for other in range(slot)])
        self._run_pair_family(family=family, slots=slot + 1, max_replacements=0, **rest)

    def _run_episode(self, **episode: Any) -> dict[str, Any]:
        return self._audit._one_episode(episode)
