"""The audit's harness as one job of many sees it: one episode at a time, on a run folder that jobs share."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dcp_harness import Phase
from dcp_harness.util import load_json_object, safe_child
from dcp_harness.web import ReplayGateway

from dcp_lang.integrations.harness_run import AuditHarness, OneSlot

#: The two arms of each family of pairs, as the harness calls them.
FAMILIES = {
    "feedback": (Phase.FEEDBACK_TRUTHFUL, Phase.FEEDBACK_NEUTRAL),
    "sham": (Phase.SHAM_REFERENCE, Phase.SHAM_PROPOSED),
}


class JobRefused(RuntimeError):
    """A job that must not run now; nothing was started."""


class _OpenedError(Exception):
    """Ends a phase before its first episode."""


class JobHarness(AuditHarness):
    """The audit's harness, one episode at a time, on the run folder that the job `main` has made."""

    _opening = False

    def open(self, phase: Callable[[], Any]) -> None:
        """Run a phase of the harness up to its first episode: its start and its contracts are then sealed."""
        self._opening = True
        try:
            phase()
        except _OpenedError:
            pass
        finally:
            self._opening = False

    def _run_episode(self, **episode: Any) -> dict[str, Any]:
        if self._opening:
            raise _OpenedError
        return super()._run_episode(**episode)

    def _run_pair_family(self, **family: Any) -> list[dict[str, Any]]:
        if self._opening:
            raise _OpenedError
        return super()._run_pair_family(**family)

    def challenger(self, number: int) -> None:
        """Run one challenger, without opening its private score."""
        self._run_episode(
            phase=Phase.CHALLENGE,
            episode_id=f"challenge-{number:04d}",
            ordinal=number - 1,
            base_workspace=self.source_snapshot,
            privileged_web=load_json_object(self.root / "web_snapshot/privileged_packet.json"),
            web_replay=ReplayGateway(self.root / "web_snapshot"),
            defer_evaluation=True,
        )

    def pair(self, family: str, number: int) -> None:
        """Run the first attempt of one pair: both branches in their drawn order, without their scores."""
        start = load_json_object(self.root / "main/summary.json")["selected_checkpoint_path"]
        rest = {"phases": FAMILIES[family], "base_workspace": safe_child(self.root, start)}
        with TemporaryDirectory() as scratch:
            OneSlot(self, Path(scratch) / "slot").run(family, number - 1, rest)

    @contextmanager
    def beside_others(self) -> Iterator[None]:
        """Share the run folder with other episodes, but not with a phase of the harness."""
        with (self.root / "run.lock").open("a+") as handle:
            take_lock(handle.fileno(), fcntl.LOCK_SH, "a phase of the audit is being closed")
            yield


def take_lock(descriptor: int, kind: int, refusal: str) -> None:
    """Lock an open file without waiting, or refuse: `JobRefused`."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise JobRefused(refusal) from error
