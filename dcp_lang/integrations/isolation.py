"""Keeps a scripted agent inside its workspace, by Python's audit hooks (PEP 578).

While `confined_to(folder)` is active in a thread, opening or listing anything outside the folder, starting a
process, connecting to a socket or a database and walking the interpreter's frames or objects raise
`PermissionError`. This holds honest policies to their word and catches slips. It is not a sandbox against
hostile code, which needs a container.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_PATH_EVENTS = {
    "open",
    "os.chdir",
    "os.chmod",
    "os.listdir",
    "os.mkdir",
    "os.remove",
    "os.rmdir",
    "os.scandir",
    "os.truncate",
}
_TWO_PATH_EVENTS = {"os.link", "os.rename", "os.symlink"}
_FORBIDDEN = (
    "ctypes.",
    "gc.",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.system",
    "pty.",
    "socket.",
    "sqlite3.",
    "subprocess.",
    "sys._current_frames",
    "sys._getframe",
    "sys.settrace",
    "sys.setprofile",
)

_confinement = threading.local()
_installed = threading.Lock()
_hooked = False


@contextmanager
def confined_to(folder: Path) -> Iterator[None]:
    """Confine this thread to `folder` while the context is open. Contexts do not nest."""
    _install()
    _confinement.folder = os.path.realpath(folder)
    try:
        yield
    finally:
        _confinement.folder = None


def _install() -> None:
    """Add the hook once; an audit hook cannot be removed."""
    global _hooked
    with _installed:
        if not _hooked:
            sys.addaudithook(_hook)
            _hooked = True


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    folder = getattr(_confinement, "folder", None)
    if folder is None:
        return
    if event in _PATH_EVENTS:
        _refuse_outside(folder, event, arguments[0])
    elif event in _TWO_PATH_EVENTS:
        for path in arguments[:2]:
            _refuse_outside(folder, event, path)
    elif event.startswith(_FORBIDDEN):
        raise PermissionError(f"a scripted agent may not use {event}")


def _refuse_outside(folder: str, event: str, path: Any) -> None:
    if isinstance(path, int):
        return  # a descriptor that was opened by a checked path
    real = os.path.realpath(os.fsdecode(path))
    if real != folder and not real.startswith(folder + os.sep):
        raise PermissionError(f"a scripted agent may not use {event} outside its workspace: {real}")
