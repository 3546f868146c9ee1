"""What an editor has sent: read by a thread of its own, so that what waits is known while one message is answered."""

from __future__ import annotations

import json
from collections import deque
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from dcp_lang.lsp.wire import Json, StreamError, read_body


class Inbox:
    """Messages in the order of their arrival; `None` stands for one that is no JSON object.

    `reader` is the thread that reads them; it ends with the stream, or behind `exit`.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._arrived: SimpleQueue[Json | None] = SimpleQueue()
        self._waiting: deque[Json | None] = deque()
        self.reader = Thread(target=self._pump, args=(stream,), daemon=True)
        self.reader.start()

    def take(self) -> Json | None:
        """The next message, waited for; `exit` at the end of the stream."""
        return self._waiting.popleft() if self._waiting else self._arrived.get()

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        self._gather()
        return not self._waiting

    def has_cancelled(self, id: object) -> bool:
        """Whether what waits takes a request back."""
        self._gather()
        cancelled = (m.get("params") for m in self._waiting if m and m.get("method") == "$/cancelRequest")
        return any(isinstance(params, dict) and params.get("id") == id for params in cancelled)

    def _gather(self) -> None:
        try:
            while True:
                self._waiting.append(self._arrived.get_nowait())
        except Empty:
            return

    def _pump(self, stream: BinaryIO) -> None:
        """Read up to `exit`, and nothing behind it: a thread that still reads would hold up the end of the process."""
        message: Json | None = None
        while message is None or message.get("method") != "exit":
            try:
                body = read_body(stream)
            except (StreamError, OSError):
                body = None
            message = {"method": "exit"} if body is None else _decoded(body)
            self._arrived.put(message)


def _decoded(body: bytes) -> Json | None:
    try:
        message: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None
