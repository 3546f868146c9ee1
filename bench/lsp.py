"""Measures what an editor waits for: the server's start, and findings after an edit, in a real process.

    python bench/lsp.py [--rounds N]

Start is from the launch of the process to the findings of a first file of 150 lines; an edit is timed from sending the
changed text to receiving its findings, and so holds both ends of the protocol. Beside the time on the clock stands, on
Linux, the processor time of the server alone, which other processes of a busy machine lengthen less.
Aims: 400 ms; 10 ms at 150 lines; 50 ms at 1,000.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

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

    def open(self, uri: str, text: str) -> None:
        """Open a text and await its findings."""
        item = {"uri": uri, "languageId": "dcp", "version": 0, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item})
        self.receive("textDocument/publishDiagnostics")

    def busy(self) -> float:
        """Milliseconds of processor time so far, over all threads; NaN where the system does not say."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        spent = [int(task.read_text().split()[0]) / 1e6 for task in tasks]
        return sum(spent) if spent else math.nan

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class Time(NamedTuple):
    """Milliseconds on the clock, and of the server's processor time."""

    clock: float
    busy: float


def started() -> tuple[Server, Time]:
    """A server that has checked a first file, and the time until it had."""
    begin = time.perf_counter()
    server = Server()
    server.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
    server.receive(1)
    server.send("initialized", {})
    server.open(EXAMPLE.with_name("first.dcp").as_uri(), of_length(150))
    return server, Time((time.perf_counter() - begin) * 1000, server.busy())


def of_length(lines: int) -> str:
    """The example, lengthened by conditions and comments to a number of lines."""
    text = EXAMPLE.read_text(encoding="utf-8")
    missing = lines - text.count("\n")
    rows = "".join(
        CONDITION.format(i, i, i + 1) if i % 20 == 0 else f"  # remark {i}\n" for i in range(missing)
    )
    return text.rstrip()[:-1] + rows + "}\n"


def edits(server: Server, text: str, rounds: int) -> list[Time]:
    """The time from each edit to its findings."""
    uri = EXAMPLE.with_name("bench.dcp").as_uri()
    server.open(uri, text)
    times = []
    for version in range(1, rounds + 1):
        changed = text.replace("δ_min = 0.5", f"δ_min = 0.5{version:03}")
        change = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": changed}]}
        before, begin = server.busy(), time.perf_counter()
        server.send("textDocument/didChange", change)
        server.receive("textDocument/publishDiagnostics")
        clock = (time.perf_counter() - begin) * 1000
        times.append(Time(clock, server.busy() - before))
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
        server, spent = started()
        starts.append(spent)
        server.stop()
    if hasattr(os, "getloadavg"):
        print(f"{os.getloadavg()[0]:.1f} processes running on {os.cpu_count()} processors")
    _row("start", starts, 400)
    server, _ = started()
    for lines, aim in ((150, 10), (1000, 50)):
        _row(f"edit, {lines} lines", edits(server, of_length(lines), rounds), aim)
    server.stop()


def _row(what: str, times: list[Time], aim: int) -> None:
    clock = [t.clock for t in times]
    busy = statistics.median(t.busy for t in times)
    print(
        f"{what:<18} median {statistics.median(clock):7.1f} ms   slowest {max(clock):7.1f} ms   "
        f"processor {busy:7.1f} ms   aim {aim} ms"
    )


if __name__ == "__main__":
    main()
