"""What was found in files that have not changed.

An answer is kept under the digest of everything that it depends on except the files that a registration commits to:
the compiler's own code and what runs it, the options, the submission's bytes. It lists those files with the digests
that they had, so it states a fact that stays true; whether it is today's answer is asked of the files, hashed anew.
So it can never be stale, and the cache may be deleted at any time.
"""

from __future__ import annotations

import marshal
import os
import sqlite3
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256

from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.resources import data_dir, package_dir

if TYPE_CHECKING:
    from hashlib import _Hash
    from typing import Any

    from dcp_lang.workspace import DiskWorkspace

#: The oldest half is forgotten when the answers fill more pages, of 4 kB each.
MOST_PAGES = 2**16
#: Seconds to wait for another run that writes.
WAIT = 5
#: Keys asked for at a time: a query may name 999 values where SQLite is older than 3.32.
_ASKED = 512
_SUM = 8


class Answer(Record):
    """The findings of a submission, packed (`wire`), and the committed files that they depend on.

    `files` are rows of path, whether a folder was allowed, digest or fault. `text` is how the findings show under
    `name` in the manner `paint`.
    """

    rows: list[list[Any]]
    others: list[list[str | None]]
    files: list[list[Any]]
    name: str
    paint: str
    text: str


class Cache:
    """Answers in one SQLite file; any fault of the file makes it empty, never wrong."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._store: sqlite3.Connection | None = None
        with suppress(OSError, sqlite3.Error):
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            self._open()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Answer]:
        """The answers that are kept under some keys."""
        rows: list[tuple[bytes, bytes]] = []
        with suppress(sqlite3.OperationalError):
            try:
                if self._store:
                    rows = self._rows(self._store, keys)
            except sqlite3.DatabaseError as error:
                self._forget(error)
        return {key: _answer(value) for key, value in rows if value[:_SUM] == _sum(key, value[_SUM:])}

    def _rows(self, store: sqlite3.Connection, keys: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
        """The rows under some keys, as many at a time as every release of SQLite lets a query name."""
        rows = []
        for start in range(0, len(keys), _ASKED):
            asked = keys[start : start + _ASKED]
            marks = ",".join("?" * len(asked))
            rows += store.execute(f"SELECT key, value FROM answers WHERE key IN ({marks})", asked).fetchall()
        return rows

    def put(self, answers: Iterable[tuple[bytes, Answer]]) -> None:
        """Keep answers, all in one step; a full disk or a locked file only costs the next run time."""
        with suppress(sqlite3.OperationalError):
            try:
                if self._store:
                    self._write(self._store, [(key, _value(key, answer)) for key, answer in answers])
            except sqlite3.DatabaseError as error:
                self._forget(error)

    def _write(self, store: sqlite3.Connection, rows: list[tuple[bytes, bytes]]) -> None:
        with store:
            store.execute("BEGIN IMMEDIATE")
            store.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)
            (pages,), (free,) = (
                store.execute(f"PRAGMA {of}").fetchone() for of in ("page_count", "freelist_count")
            )
            if pages - free > MOST_PAGES:
                half = "SELECT (min(rowid) + max(rowid)) / 2 FROM answers"
                store.execute(f"DELETE FROM answers WHERE rowid <= ({half})")

    def close(self) -> None:
        """Give the file back."""
        if self._store:
            self._store.close()
            self._store = None

    def _open(self) -> None:
        try:
            self._connect()
        except sqlite3.DatabaseError as error:
            self._forget(error)
            self._connect()

    def _connect(self) -> None:
        self._store = sqlite3.connect(self._path, timeout=WAIT, isolation_level=None)
        self._store.execute("PRAGMA synchronous = OFF")
        self._store.execute("CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, value BLOB)")

    def _forget(self, error: sqlite3.DatabaseError) -> None:
        """Remove a file that is no store of answers, or no longer; one that is merely in use stays."""
        if isinstance(error, sqlite3.OperationalError):
            raise error
        self.close()
        with suppress(OSError):
            os.unlink(self._path)


def _value(key: bytes, answer: Answer) -> bytes:
    body = marshal.dumps(list(answer))
    return _sum(key, body) + body


def _sum(key: bytes, body: bytes) -> bytes:
    """SQLite notices a broken page, not a flipped bit."""
    return sha256(key + body).digest()[:_SUM]


def _answer(value: bytes) -> Answer:
    return Answer(*marshal.loads(value[_SUM:]))


def default_path() -> str:
    """The cache file below the user's cache folder; none where that is not known.

    A relative folder counts for none (XDG Base Directory Specification): it would lie among the submissions.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "dcpc", "answers-2.sqlite") if os.path.isabs(base) else ""


def key_of(data: bytes, is_source: bool, options: str) -> bytes:
    """What an answer is kept under; the name of a file is no part of it."""
    state = _state(options).copy()
    state.update(b"source" if is_source else b"frozen")
    state.update(data)
    return state.digest()


@lru_cache(maxsize=4)
def _state(options: str) -> _Hash:
    state = sha256(compiler_digest())
    state.update(sha256(options.encode(errors="surrogateescape")).digest())
    return state


@lru_cache(maxsize=1)
def compiler_digest() -> bytes:
    """The digest of the compiler's own code, grammar and profiles, and of what runs it."""
    state = sha256(sys.version.encode())
    for root in (package_dir(), data_dir("grammar")):
        for folder, folders, names in os.walk(root):
            folders.sort()
            for name in sorted(n for n in names if n.endswith((".py", ".dcp", ".lark"))):
                with open(os.path.join(folder, name), "rb") as file:
                    state.update(sha256(file.read()).digest())
    return state.digest()


def still_holds(files: list[list[Any]], workspace: DiskWorkspace) -> bool:
    """Whether every committed file that an answer depends on says today what it said then."""
    return all(_said(workspace, path, folder) == said for path, folder, said in files)


def _said(workspace: DiskWorkspace, path: str, folder: bool) -> str:
    try:
        return workspace.material(path, folder).sha256
    except Exception as error:  # whatever it is: where it is not what it was then, the file is checked again
        return str(error)
