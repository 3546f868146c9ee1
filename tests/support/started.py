"""The command line in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _interruptible() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def dcpc(*arguments: str | Path, stdin: bytes | None = None, **environment: str) -> subprocess.Popen[bytes]:
    """A started `dcpc`, its standard streams piped."""
    # A shell's background job ignores interruptions, and hands that on: what is tested here would be another.
    process = subprocess.Popen(
        [sys.executable, "-m", "dcp_lang", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        preexec_fn=_interruptible if os.name == "posix" else None,
    )
    assert process.stdin
    if stdin is not None:
        process.stdin.write(stdin)
    process.stdin.close()
    process.stdin = None
    return process
