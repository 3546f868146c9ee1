"""The command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def dcpc(*arguments: str | Path, stdin: bytes | None = None, **environment: str) -> subprocess.Popen[bytes]:
    """A started `dcpc`, its standard streams piped."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dcp_lang", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    assert process.stdin
    if stdin is not None:
        process.stdin.write(stdin)
    process.stdin.close()
    process.stdin = None
    return process
