"""A submission replaced where it lies: whole or not at all, and nothing outside the folder that was named."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from dcp_lang.bulk.submission import Submission
from dcp_lang.emit.atomic import write_file
from dcp_lang.workspace import open_below

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def rewrite(submission: Submission, data: bytes) -> None:
    """Replace the bytes of a submission; OSError leaves the old ones.

    A link that was named is followed, as the user asked; what was found by a walk is replaced in the very folder
    that was walked, so that no link put in its way leads elsewhere.
    """
    if not submission.steps:
        write_file(Path(submission.path), data)
        return
    *folders, name = submission.steps
    folder = open_below(submission.top, folders)
    try:
        _replace(folder, name, data)
        os.fsync(folder)
    finally:
        os.close(folder)


def _replace(folder: int, name: str, data: bytes) -> None:
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no longer a regular file", name)
    temp = f".{token_hex(8)}.dcpc"
    handle = os.open(temp, _NEW, 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(handle, stat.S_IMODE(mode))
            os.fsync(handle)
        os.replace(temp, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temp, dir_fd=folder)
        raise
