"""Measures what an editor waits for: the server's start, and findings after an edit, in a real process.

    python bench/lsp.py [--rounds N]

Start is from the launch of the process to its answer to `initialize`; an edit is timed from sending the changed text
to receiving its findings, and so holds both ends of the protocol. Aims: 400 ms; 10 ms at 150 lines; 50 ms at 1,000.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "sqlite_web" / "registration.dcp"
#: What stretches a registration: remarks, and every twentieth line a condition, which is decided anew after every edit.
CONDITION = "  require {} <= ε + {} < δ_min + {}\n"


class Server:
    """A language server in a process of its own."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "dcp_lang", "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, method: str, params: Any, id: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if id is None else {"id": id})
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self, wanted: str | int) -> Any:
        """The next message with this method or id."""
        assert self.process.stdout is not None
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(length))
            if wanted in (message.get("method"), message.get("id")):
                return message

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def started() -> tuple[Server, float]:
    """A server that is ready, and the milliseconds until it was."""
    begin = time.perf_counter()
    server = Server()
    server.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
    server.receive(1)
    return server, (time.perf_counter() - begin) * 1000


def of_length(lines: int) -> str:
    """The example, lengthened by conditions and comments to a number of lines."""
    text = EXAMPLE.read_text(encoding="utf-8")
    missing = lines - text.count("\n")
    rows = "".join(
        CONDITION.format(i, i, i + 1) if i % 20 == 0 else f"  # remark {i}\n" for i in range(missing)
    )
    return text.rstrip()[:-1] + rows + "}\n"


def edits(server: Server, text: str, rounds: int) -> list[float]:
    """Milliseconds from each edit to its findings."""
    uri = EXAMPLE.with_name("bench.dcp").as_uri()
    server.send(
        "textDocument/didOpen",
        {"textDocument": {"uri": uri, "languageId": "dcp", "version": 0, "text": text}},
    )
    server.receive("textDocument/publishDiagnostics")
    times = []
    for version in range(1, rounds + 1):
        changed = text.replace("δ_min = 0.5", f"δ_min = 0.5{version % 9 + 1}")
        begin = time.perf_counter()
        server.send(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": changed}]},
        )
        server.receive("textDocument/publishDiagnostics")
        times.append((time.perf_counter() - begin) * 1000)
    server.send("textDocument/didClose", {"textDocument": {"uri": uri}})
    server.receive("textDocument/publishDiagnostics")
    return times


def main() -> None:
    """Print the medians and the slowest of each measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=50)
    rounds = parser.parse_args().rounds
    starts = []
    for _ in range(7):
        server, milliseconds = started()
        starts.append(milliseconds)
        server.stop()
    if hasattr(os, "getloadavg"):
        print(f"{os.getloadavg()[0]:.1f} processes running on {os.cpu_count()} processors")
    _row("start", starts, 400)
    server, _ = started()
    server.send("initialized", {})
    for lines, aim in ((150, 10), (1000, 50)):
        _row(f"edit, {lines} lines", edits(server, of_length(lines), rounds), aim)
    server.stop()


def _row(what: str, times: list[float], aim: int) -> None:
    median = statistics.median(times)
    print(f"{what:<18} median {median:7.1f} ms   slowest {max(times):7.1f} ms   aim {aim} ms")


if __name__ == "__main__":
    main()
