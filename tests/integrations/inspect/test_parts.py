"""The pieces: the workspace that tools reach, the plan, the emitted files, the scripted model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("dcp_harness")

from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai import list_tasks
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser
from inspect_ai.tool import ToolCall

from dcp_lang.cli import run as dcpc
from dcp_lang.integrations.compiled import CompiledError
from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.inspect_ai.desk import Desk, DeskError
from dcp_lang.integrations.inspect_ai.ledger import OPENED, Ledger
from dcp_lang.integrations.inspect_ai.plan import Plan
from dcp_lang.integrations.inspect_ai.run import main
from dcp_lang.integrations.inspect_ai.scripted import played
from dcp_lang.integrations.inspect_ai.tasks import registered_stage
from dcp_lang.integrations.mismatch import RegistrationMismatch

from ..conftest import edit, folder_in_memory
from .audits import CORE, build, policy


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    root = tmp_path / "workspace"
    root.mkdir()
    found = Desk(root)
    found.write("notes/a.txt", "one\ntwo\n")
    found.write("b.json", "{}")
    return found


def test_files_are_read_written_edited_and_found(desk: Desk) -> None:
    desk.edit("notes/a.txt", "two", "three")
    assert desk.read("notes/a.txt") == "one\nthree\n"
    assert desk.names() == ["b.json", "notes/a.txt"]
    assert desk.glob("*.json") == ["b.json"] and desk.glob("notes/*") == ["notes/a.txt"]
    assert desk.grep("thr") == ["notes/a.txt:2:three"]


@pytest.mark.parametrize("name", ["../x", "/etc/hostname", "a/../../x", "", "a\0b"])
def test_no_name_leaves_the_workspace(desk: Desk, name: str) -> None:
    for request in (desk.read, lambda n: desk.write(n, "")):
        with pytest.raises(DeskError, match="is not a file name below the workspace"):
            request(name)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (lambda d: d.read("absent"), "there is no file `absent`"),
        (lambda d: d.edit("b.json", "x", "y"), "has the text 0 times, once is needed"),
        (lambda d: d.write("b.json/c", ""), "cannot be written"),
    ],
)
def test_what_cannot_be_served_says_why(desk: Desk, request_: object, reason: str) -> None:
    with pytest.raises(DeskError, match=reason):
        request_(desk)  # type: ignore[operator]


@settings(max_examples=20, deadline=None)
@given(st.dictionaries(st.from_regex(r"(X/)?[a-z]{1,4}", fullmatch=True), st.binary(max_size=8), max_size=4))
def test_a_snapshot_restores_every_byte(files: dict[str, bytes]) -> None:
    with folder_in_memory() as folder:
        first, second = Desk(folder / "one"), Desk(folder / "two")
        for made in (first, second):
            made.root.mkdir()
        for name, data in files.items():
            first.path(name).parent.mkdir(parents=True, exist_ok=True)
            first.path(name).write_bytes(data)
        second.restore(first.snapshot())
        assert second.snapshot() == first.snapshot() and second.digest() == first.digest()


def test_episodes_have_the_names_that_the_harness_gives(tmp_path: Path) -> None:
    """The same names give the same draws of presentations in both."""
    names = [row.episode_id for row in Plan.load(build(tmp_path)).episodes()]
    assert names[:4] == ["main", "challenge-0001", "challenge-0002", "challenge-0003"]
    assert names[4:6] == ["positive-control-0001", "positive-control-0002"]
    assert names[6:8] == [f"feedback-pair-0001-attempt-01-feedback_{arm}" for arm in ("truthful", "neutral")]
    assert names[-1] == "sham-pair-0002-attempt-01-sham_proposed" and len(set(names)) == len(names) == 14


def test_a_core_audit_has_no_pairs(tmp_path: Path) -> None:
    plan = Plan.load(build(tmp_path, **CORE))
    assert plan.stages == ("main", "challenge") and plan.episodes("pairs") == ()


def test_a_registration_that_was_changed_beside_is_refused(core: Path) -> None:
    edit(core / "inspect.json", lambda document: document["kernel"].update(rho=0.2))
    with pytest.raises(CompiledError, match=r"inspect\.json and compiled\.json differ in `rho`"):
        Audit(core, core.parent / "logs")


def test_the_ledger_is_opened_once(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.open({"registration": "a"})
    ledger.open({"registration": "a"})
    assert [row["event_type"] for row in ledger.events()] == [OPENED]
    with pytest.raises(CompiledError, match="the audit was opened with another registration"):
        ledger.open({"registration": "b"})


def test_an_episode_starts_once(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.open({})
    first = ledger.start("main")
    assert first is not None and first["payload"]["draw"] == ledger.draw("draw main")
    assert ledger.start("main") is None and ledger.faults() == []


def test_the_emitted_file_checks_the_audit(core: Path) -> None:
    command = [sys.executable, str(core / "inspect_task.py"), "check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "ready\n")


def test_inspect_finds_the_emitted_task(core: Path) -> None:
    """`inspect eval` reads the file for a decorated function before it runs it."""
    assert [found.name for found in list_tasks("inspect_task.py", root_dir=core)] == ["audit"]


def test_a_stage_can_be_run_by_hand(core: Path, tmp_path: Path) -> None:
    """As `inspect eval` does it: the slot is taken and the ledger opened, once."""
    made = registered_stage(core, "main", tmp_path / "logs")
    assert [sample.id for sample in made.dataset] == ["main"]
    assert made.scorer is None and made.turn_limit == 6
    with pytest.raises(CompiledError, match="there is no stage `pairs`: main, challenge"):
        registered_stage(core, "pairs", tmp_path / "logs")
    with pytest.raises(CompiledError, match="episode main has no sample: run stage `main` to its end"):
        registered_stage(core, "challenge", tmp_path / "logs")
    with pytest.raises(CompiledError, match="give `logs` as an absolute path"):
        registered_stage(core, "main", Path("logs"))
    with pytest.raises(RegistrationMismatch, match="A34"):
        registered_stage(core, "main", tmp_path / "elsewhere")


def test_a_model_without_a_price_is_not_asked(core: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a price Inspect cannot hold the registered cost."""
    edit(core / "inspect.json", lambda document: document.update(model="mockllm/dear"))
    assert main(core, ["run", str(core.parent / "logs")]) == 1
    assert "Inspect knows no price of mockllm/dear" in capsys.readouterr().err


def test_a_limit_of_the_target_stops_before_the_start(core: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def ask(document: dict[str, object]) -> None:
        row = {
            "field": "information.web.docs",
            "registered": {"choice": "hosts"},
            "target": "has no Web gateway",
        }
        document["targets"]["inspect"]["cannot"].append(row)  # type: ignore[index]

    edit(core / "targets.json", ask)
    assert main(core, ["check"]) == 1
    assert (
        "T1 information.web.docs: is {'choice': 'hosts'}, but inspect has no Web gateway"
        in capsys.readouterr().out
    )


def test_files_are_written_on_request_only(tmp_path: Path) -> None:
    """`dcpc compile --target inspect`."""
    source = Path(__file__).parents[3] / "examples/sqlite_core/registration.dcp"
    assert dcpc(["compile", str(source), "-o", str(tmp_path / "plain")]) == 0
    assert dcpc(["compile", str(source), "-o", str(tmp_path / "both"), "--target", "inspect"]) == 0
    names = [{p.name for p in (tmp_path / out / "runner").iterdir()} for out in ("plain", "both")]
    assert names[1] - names[0] == {"inspect.json", "inspect_task.py"}


def test_a_scripted_model_looks_before_it_acts() -> None:
    """It sees a file through a tool call only; the toy's agent measures first, and then asks for a hint."""
    start = ChatMessageUser(content="Read TASK.md.")
    first = played(policy("seeker"), [start], "1")
    assert first.calls == [("experiment", {"request": {"weigh": "all"}})]
    call = ToolCall(id="1", function="experiment", arguments=first.calls[0][1])
    answer = ChatMessageTool(content='{"weights":[1,1,1,1,1,1,9,1]}', tool_call_id="1")
    measured = [start, ChatMessageAssistant(content="", tool_calls=[call]), answer]
    assert played(policy("seeker"), measured, "1").calls == [("glob", {"pattern": "*"})]
    look = ToolCall(id="2", function="glob", arguments={"pattern": "*"})
    seen = [
        *measured,
        ChatMessageAssistant(content="", tool_calls=[look]),
        ChatMessageTool(content="TASK.md", tool_call_id="2"),
    ]
    assert [name for name, _ in played(policy("seeker"), seen, "1").calls] == ["write", "finish"]
