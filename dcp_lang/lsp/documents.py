"""The open documents: each has one compilation for its present text."""

from __future__ import annotations

import os
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from dcp_lang.driver import Compilation, NoFiles
from dcp_lang.lsp.positions import Positions
from dcp_lang.sema.materials import Workspace
from dcp_lang.source import SourceFile
from dcp_lang.workspace import DiskWorkspace


class Client(NamedTuple):
    """What an editor can do with what it is sent: fill in snippets, tell an edit of an older version."""

    has_snippets: bool = True
    has_versions: bool = True


class Document:
    """One version of a text, its compilation and its places, for one editor."""

    def __init__(self, uri: str, text: str, version: int, workspace: Workspace, client: Client) -> None:
        self.uri = uri
        self.version = version
        self.client = client
        self.compilation = Compilation(SourceFile(path_of(uri) or uri, text), workspace)

    @cached_property
    def positions(self) -> Positions:
        """Offsets and places of the text."""
        return Positions(self.compilation.source.text)


class Documents:
    """All open documents. Digests of committed files are remembered until a file is saved."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._open: dict[str, Document] = {}
        self._workspaces: dict[str, Workspace] = {}

    def put(self, uri: str, text: str, version: int) -> Document:
        """Open a text, or replace it by a newer one."""
        self._open[uri] = Document(uri, text, version, self._workspace(uri), self._client)
        return self._open[uri]

    def get(self, uri: str) -> Document | None:
        """An open document."""
        return self._open.get(uri)

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._open.pop(uri, None)

    def files_changed(self) -> list[str]:
        """Every open document again, with the files beside it as they are now; their addresses."""
        self._workspaces.clear()
        for document in list(self._open.values()):
            self.put(document.uri, document.compilation.source.text, document.version)
        return list(self._open)

    def _workspace(self, uri: str) -> Workspace:
        path = path_of(uri)
        if path is None:
            return NoFiles()
        folder = os.path.dirname(path)
        return self._workspaces.setdefault(folder, DiskWorkspace(folder))


def path_of(uri: str) -> str | None:
    """The path of a `file:` address; None for a text that lies nowhere."""
    parts = urlsplit(uri)
    return unquote(parts.path) if parts.scheme == "file" else None


def uri_of(path: str) -> str:
    """The address of a path."""
    from pathlib import Path

    return Path(path).absolute().as_uri()
