"""The second reader as a process that is asked many questions."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

ANSWER = Path(__file__).parents[1] / "node/answer.mjs"


class Node:
    """One process of the second reader, asked many questions."""

    def __init__(self) -> None:
        command = ["node", str(ANSWER)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, check: str, argument: object) -> dict[str, Any]:
        """{"ok": answer} or {"kind": why it was refused}."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps([check, argument]) + "\n")
        self.process.stdin.flush()
        return dict(json.loads(self.process.stdout.readline()))

    def read(self, check: str, data: bytes) -> dict[str, Any]:
        """The answer about bytes."""
        return self.ask(check, base64.b64encode(data).decode())

    def close(self) -> int:
        """End the process; its exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(10)
