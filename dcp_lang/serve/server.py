"""The page's server: this machine only, one folder only, small requests only.

A page of another site cannot speak to it: every request must name this server as its host (no rebinding of
names), must come from this server's own page where it says where it comes from, and must carry a header that
a foreign page cannot send without asking first, which is never granted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from dcp_lang.driver import Compilation
from dcp_lang.language.fields import SECTION_TABLE
from dcp_lang.serve import answers
from dcp_lang.serve.files import Files
from dcp_lang.syntax import MAX_BYTES
from dcp_lang.syntax.tables import SPELLINGS

HOST = "127.0.0.1"
#: A source of the greatest size, each character written as a JSON escape.
MAX_REQUEST = 6 * MAX_BYTES + 4096
MARK = "X-Dcpc"

_STATIC = Path(__file__).parent / "static"
_ASSETS = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/editor.js": ("editor.js", "text/javascript; charset=utf-8"),
}
_HEADERS = {
    # The document is shown in a frame without scripts, whose page brings its own style.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
#: What the page colours while typing.
_KEYWORDS = sorted(s for s in SPELLINGS if s.isalpha())
_BLOCKS = sorted({"registration", "valid", *(path.split(".")[0] for path in SECTION_TABLE if path)})
_ANSWERS: dict[str, Callable[[Compilation], dict[str, Any]]] = {
    "check": answers.check_answer,
    "plan": answers.plan_answer,
    "document": answers.document_answer,
    "format": answers.format_answer,
}
_AT: dict[str, Callable[[Compilation, int], dict[str, Any]]] = {
    "complete": answers.complete_answer,
    "hover": answers.hover_answer,
}


class RefusedError(Exception):
    """A request that gets no answer but a status and a reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Server(ThreadingHTTPServer):
    """Serves the page for the registrations below one folder; port 0 takes a free one."""

    daemon_threads = True

    def __init__(self, files: Files, port: int = 0) -> None:
        super().__init__((HOST, port), _Handler)
        self.files = files

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    server: Server
    #: A client that stops in the midst of a request does not hold its thread for ever.
    timeout = 30

    def do_GET(self) -> None:
        self._answer(self._asset)

    def do_POST(self) -> None:
        self._answer(self._ask)

    def _answer(self, make: Callable[[], tuple[bytes, str]]) -> None:
        try:
            self._require_own_page()
            body, kind = make()
            self._send(200, body, kind)
        except RefusedError as error:
            self._send(error.status, f"{error}\n".encode(), "text/plain; charset=utf-8")

    def _require_own_page(self) -> None:
        own = {f"{HOST}:{self.server.server_port}", f"localhost:{self.server.server_port}"}
        if self.headers.get("Host") not in own:
            raise RefusedError(403, "this server answers to its own name only")
        origin = self.headers.get("Origin")
        if origin is not None and origin not in {f"http://{name}" for name in own}:
            raise RefusedError(403, "this server answers its own page only")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise RefusedError(403, "this server answers its own page only")

    def _asset(self) -> tuple[bytes, str]:
        found = _ASSETS.get(urlsplit(self.path).path)
        if found is None:
            raise RefusedError(404, "there is nothing here")
        return (_STATIC / found[0]).read_bytes(), found[1]

    def _ask(self) -> tuple[bytes, str]:
        request = self._request()
        try:
            value = self._value(self.path.removeprefix("/api/"), request)
        except KeyError as error:
            raise RefusedError(404, f"there is no `{error.args[0]}` here") from error
        except (OSError, ValueError, TypeError) as error:
            raise RefusedError(400, str(error)) from error
        return json.dumps(value).encode(), "application/json"

    def _request(self) -> dict[str, Any]:
        if self.headers.get(MARK) is None or self.headers.get("Origin") is None:
            raise RefusedError(403, "this server answers its own page only")
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or self.headers.get("Transfer-Encoding"):
            raise RefusedError(411, "the request does not say its length")
        if int(length) > MAX_REQUEST:
            self.close_connection = True
            raise RefusedError(413, f"the request is larger than {MAX_REQUEST} bytes")
        try:
            request = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError) as error:
            raise RefusedError(400, "the request is not JSON") from error
        if not isinstance(request, dict):
            raise RefusedError(400, "the request is not an object")
        return request

    def _value(self, kind: str, request: dict[str, Any]) -> Any:
        files = self.server.files
        if kind == "files":
            return {"files": files.names(), "keywords": _KEYWORDS, "blocks": _BLOCKS}
        name = _text(request, "name")
        if kind == "open":
            files.refresh()
            return {"text": files.read(name)}
        text = _text(request, "text")
        if kind == "save":
            files.write(name, text)
            files.refresh()
            return {}
        compilation = files.compilation(name, text)
        if kind in _ANSWERS:
            return _ANSWERS[kind](compilation)
        at = request["at"]
        if not isinstance(at, int) or at < 0:
            raise ValueError("a place is a whole number")
        assert compilation.diagnostics is not None  # the passes in their order, before anything is asked
        return _AT[kind](compilation, at)

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in (*_HEADERS.items(), ("Content-Type", kind), ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the terminal belongs to whoever started the server."""


def _text(request: dict[str, Any], key: str) -> str:
    value = request[key]
    if not isinstance(value, str):
        raise ValueError(f"`{key}` is a text")
    return value
