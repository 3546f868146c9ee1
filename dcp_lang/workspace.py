"""The files beside a registration: hashed where they lie, and nothing outside the source's folder ever opened.

Every step of a path is opened without following links, from the folder down, so a link, a `..` or a race cannot
lead outside. A file that changes while it is hashed is refused.
"""

from __future__ import annotations

import errno
import os
import stat

from dcp_lang.canonical import digest
from dcp_lang.canonical.hashing import sha256
from dcp_lang.language.values import Material
from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dcp_lang.sema.materials import MaterialError

MAX_FILE_BYTES = 2**30
MAX_FILES = 100_000
MAX_DEPTH = 32
_CHUNK = 2**20
_OPEN = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
#: Never part of a committed folder: what Python, version control and file managers leave behind.
IGNORED = frozenset({"__pycache__", ".git", ".DS_Store"})

#: In no file name of Windows; letters beyond ASCII are spelled in two ways (Unicode normalization) by file systems.
_UNPORTABLE = frozenset('*?"<>|')

#: A file of a folder: path below it, digest, size.
Row = tuple[str, str, int]


class DiskWorkspace:
    """The files below one folder, whose steps from `root` are opened without following links.

    Digests are remembered for the life of the object, and bytes are those that a digest was told of.
    """

    def __init__(self, root: str, steps: tuple[str, ...] = ()) -> None:
        self.root = root
        self._steps = steps
        self._known: dict[tuple[str, bool], Material] = {}
        self._digests: dict[str, str] = {}

    def material(self, path: str, folder: bool) -> Material:
        """The digest of a file, or of a folder's manifest where `folder` allows one; raises `MaterialError`."""
        key = (path, folder)
        if key not in self._known:
            found = self._known[key] = self._read(path, folder)
            self._digests[path] = found.sha256
            self._digests.update((found.path + name, said) for name, said, _ in found.files)
        return self._known[key]

    def bytes(self, path: str) -> bytes:
        """The bytes of a committed file; raises `MaterialError`, also where they are not those that were hashed."""
        handle = self._open(path)
        try:
            _require_file(path, os.fstat(handle).st_mode)
            data = b"".join(_chunks(handle, path))
        finally:
            os.close(handle)
        found = digest(data)
        if self._digests.setdefault(path, found) != found:
            raise _changed(path)
        return data

    def _read(self, path: str, folder: bool) -> Material:
        handle = self._open(path)
        try:
            mode = os.fstat(handle).st_mode
            if stat.S_ISDIR(mode) and folder:
                return _folder(handle, path)
            _require_file(path, mode)
            if path.endswith("/"):
                bare = path.rstrip("/")
                raise _refusal("NOT_A_FILE", f"`{path}` is a file, not a folder", f'write file("{bare}")')
            size, found = _hash(handle, path)
            return Material("file", path, found, size)
        finally:
            os.close(handle)

    def _open(self, path: str) -> int:
        parts = split_path(path)
        try:
            return open_below(self.root, (*self._steps, *parts))
        except OSError as error:
            raise _open_error(path, error) from error


def open_below(root: str, steps: Iterable[str]) -> int:
    """What lies some steps below a folder, open for reading; no step is a link, and no pipe waits. Raises OSError."""
    handle = os.open(root or ".", os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    for step in steps:
        try:
            below = os.open(step, _OPEN, dir_fd=handle)
        finally:
            os.close(handle)
        handle = below
    return handle


def split_path(path: str) -> list[str]:
    """The steps of a relative path below the source's folder; raises `MaterialError` when it could leave it."""
    parts = path.rstrip("/").split("/")
    if path.startswith("/") or "\\" in path or ":" in path or any(p in ("", "..", ".") for p in parts):
        raise _refusal(
            "LEAVES_FOLDER",
            f"`{path}` is not a plain path below the registration's folder",
            "use a relative path with `/` between its parts, without `..`",
        )
    if not path.isprintable():
        raise _refusal("LEAVES_FOLDER", "the path has a character that cannot be printed", "rename the file")
    if not path.isascii() or _UNPORTABLE.intersection(path):
        message = f"`{path}` is not a file name on every system"
        raise _refusal("LEAVES_FOLDER", message, "use letters, digits, `.`, `_` and `-`, without accents")
    return parts


def _refusal(rule: str, message: str, help: str = "") -> MaterialError:
    """What a registration is told; only then is the analysis loaded, which takes longer than most files to hash."""
    from dcp_lang.sema import materials

    return materials.MaterialError(getattr(materials, rule), message, help)


def _open_error(path: str, error: OSError) -> MaterialError:
    if error.errno in (errno.ELOOP, errno.EMLINK):
        return _refusal("LINK", f"`{path}` is a link, or lies behind one", "commit the file itself")
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return _refusal("MISSING", f"there is no file `{path}`", "paths start at the registration's folder")
    return _refusal("MISSING", f"`{path}` cannot be read: {os.strerror(error.errno or 0)}")


def _require_file(path: str, mode: int) -> None:
    if not stat.S_ISREG(mode):
        message = f"`{path}` is {_kind(mode)}, not a regular file"
        raise _refusal("NOT_A_FILE", message, "commit a regular file")


def _kind(mode: int) -> str:
    for test, name in ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket")):
        if test(mode):
            return name
    return "a device"


def _hash(handle: int, path: str) -> tuple[int, str]:
    state, size = sha256(os.fstat(handle).st_size), 0
    for chunk in _chunks(handle, path):
        state.update(chunk)
        size += len(chunk)
    return size, "sha256:" + state.hexdigest()


def _chunks(handle: int, path: str) -> Iterator[bytes]:
    """The bytes of a file at rest."""
    before, size = os.fstat(handle), 0
    if before.st_size > MAX_FILE_BYTES:
        message = f"`{path}` has {before.st_size} bytes, but at most {MAX_FILE_BYTES} are hashed"
        raise _refusal("TOO_LARGE", message, 'commit to it with sealed("sha256:…")')
    # A file that grows as fast as it is read must not be read for ever.
    while size <= before.st_size and (chunk := os.read(handle, min(_CHUNK, before.st_size - size + 1))):
        size += len(chunk)
        yield chunk
    after = os.fstat(handle)
    if (size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns) or size != before.st_size:
        raise _changed(path)


def _changed(path: str) -> MaterialError:
    return _refusal("CHANGED", f"`{path}` changed while it was hashed", "compile again when it is at rest")


def _folder(handle: int, path: str) -> Material:
    files = sorted(_walk(handle, path, "", 0), key=lambda row: row[0].encode())
    if not files:
        raise _refusal("MISSING", f"the folder `{path}` holds no file", "commit at least one file")
    _require_distinct(path, [name for name, _, _ in files])
    whole = sum(size for _, _, size in files)
    return Material("folder", path.rstrip("/") + "/", digest(_manifest(files)), whole, tuple(files))


def _manifest(files: list[Row]) -> bytes:
    """The RFC 8785 form of the rows as objects; no name that `split_path` lets pass needs an escape."""
    rows = (f'{{"path":"{name}","sha256":"{found}","size":{size}}}' for name, found, size in files)
    return f"[{','.join(rows)}]".encode()


def _require_distinct(path: str, names: list[str]) -> None:
    """No two names that a file system which ignores case takes for one."""
    known: dict[str, str] = {}
    for name in names:
        other = known.setdefault(name.lower(), name)
        if other != name:
            message = f"`{name}` and `{other}` in `{path}` are one file on some systems"
            raise _refusal("LEAVES_FOLDER", message, "rename one of them")


def _walk(handle: int, path: str, below: str, depth: int) -> list[Row]:
    if depth > MAX_DEPTH:
        raise _too_many(path, f"is nested deeper than {MAX_DEPTH} folders")
    found: list[Row] = []
    for name in sorted(os.listdir(handle)):
        if name not in IGNORED:
            found += _entry(handle, path, below + name, name, depth)
        if len(found) > MAX_FILES:
            raise _too_many(path, f"holds more than {MAX_FILES} files")
    return found


def _too_many(path: str, what: str) -> MaterialError:
    return _refusal("TOO_MANY", f"`{path}` {what}", "commit a smaller folder")


def _entry(handle: int, path: str, relative: str, name: str, depth: int) -> list[Row]:
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
        _require_file(shown, mode)
        size, found = _hash(below, shown)
        return [(relative, found, size)]
    finally:
        os.close(below)
