"""Bytes to source text."""

from __future__ import annotations

from dcp_lang.diagnostics.model import Sink
from dcp_lang.source import SourceFile


def read_source(name: str, data: bytes, sink: Sink) -> SourceFile | None:
    """The text of a file."""
    return SourceFile(name, data.decode().replace("\r\n", "\n"))
