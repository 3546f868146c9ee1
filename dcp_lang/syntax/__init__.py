"""Text to tree; `printer` and `spelling` lead back. Assumes nothing about the text; decides nothing about meaning."""

from __future__ import annotations

from dcp_lang.syntax.reading import MAX_BYTES, parse, read_source

__all__ = ["MAX_BYTES", "parse", "read_source"]
