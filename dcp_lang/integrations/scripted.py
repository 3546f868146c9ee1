"""An agent without a model: a Python function that plays a research agent through the harness's own
interface.

`ScriptedBackend` takes the place of the harness's Claude backend. In every turn it calls one policy with a
`Session`: the files of the workspace, the prompt, and random numbers that stand for a model's sampling. The
policy is not told the phase, the episode or the arm, and it is confined to its workspace. Its source and seed
are part of the interface identity, so a registration that ran with one policy does not resume with another.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import random
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dcp_harness.actions import ACTION_PATH, ACTION_SCHEMA, OBSERVATION_PATH
from dcp_harness.backend import ALLOWED_FILE_TOOLS, AgentRunResult
from dcp_harness.util import hash_file, hash_json, utc_now, write_json
from dcp_harness.web import REQUEST_SCHEMA, FixtureFetcher

from dcp_lang.integrations.compiled import CompiledError, path_digest, strict_json
from dcp_lang.integrations.isolation import confined_to

STDOUT = "agent_stream.jsonl"
STDERR = "agent_stderr.log"


class Session:
    """What a scripted agent sees and can do in one turn. It must end with one of `fetch`, `experiment`,
    `finish`."""

    def __init__(self, workspace: Path, prompt: str, draw: random.Random) -> None:
        self._workspace = workspace
        self.prompt = prompt
        #: Stands for a model's sampling: differs between episodes and turns, fixed by the backend's seed.
        self.draw = draw

    def exists(self, name: str) -> bool:
        """Whether the workspace has a file `name`."""
        return (self._workspace / name).is_file()

    def read(self, name: str) -> str:
        """Text of a workspace file."""
        return (self._workspace / name).read_text(encoding="utf-8")

    def read_json(self, name: str) -> Any:
        """JSON value of a workspace file."""
        return json.loads(self.read(name))

    def write(self, name: str, text: str) -> None:
        """Write a workspace file."""
        path = self._workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def write_json(self, name: str, value: Any) -> None:
        """Write a JSON workspace file, keys sorted."""
        self.write(name, json.dumps(value, indent=1, sort_keys=True) + "\n")

    @property
    def observation(self) -> Any:
        """What the last action brought, or None in the first turn."""
        name = OBSERVATION_PATH.as_posix()
        return self.read_json(name)["observation"] if self.exists(name) else None

    def fetch(self, *urls: str, query: str) -> None:
        """Ask for Web pages, and end the turn."""
        requests = [
            {"request_id": f"page-{number}", "query": query, "url": url}
            for number, url in enumerate(urls, start=1)
        ]
        self._act("web_fetch", {"schema": REQUEST_SCHEMA, "requests": requests})

    def experiment(self, request: Mapping[str, Any]) -> None:
        """Ask for an experiment, and end the turn."""
        self._act("experiment", dict(request))

    def finish(self) -> None:
        """Commit the files as they are, and end the episode."""
        self._act("finish", {})

    def _act(self, kind: str, payload: dict[str, Any]) -> None:
        self.write_json(ACTION_PATH.as_posix(), {"schema": ACTION_SCHEMA, "action": kind, "payload": payload})


Policy = Callable[[Session], None]


class ProviderUnreachable(Exception):
    """Raised by a policy before it wrote anything: stands for a provider that fails before the first
    action."""


def answer_channel_check(session: Session) -> bool:
    """Answer the harness's positive control (copy one line from one file to another); False when this is not
    one."""
    if not session.exists("CANARY.txt"):
        return False
    session.write("CANARY_RESPONSE.txt", session.read("CANARY.txt"))
    session.finish()
    return True


def recorded_pages(folder: Path) -> FixtureFetcher:
    """A fetcher for the harness's Web gateway that knows the pages of `folder/pages.json` and never the
    network.

    The file maps a URL to `{"file": name in the folder, "content_type": media type}`.
    """
    pages = strict_json(folder / "pages.json")
    return FixtureFetcher(
        {url: (page["content_type"], (folder / page["file"]).read_bytes()) for url, page in pages.items()}
    )


class ScriptedBackend:
    """Runs `policy` as the agent `model`; implements the harness's `AgentBackend`.

    `accepted` are the model ids that the registration accepts: a scripted agent must be registered as one, so
    `model` must be among them (`CompiledError` otherwise). Equal `seed` and policy give equal runs.
    """

    def __init__(self, policy: Policy, *, model: str, accepted: tuple[str, ...], seed: int = 0) -> None:
        if model not in accepted:
            raise CompiledError(f"the registration does not accept model `{model}`: {', '.join(accepted)}")
        source = Path(inspect.getfile(policy))
        self._policy = policy
        self._model = model
        self._seed = seed
        self._identity = {
            "schema": "dcp-lang/scripted-agent/1",
            "model": model,
            "policy": policy.__name__,
            "policy_sha256": path_digest(source.parent, source.name),
            "seed": seed,
            "isolation": "held in its workspace by the interpreter's audit hooks; no model, no network",
            "private_isolation_pass": True,
        }

    @property
    def interface_identity(self) -> dict[str, Any]:
        """Everything that decides what the agent does; the harness seals it before the run."""
        return dict(self._identity)

    @property
    def interface_hash(self) -> str:
        """Digest of the identity."""
        return str(hash_json(self._identity))

    def doctor(self) -> dict[str, Any]:
        """The harness's health question: nothing can be missing."""
        return {"ok": True, "interface_hash": self.interface_hash}

    def run(self, *, workspace: Path, prompt: str, record_dir: Path, episode_id: str) -> AgentRunResult:
        """Play one turn. A policy that raises is a failed session (return code 1) with the trace on its error
        stream."""
        record_dir.mkdir(parents=True, exist_ok=True)
        session_id = hashlib.sha256(f"{self._seed}|{episode_id}|{record_dir.name}".encode()).hexdigest()
        session = Session(workspace, prompt, random.Random(session_id))
        started, clock = utc_now(), time.monotonic()
        (record_dir / STDOUT).touch()  # a session without a stream may have acted unseen
        error, unreachable = self._play(session)
        stream = "" if unreachable else self._stream(session_id)
        (record_dir / STDOUT).write_text(stream, encoding="utf-8")
        (record_dir / STDERR).write_text(error, encoding="utf-8")
        result = self._result(_Turn(record_dir, session_id, error, unreachable, started, clock))
        # With this file beside a committed `finish`, the harness can resume a run that was killed right here.
        write_json(record_dir / "agent_result.json", asdict(result))
        return result

    def _play(self, session: Session) -> tuple[str, bool]:
        """Play the policy; the error text, and whether the provider failed before any action."""
        try:
            with confined_to(session._workspace):
                if not answer_channel_check(session):
                    self._policy(session)
        except ProviderUnreachable as failure:
            return f"provider unreachable: {failure}\n", True
        except Exception:
            return traceback.format_exc(), False
        return "", False

    def _stream(self, session_id: str) -> str:
        """A stream in the shape of the Claude CLI's, naming the scripted model truthfully."""
        events: list[dict[str, Any]] = [
            {"type": "system", "subtype": "init", "model": self._model, "tools": list(ALLOWED_FILE_TOOLS)},
            {"type": "assistant", "message": {"id": _message_id(session_id), "model": self._model}},
            {"type": "result", "uuid": _result_id(session_id), "result": "", "modelUsage": {self._model: {}}},
        ]
        return "".join(json.dumps({**event, "session_id": session_id}) + "\n" for event in events)

    def _result(self, turn: _Turn) -> AgentRunResult:
        models = () if turn.unreachable else (self._model,)
        receipt = {"session": turn.session_id, "stdout": turn.stdout_hash, "interface": self.interface_hash}
        return AgentRunResult(
            run_id=f"scripted-{turn.session_id[:20]}",
            returncode=int(bool(turn.error)),
            timed_out=False,
            started_at=turn.started,
            finished_at=utc_now(),
            elapsed_seconds=time.monotonic() - turn.clock,
            requested_model=self._model,
            init_models=models,
            assistant_models=models,
            usage_models=models,
            declared_tools=ALLOWED_FILE_TOOLS,
            used_tools=() if turn.unreachable else ("Read", "Write"),
            event_count=0 if turn.unreachable else 3,
            assistant_event_count=len(models),
            result_event_count=len(models),
            result_text="",
            reported_cost_usd=0.0,
            provider_session_id="" if turn.unreachable else turn.session_id,
            assistant_message_ids=() if turn.unreachable else (_message_id(turn.session_id),),
            result_event_uuid="" if turn.unreachable else _result_id(turn.session_id),
            stdout_hash=turn.stdout_hash,
            stderr_hash=hash_file(turn.folder / STDERR),
            provider_receipt_hash=hash_json(receipt),
            identity_complete=not turn.unreachable,
            identity_ok=not turn.unreachable,
            interface_ok=True,
            model_action_started=not turn.unreachable,
            infrastructure_invalid_preaction=turn.unreachable,
            stdout_path=str(turn.folder / STDOUT),
            stderr_path=str(turn.folder / STDERR),
        )


@dataclass(frozen=True)
class _Turn:
    """What happened in one turn, for its receipt."""

    folder: Path
    session_id: str
    error: str
    unreachable: bool
    started: str
    clock: float

    @property
    def stdout_hash(self) -> str:
        return str(hash_file(self.folder / STDOUT))


def _message_id(session_id: str) -> str:
    return f"msg-{session_id[:24]}"


def _result_id(session_id: str) -> str:
    return f"res-{session_id[24:48]}"
