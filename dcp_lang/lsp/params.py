"""What a request says, read with care: an editor's fault is answered as one, and is no bug of the server."""

from __future__ import annotations

from typing import Any, TypeVar

from dcp_lang.lsp.documents import Client, Document
from dcp_lang.source import Span

T = TypeVar("T")


class ParamsError(Exception):
    """Parameters without what the protocol says they have."""


class RefusedError(Exception):
    """A request that cannot be fulfilled, with the reason for the user."""


def get(params: object, kind: type[T], *keys: str) -> T:
    """The value below the keys. Raises `ParamsError` where there is none, or one of another kind."""
    value: Any = params
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    if not isinstance(value, kind):
        raise ParamsError(f"`{'.'.join(keys)}` is no {kind.__name__}")
    return value


def client(params: object) -> Client:
    """What the editor says at the start that it can do."""
    can = params.get("capabilities") if isinstance(params, dict) else None
    return Client(
        has_snippets=_can(can, "textDocument", "completion", "completionItem", "snippetSupport"),
        has_versions=_can(can, "workspace", "workspaceEdit", "documentChanges"),
    )


def _can(capabilities: object, *keys: str) -> bool:
    try:
        return get(capabilities, bool, *keys)
    except ParamsError:
        return False


def uri(params: object) -> str:
    """The address of the document that a request is about."""
    return get(params, str, "textDocument", "uri")


def offset(document: Document, params: object, *keys: str) -> int:
    """The offset of the place below the keys."""
    line, character = get(params, int, *keys, "line"), get(params, int, *keys, "character")
    if line < 0 or character < 0:
        raise ParamsError(f"`{'.'.join(keys)}` is no place")
    return document.positions.offset({"line": line, "character": character})


def span(document: Document, params: object) -> Span:
    """The stretch of text that a request is about."""
    start, end = (offset(document, params, "range", edge) for edge in ("start", "end"))
    return Span(start, max(start, end))
