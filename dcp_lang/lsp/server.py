"""The server: takes messages one by one, answers requests, and sends findings when nothing else waits.

So a change that a newer one has overtaken is never checked, and typing is never behind.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from dcp_lang import __version__
from dcp_lang.lsp import convert, params
from dcp_lang.lsp.documents import Client, Documents
from dcp_lang.lsp.features import CAPABILITIES, REQUESTS
from dcp_lang.lsp.inbox import Inbox
from dcp_lang.lsp.params import ParamsError, RefusedError
from dcp_lang.lsp.wire import Json

#: ErrorCodes and LSPErrorCodes of the protocol.
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL_ERROR, NOT_INITIALIZED, REQUEST_CANCELLED, REQUEST_FAILED = -32603, -32002, -32800, -32803


class Fault(Exception):
    """A request that is answered with an error: a code of the protocol's, and why."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class Server:
    """One session with an editor."""

    def __init__(self, inbox: Inbox, send: Callable[[Json], None]) -> None:
        self._inbox, self._send = inbox, send
        self._documents = Documents(Client())
        self._unchecked: set[str] = set()
        self._state = "new"
        self._notices: dict[str, Callable[[object], None]] = {
            "textDocument/didOpen": self._opened,
            "textDocument/didChange": self._changed,
            "textDocument/didClose": self._closed,
            "textDocument/didSave": self._files_changed,
            "workspace/didChangeWatchedFiles": self._files_changed,
        }

    def run(self) -> int:
        """Serve until `exit`; 0 when the editor has shut the server down before, else 1."""
        while (message := self._inbox.take()) is None or message.get("method") != "exit":
            self._handle(message)
            if self._inbox.is_empty:
                self._publish()
        return 0 if self._state == "shut down" else 1

    def _handle(self, message: Json | None) -> None:
        if message is None:
            self._send({"id": None, "error": {"code": PARSE_ERROR, "message": "this is no JSON object"}})
        elif not isinstance(message.get("method"), str):
            return  # an answer; the server asks nothing
        elif "id" in message:
            self._send({"id": message["id"], **self._answer(message)})
        elif self._state == "running":
            self._take_note(message)

    def _answer(self, message: Json) -> Json:
        try:
            if self._inbox.has_cancelled(message["id"]):
                raise Fault(REQUEST_CANCELLED, "the request was taken back")
            return {"result": self._result(message["method"], message.get("params"))}
        except Fault as fault:
            return {"error": {"code": fault.code, "message": fault.message}}
        except ParamsError as error:
            return {"error": {"code": INVALID_PARAMS, "message": str(error)}}
        except RefusedError as error:
            return {"error": {"code": REQUEST_FAILED, "message": str(error)}}
        except Exception as error:
            return {"error": {"code": INTERNAL_ERROR, "message": _bug(error)}}

    def _result(self, method: str, said: object) -> Any:
        if method == "initialize" and self._state == "new":
            self._state, self._documents = "running", Documents(params.client(said))
            return {"capabilities": CAPABILITIES, "serverInfo": {"name": "dcpc", "version": __version__}}
        if self._state != "running":
            is_new = self._state == "new"
            raise Fault(NOT_INITIALIZED if is_new else INVALID_REQUEST, f"the server is {self._state}")
        if method == "shutdown":
            self._state = "shut down"
            return None
        if method not in REQUESTS:
            is_again = method == "initialize"
            raise Fault(INVALID_REQUEST if is_again else METHOD_NOT_FOUND, f"`{method}` is not answered")
        document = self._documents.get(params.uri(said))
        return None if document is None else REQUESTS[method](document, said)

    def _take_note(self, message: Json) -> None:
        """A notice has no answer, so its fault goes to the log; one that the server does not know is ignored."""
        try:
            if notice := self._notices.get(message["method"]):
                notice(message.get("params"))
        except ParamsError as error:
            print(f"dcpc: {message['method']}: {error}", file=sys.stderr)

    def _opened(self, said: object) -> None:
        uri, text = params.uri(said), params.get(said, str, "textDocument", "text")
        self._documents.put(uri, text, params.get(said, int, "textDocument", "version"))
        self._unchecked.add(uri)

    def _changed(self, said: object) -> None:
        """The last change is the whole text."""
        uri, changes = params.uri(said), params.get(said, list, "contentChanges")
        version = params.get(said, int, "textDocument", "version")
        for change in changes[-1:]:
            self._documents.put(uri, params.get(change, str, "text"), version)
            self._unchecked.add(uri)

    def _closed(self, said: object) -> None:
        uri = params.uri(said)
        self._documents.close(uri)
        self._unchecked.discard(uri)
        self._tell("textDocument/publishDiagnostics", {"uri": uri, "diagnostics": []})

    def _files_changed(self, said: object) -> None:
        """All is checked again: what was saved may be a file that a registration commits to."""
        self._unchecked.update(self._documents.files_changed())

    def _publish(self) -> None:
        """Send the findings of what has changed."""
        while self._unchecked:
            document = self._documents.get(self._unchecked.pop())
            if document is None:
                continue
            try:
                found = convert.diagnostics(document)
            except Exception as error:
                self._tell("window/logMessage", {"type": 1, "message": _bug(error)})
                continue
            said = {"uri": document.uri, "version": document.version, "diagnostics": found}
            self._tell("textDocument/publishDiagnostics", said)

    def _tell(self, method: str, said: Json) -> None:
        self._send({"method": method, "params": said})


def _bug(error: Exception) -> str:
    return f"this is a bug of dcpc, please report it: {type(error).__name__}: {error}"
