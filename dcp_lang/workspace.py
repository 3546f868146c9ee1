"""The files beside a registration: hashed where they lie, and nothing outside the source's folder ever opened.

Every step of a path is opened without following links, from the folder down, so a link, a `..` or a race cannot
lead outside. A file that changes while it is hashed is refused.
"""

from __future__ import annotations

import os
import stat
from hashlib import sha256

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.language.values import Material
from dcp_lang.sema.typecheck import MaterialError

MAX_FILE_BYTES = 2**30
MAX_FILES = 100_000
MAX_DEPTH = 32
_CHUNK = 2**20
_OPEN = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
#: Never part of a committed folder: what Python and version control leave behind.
IGNORED = frozenset({"__pycache__", ".git", ".DS_Store"})


class DiskWorkspace:
    """The files below one folder; digests are remembered for the life of the object."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._known: dict[tuple[str, bool], Material] = {}

    def material(self, path: str, folder: bool) -> Material:
        """The digest of a file, or of a folder's manifest where `folder` allows one; raises `MaterialError`."""
        key = (path, folder)
        if key not in self._known:
            self._known[key] = self._read(path, folder)
        return self._known[key]

    def bytes(self, path: str) -> bytes:
        """The bytes of a committed file; raises `MaterialError`."""
        handle = self._open(path, split_path(path))
        with os.fdopen(handle, "rb") as file:
            return file.read()

    def _read(self, path: str, folder: bool) -> Material:
        handle = self._open(path, split_path(path))
        try:
            mode = os.fstat(handle).st_mode
            if stat.S_ISDIR(mode) and folder:
                return _folder(handle, path)
            if not stat.S_ISREG(mode):
                raise MaterialError("E806", "not-a-file", f"`{path}` is {_kind(mode)}, not a regular file", "commit a regular file")
            if path.endswith("/"):
                raise MaterialError("E806", "not-a-file", f"`{path}` is a file, not a folder", f'write file("{path.rstrip("/")}")')
            size, found = _hash(handle, path)
            return Material("file", path, found, size)
        finally:
            os.close(handle)

    def _open(self, path: str, parts: list[str]) -> int:
        handle = os.open(self.root or ".", os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
        for part in parts:
            try:
                below = os.open(part, _OPEN, dir_fd=handle)
            except OSError as error:
                raise _open_error(path, error) from error
            finally:
                os.close(handle)
            handle = below
        return handle


def split_path(path: str) -> list[str]:
    """The steps of a relative path below the source's folder; raises `MaterialError` when it could leave it."""
    parts = path.rstrip("/").split("/")
    if path.startswith("/") or "\\" in path or ":" in path or any(p in ("", "..", ".") for p in parts):
        raise MaterialError(
            "E801", "path-leaves-folder", f"`{path}` is not a plain path below the registration's folder",
            "use a relative path with `/` between its parts, without `..`",
        )  # fmt: skip
    if any(ord(c) < 32 or ord(c) == 127 for c in path):
        raise MaterialError("E801", "path-leaves-folder", "the path has a control character", "rename the file")
    return parts


def _open_error(path: str, error: OSError) -> MaterialError:
    import errno

    if error.errno in (errno.ELOOP, errno.EMLINK):
        return MaterialError("E803", "link-not-followed", f"`{path}` is a link, or lies behind one", "commit the file itself")
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return MaterialError("E802", "missing-file", f"there is no file `{path}`", "paths start at the registration's folder")
    return MaterialError("E802", "missing-file", f"`{path}` cannot be read: {os.strerror(error.errno or 0)}", "")


def _kind(mode: int) -> str:
    for test, name in ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket")):
        if test(mode):
            return name
    return "a device"


def _hash(handle: int, path: str) -> tuple[int, str]:
    before = os.fstat(handle)
    if before.st_size > MAX_FILE_BYTES:
        raise MaterialError("E805", "file-too-large", f"`{path}` has {before.st_size} bytes, at most {MAX_FILE_BYTES} are hashed", "commit to it with sealed(\"sha256:…\")")
    state, size = sha256(), 0
    while chunk := os.read(handle, _CHUNK):
        state.update(chunk)
        size += len(chunk)
    after = os.fstat(handle)
    if size != before.st_size or (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
        raise MaterialError("E807", "changed-while-hashed", f"`{path}` changed while it was hashed", "compile again when it is at rest")
    return size, "sha256:" + state.hexdigest()


def _folder(handle: int, path: str) -> Material:
    files = sorted(_walk(handle, path, "", 0), key=lambda row: row[0].encode())
    if not files:
        raise MaterialError("E802", "missing-file", f"the folder `{path}` holds no file", "commit at least one file")
    manifest = [{"path": p, "sha256": d, "size": s} for p, d, s in files]
    return Material("folder", path.rstrip("/") + "/", digest(canonical_bytes(manifest)), sum(s for _, _, s in files), tuple(files))


def _walk(handle: int, path: str, below: str, depth: int) -> list[tuple[str, str, int]]:
    if depth > MAX_DEPTH:
        raise MaterialError("E809", "too-many-files", f"`{path}` is nested deeper than {MAX_DEPTH} folders", "commit a smaller folder")
    found: list[tuple[str, str, int]] = []
    for name in sorted(os.listdir(handle)):
        if name in IGNORED:
            continue
        found += _entry(handle, path, below + name, name, depth)
        if len(found) > MAX_FILES:
            raise MaterialError("E809", "too-many-files", f"`{path}` holds more than {MAX_FILES} files", "commit a smaller folder")
    return found


def _entry(handle: int, path: str, relative: str, name: str, depth: int) -> list[tuple[str, str, int]]:
    shown = f"{path.rstrip('/')}/{relative}"
    split_path(shown)
    try:
        below = os.open(name, _OPEN, dir_fd=handle)
    except OSError as error:
        raise _open_error(shown, error) from error
    try:
        mode = os.fstat(below).st_mode
        if stat.S_ISDIR(mode):
            return _walk(below, path, relative + "/", depth + 1)
        if not stat.S_ISREG(mode):
            raise MaterialError("E806", "not-a-file", f"`{shown}` is {_kind(mode)}, not a regular file", "remove it")
        size, found = _hash(below, shown)
        return [(relative, found, size)]
    finally:
        os.close(below)
