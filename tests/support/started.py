"""The command line in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import dcp_lang


def environment(**more: str) -> dict[str, str]:
    """An environment in which a process finds the package that this one has: what was installed, or the checkout.

    Without the safe path, `-m` would find that of the folder it runs in first.
    """
    package = str(Path(dcp_lang.__file__).resolve().parents[1])
    return {**os.environ, "PYTHONPATH": package, "PYTHONSAFEPATH": "1", **more}


def _interruptible() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def dcpc(*arguments: str | Path, stdin: bytes | None = None, **variables: str) -> subprocess.Popen[bytes]:
    """A started `dcpc`, its standard streams piped."""
    # A shell's background job ignores interruptions, and hands that on: what is tested here would be another.
    process = subprocess.Popen(
        [sys.executable, "-m", "dcp_lang", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**variables),
        preexec_fn=_interruptible if os.name == "posix" else None,
    )
    assert process.stdin
    if stdin is not None:
        process.stdin.write(stdin)
    process.stdin.close()
    process.stdin = None
    return process
