"""What was found in files that have not changed.

An answer is kept under the digest of everything that it depends on except the files that a registration commits to:
the compiler's own code, the source's bytes, its name, the options. It lists those files with the digests that they
had; it counts only when every one of them, hashed anew, has the same. So it can never be stale, and the cache may be
deleted at any time.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from dcp_lang.language.values import Material
from dcp_lang.resources import data_dir, package_dir
from dcp_lang.sema.materials import MaterialError
from dcp_lang.workspace import DiskWorkspace


class Answer(NamedTuple):
    """Packed findings, and the committed files that they depend on: path, folder allowed, digest or fault."""

    findings: list[Any]
    files: list[list[Any]]


class Cache:
    """Answers in one SQLite file; any fault of the file makes it empty, never wrong."""

    def __init__(self, path: str) -> None:
        self._store: sqlite3.Connection | None = None
        with suppress(OSError, sqlite3.Error):
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            self._store = sqlite3.connect(path, timeout=5, isolation_level=None)
            self._store.execute("PRAGMA journal_mode = WAL")
            self._store.execute("PRAGMA synchronous = OFF")
            self._store.execute(
                "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, value TEXT) STRICT"
            )

    def get(self, key: str) -> Answer | None:
        """The answer kept under a key."""
        with suppress(sqlite3.Error, ValueError, TypeError):
            if self._store is None:
                return None
            row = self._store.execute("SELECT value FROM answers WHERE key = ?", (key,)).fetchone()
            return Answer(*json.loads(row[0])) if row else None
        return None

    def put(self, key: str, answer: Answer) -> None:
        """Keep an answer; a full disk or a locked file only costs the next run time."""
        with suppress(sqlite3.Error):
            if self._store is not None:
                value = json.dumps(list(answer), ensure_ascii=False)
                self._store.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, value))


def default_path() -> str:
    """The cache file below the user's cache folder (XDG)."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "dcpc", "answers.sqlite")


def key_of(name: str, data: bytes, options: str) -> str:
    """What an answer is kept under."""
    state = sha256(compiler_digest())
    for part in (name.encode(errors="surrogateescape"), options.encode(), data):
        state.update(len(part).to_bytes(8, "big") + part)
    return state.hexdigest()


@lru_cache(maxsize=1)
def compiler_digest() -> bytes:
    """The digest of the compiler's own code, grammar and profiles."""
    state = sha256()
    for root in (package_dir(), data_dir("grammar")):
        for folder, folders, names in os.walk(root):
            folders.sort()
            for name in sorted(n for n in names if n.endswith((".py", ".dcp", ".lark"))):
                with open(os.path.join(folder, name), "rb") as file:
                    state.update(file.read())
    return state.digest()


class RecordingWorkspace(DiskWorkspace):
    """A workspace that remembers what it was asked for and what it answered."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self.asked: dict[tuple[str, bool], str] = {}

    def material(self, path: str, folder: bool) -> Material:
        """As in `DiskWorkspace`, remembered."""
        try:
            found = super().material(path, folder)
        except MaterialError as error:
            self.asked[path, folder] = str(error)
            raise
        self.asked[path, folder] = found.sha256
        return found

    def bytes(self, path: str) -> bytes:
        """As in `DiskWorkspace`; the digest is remembered."""
        self.material(path, False)
        return super().bytes(path)

    @property
    def files(self) -> list[list[Any]]:
        """Everything that was asked, as an answer lists it."""
        return [[path, folder, said] for (path, folder), said in self.asked.items()]


def still_holds(answer: Answer, root: str) -> bool:
    """Whether every committed file that an answer depends on says today what it said then."""
    workspace = RecordingWorkspace(root)
    for path, folder, _ in answer.files:
        with suppress(MaterialError):
            workspace.material(path, folder)
    return workspace.files == answer.files
