"""Text to tree and back. Assumes nothing about the text; decides nothing about meaning."""

from __future__ import annotations

from dcp_lang.diagnostics.model import Sink
from dcp_lang.source import SourceFile
from dcp_lang.syntax import ast
from dcp_lang.syntax.printer import expression_text, format_file
from dcp_lang.syntax.reading import MAX_BYTES, parse, read_source

__all__ = ["MAX_BYTES", "Sink", "SourceFile", "ast", "expression_text", "format_file", "parse", "read_source"]
