"""The server's side of the protocol (Language Server Protocol 3.17), message by message and without a process."""

from __future__ import annotations

import io
import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.lsp.features import REQUESTS
from dcp_lang.lsp.inbox import Inbox
from dcp_lang.lsp.server import Server
from dcp_lang.lsp.wire import MAX_BODY, StreamError, read_body, write_message

URI = "file:///nowhere/a.dcp"
START = {"id": 0, "method": "initialize", "params": {"capabilities": {}}}
TEXT = "dcp 1\nregistration a : core {\n  mode = prospektive\n}\n"


def open_(text: str = TEXT, version: int = 1) -> dict[str, Any]:
    item = {"uri": URI, "languageId": "dcp", "version": version, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": item}}


def change(text: str, version: int) -> dict[str, Any]:
    identifier = {"uri": URI, "version": version}
    return {
        "method": "textDocument/didChange",
        "params": {"textDocument": identifier, "contentChanges": [{"text": text}]},
    }


def ask(id: int, method: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "method": method, "params": {"textDocument": {"uri": URI}, **more}}


def told(*messages: dict[str, Any] | bytes) -> tuple[int, list[dict[str, Any]]]:
    """The exit code of a server, and what it has sent, when all these messages wait for it at once."""
    stream = io.BytesIO()
    for message in messages:
        if isinstance(message, bytes):
            stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(message), message))
        else:
            write_message(stream, message)
    return served(stream.getvalue())


class _Patient(Inbox):
    """An inbox that shows the end of the stream only when it is reached: the editor is still there until then."""

    @property
    def is_empty(self) -> bool:
        return super().is_empty or [m and m.get("method") for m in self._waiting] == ["exit"]


def served(data: bytes) -> tuple[int, list[dict[str, Any]]]:
    inbox = _Patient(io.BytesIO(data))
    inbox.reader.join(20)
    out = io.BytesIO()
    code = Server(inbox, partial(write_message, out)).run()
    out.seek(0)
    sent = []
    while body := read_body(out):
        sent.append(json.loads(body))
    return code, sent


def findings(sent: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [m["params"] for m in sent if m.get("method") == "textDocument/publishDiagnostics"]


def replies(sent: list[dict[str, Any]]) -> dict[int, Any]:
    return {m["id"]: m.get("error", {}).get("code") or m["result"] for m in sent if "id" in m}


def test_a_session_ends_with_0_after_shutdown_and_1_without() -> None:
    shutdown = {"id": 1, "method": "shutdown"}
    assert told(START, shutdown, {"method": "exit"})[0] == 0
    assert told(START, shutdown)[0] == 0  # the editor has closed the stream
    assert told(START, {"method": "exit"}, shutdown)[0] == 1  # nothing behind `exit` is read
    assert told()[0] == 1


def test_before_the_start_and_after_the_end_nothing_is_answered() -> None:
    _, sent = told(
        ask(1, "textDocument/hover"), open_(), START, ask(2, "shutdown"), ask(3, "shutdown"), open_()
    )
    answers = replies(sent)
    assert (answers[1], answers[2], answers[3]) == (-32002, None, -32600)
    assert findings(sent) == []


def test_a_server_starts_once() -> None:
    _, sent = told(START, {**START, "id": 1})
    assert replies(sent)[0]["serverInfo"]["name"] == "dcpc" and replies(sent)[1] == -32600


def test_only_the_last_of_the_changes_that_wait_is_checked() -> None:
    texts = [TEXT.replace("prospektive", word) for word in ("prospectiv", "prospective", "retrospectiv")]
    _, sent = told(START, open_(), *(change(t, i) for i, t in enumerate(texts, 2)))
    (last,) = findings(sent)
    assert last["version"] == 4
    assert next(d["message"] for d in last["diagnostics"] if d["code"] == "E101").startswith(
        "there is no choice `retrospectiv`"
    )


def test_a_request_sees_the_text_before_it_though_a_change_waits_behind_it() -> None:
    empty = change("", 2)
    _, sent = told(
        START, open_(), ask(1, "textDocument/documentSymbol"), empty, ask(2, "textDocument/documentSymbol")
    )
    answers = replies(sent)
    assert [symbol["name"] for symbol in answers[1]][-1] == "registration a : core" and answers[2] == []


def test_a_request_that_was_taken_back_is_not_computed() -> None:
    symbols = "textDocument/documentSymbol"
    cancel = {"method": "$/cancelRequest", "params": {"id": 1}}
    _, sent = told(START, open_(), ask(1, symbols), ask(2, symbols), cancel)
    assert replies(sent)[1] == -32800 and len(replies(sent)[2]) == 2


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (ask(1, "textDocument/unheard"), -32601),
        (ask(1, "textDocument/hover"), -32602),
        (ask(1, "textDocument/hover", position={"line": -1, "character": 0}), -32602),
        (ask(1, "textDocument/hover", position={"line": 0, "character": "0"}), -32602),
        ({"id": 1, "method": "textDocument/hover", "params": [1]}, -32602),
        ({"id": 1, "method": "textDocument/hover"}, -32602),
        (ask(1, "textDocument/rename", position={"line": 0, "character": 0}, newName="b"), -32803),
    ],
)
def test_a_faulty_request_says_what_is_wrong_with_it(message: dict[str, Any], code: int) -> None:
    _, sent = told(START, open_(), message, ask(2, "textDocument/foldingRange"))
    assert replies(sent)[1] == code
    assert replies(sent)[2] == [{"startLine": 1, "endLine": 2, "kind": "region"}]


def test_a_request_about_a_file_that_is_not_open_has_no_result() -> None:
    assert replies(told(START, ask(1, "textDocument/hover"))[1])[1] is None


def test_a_faulty_notice_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    no_text = {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": URI}}}
    no_change = {
        **change("", 2),
        "params": {"textDocument": {"uri": URI, "version": 2}, "contentChanges": []},
    }
    _, sent = told(
        START, open_(), no_text, no_change, {"method": "$/setTrace", "params": {"value": "off"}}, {"id": 9}
    )
    (only,) = findings(sent)
    assert only["version"] == 1 and only["diagnostics"]
    assert capsys.readouterr().err == "dcpc: textDocument/didOpen: `textDocument.text` is no str\n"


def test_what_is_no_json_is_refused_and_the_next_message_is_read() -> None:
    _, sent = told(START, b"{", b"[]", b"\xff", b"[" * 100_000, ask(1, "shutdown"))
    errors = [m["error"]["code"] for m in sent if m.get("id", 0) is None]
    assert errors == [-32700] * 4 and replies(sent)[1] is None


def test_a_bug_of_a_feature_is_reported_and_the_server_lives_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("no")

    monkeypatch.setitem(REQUESTS, "textDocument/hover", broken)
    monkeypatch.setattr("dcp_lang.lsp.convert.diagnostics", broken)
    _, sent = told(START, open_(), ask(1, "textDocument/hover"), ask(2, "textDocument/foldingRange"))
    answers = replies(sent)
    assert answers[1] == -32603 and len(answers[2]) == 1
    assert [m["params"]["type"] for m in sent if m.get("method") == "window/logMessage"] == [1]


def test_half_a_character_comes_back_as_it_was() -> None:
    at = {"line": 1, "character": len("registration ")}
    _, sent = told(START, open_(), ask(1, "textDocument/rename", position=at, newName="\ud800"))
    (error,) = (m["error"] for m in sent if m.get("id") == 1)
    assert error["message"].startswith("`\ud800` is not one word")


@given(st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=9), max_size=2), max_size=3))
def test_messages_are_read_as_they_were_written(messages: list[dict[str, str]]) -> None:
    stream = io.BytesIO()
    for message in messages:
        write_message(stream, message)
    stream.seek(0)
    assert [json.loads(read_body(stream) or b"") for _ in messages] == [
        {"jsonrpc": "2.0", **m} for m in messages
    ]
    assert read_body(stream) is None


def test_other_headers_and_their_case_do_not_matter() -> None:
    stream = io.BytesIO(b"Content-Type: application/vscode-jsonrpc\r\ncontent-length:  2\r\n\r\n{}rest")
    assert read_body(stream) == b"{}"


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n{}",
        b"Content-Length: x\r\n\r\n{}",
        b"Content-Length: -1\r\n\r\n{}",
        b"Content-Length: 3\r\n\r\n{}",
        b"Content-Length: %d\r\n\r\n" % (MAX_BODY + 1),
    ],
)
def test_a_stream_without_a_length_to_trust_is_not_read_on(data: bytes) -> None:
    with pytest.raises(StreamError):
        read_body(io.BytesIO(data))
    assert served(data) == (1, [])


@pytest.mark.parametrize("can", [True, False])
def test_an_editor_gets_what_it_can_use(can: bool) -> None:
    snippets = {"completion": {"completionItem": {"snippetSupport": can}}}
    capabilities = {"textDocument": snippets, "workspace": {"workspaceEdit": {"documentChanges": can}}}
    start = {**START, "params": {"capabilities": capabilities}}
    inside, label = {"line": 2, "character": 0}, {"line": 1, "character": len("registration ")}
    _, sent = told(
        start,
        open_(),
        ask(1, "textDocument/completion", position=inside),
        ask(2, "textDocument/rename", position=label, newName="b"),
    )
    title = next(i for i in replies(sent)[1]["items"] if i["label"] == "title")
    assert (title["insertTextFormat"], "${" in title["textEdit"]["newText"]) == (2 if can else 1, can)
    edit = {"range": {"start": label, "end": {**label, "character": label["character"] + 1}}, "newText": "b"}
    identifier = {"uri": URI, "version": 1}
    assert replies(sent)[2] == (
        {"documentChanges": [{"textDocument": identifier, "edits": [edit]}]}
        if can
        else {"changes": {URI: [edit]}}
    )


def test_edits_have_the_line_ends_of_the_text() -> None:
    asked = ask(1, "textDocument/formatting", options={"tabSize": 2, "insertSpaces": True})
    untidy = 'dcp 1\nregistration a : core {\n  mode=prospective, title="a"\n}\n'
    for text, line_end in ((untidy, "\n"), (untidy.replace("\n", "\r\n"), "\r\n")):
        (edit,) = replies(told(START, open_(text), asked)[1])[1]
        assert edit["newText"].count("\n") == edit["newText"].count(line_end) == 1
        assert edit["range"]["start"]["line"] == edit["range"]["end"]["line"] == 2
