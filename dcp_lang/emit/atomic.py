"""Files and folders that appear whole or not at all.

A new folder is written beside its target, synced, and swapped in. On Linux the swap is one step (renameat2
with RENAME_EXCHANGE): a kill at any moment leaves the old folder or the new one under the name. Elsewhere,
and on file systems without that call, the swap is two renames: a kill between them leaves no folder under
the name but the whole old one beside it, and the next run puts it back.
"""

from __future__ import annotations

import ctypes
import errno
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


def write_file(path: Path, data: bytes) -> None:
    """Write or replace one file, following links and keeping its permissions; OSError leaves the old one."""
    target = path.resolve()
    mode = _mode_of_file(target)
    temp = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    try:
        _write_new(temp, data)
        if mode is not None:
            os.chmod(temp, mode)
        os.replace(temp, target)
    except BaseException:
        temp.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def replace_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Make `target` a folder that holds exactly `files` (relative names); OSError leaves what was there."""
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    fresh = target.with_name(f"{_prefix(target)}{secrets.token_hex(8)}")
    try:
        _write_folder(fresh, files)
        if target.exists():
            os.chmod(fresh, stat.S_IMODE(target.stat().st_mode))
        _swap(fresh, target)
    finally:
        # After the swap this name holds the old folder, after a failure the unfinished new one.
        shutil.rmtree(fresh, ignore_errors=True)


@contextmanager
def exclusive(target: Path) -> Iterator[None]:
    """Keep other writers out of the folder that holds `target`, and mend what a killed one left there."""
    held = os.open(target.parent, os.O_RDONLY) if os.name == "posix" else None
    try:
        alone = held is not None and _lock(held)
        _recover(target)
        if alone:
            _sweep(target)
        yield
    finally:
        if held is not None:
            os.close(held)


def _lock(folder: int) -> bool:
    """Wait for the lock on an open folder; it ends with the process. False where there are no such locks."""
    import fcntl

    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
    except OSError:  # network file systems lock files only
        return False
    return True


def _prefix(target: Path) -> str:
    return f".{target.name}.dcpc-"


def _set_aside(target: Path) -> Path:
    """Where the old folder waits between the two renames."""
    return target.with_name(f".{target.name}.dcpc-old")


def _recover(target: Path) -> None:
    old = _set_aside(target)
    if old.exists() and not target.exists():
        os.rename(old, target)


def _sweep(target: Path) -> None:
    """Remove what killed writers left; only under the lock, since it may be the work of a living one."""
    for left in target.parent.glob(f"{_glob_literal(_prefix(target))}*"):
        shutil.rmtree(left, ignore_errors=True)


def _glob_literal(text: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in text)


def _swap(fresh: Path, target: Path) -> None:
    if not target.exists():
        os.rename(fresh, target)
    elif not _exchange(fresh, target):
        old = _set_aside(target)
        os.rename(target, old)
        try:
            os.rename(fresh, target)
        except BaseException:
            os.rename(old, target)
            raise
        shutil.rmtree(old, ignore_errors=True)
    _sync_folder(target.parent)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two names in one step; False if the system or the file system cannot."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    if libc.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), str(other))


def _mode_of_file(path: Path) -> int | None:
    if not path.exists():
        return None
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return stat.S_IMODE(mode)


def _write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir()
    folders = {folder}
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        folders.update(p for p in path.parents if p.is_relative_to(folder))
        _write_new(path, data)
    for each in folders:
        _sync_folder(each)


def _write_new(path: Path, data: bytes) -> None:
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the names in a folder last through a power cut; only POSIX opens folders."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
