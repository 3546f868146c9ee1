"""The agent of a session that was lost before it acted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dcp_harness.backend import AgentBackend, AgentRunResult
from dcp_harness.util import hash_file, hash_json, utc_now


class LostSession:
    """Stands for the agent of a session that was lost before it acted: gives its receipt, and runs nothing."""

    def __init__(self, backend: AgentBackend, model: str) -> None:
        self._backend = backend
        self._model = model

    @property
    def interface_identity(self) -> dict[str, Any]:
        """The identity of the agent that was lost."""
        identity: dict[str, Any] = self._backend.interface_identity
        return identity

    @property
    def interface_hash(self) -> str:
        """Its digest."""
        return str(self._backend.interface_hash)

    def doctor(self) -> dict[str, Any]:
        """The harness's health question, which nobody asks of a lost session."""
        return {"ok": False, "interface_hash": self.interface_hash}

    def run(self, *, workspace: Path, prompt: str, record_dir: Path, episode_id: str) -> AgentRunResult:
        """The receipt of a session without any action: no model, no message, an infrastructure failure."""
        record_dir.mkdir(parents=True, exist_ok=True)
        stdout, stderr = record_dir / "lost_stream.jsonl", record_dir / "lost_stderr.log"
        stdout.write_bytes(b"")
        stderr.write_text("the process of this session ended before its agent acted\n", encoding="utf-8")
        receipt = {"lost": episode_id, "interface": self.interface_hash, "stderr": hash_file(stderr)}
        return AgentRunResult(
            run_id=f"lost-{hash_json(receipt)[7:27]}",
            returncode=1,
            timed_out=False,
            started_at=utc_now(),
            finished_at=utc_now(),
            elapsed_seconds=0.0,
            requested_model=self._model,
            init_models=(),
            assistant_models=(),
            usage_models=(),
            declared_tools=(),
            used_tools=(),
            event_count=0,
            assistant_event_count=0,
            result_event_count=0,
            result_text="",
            reported_cost_usd=None,
            provider_session_id="",
            assistant_message_ids=(),
            result_event_uuid="",
            stdout_hash=hash_file(stdout),
            stderr_hash=hash_file(stderr),
            provider_receipt_hash=hash_json(receipt),
            identity_complete=False,
            identity_ok=False,
            interface_ok=True,
            model_action_started=False,
            infrastructure_invalid_preaction=True,
            stdout_path=str(stdout),
            stderr_path=str(stderr),
        )
