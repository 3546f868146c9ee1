"""Text to tree and back. Assumes nothing about the text; decides nothing about meaning."""

from __future__ import annotations

from dcp_lang.syntax.printer import format_file, same_tree
from dcp_lang.syntax.reading import MAX_BYTES, parse, read_source
from dcp_lang.syntax.rules import RULES
from dcp_lang.syntax.spelling import expression_text, statement_text

__all__ = [
    "MAX_BYTES",
    "RULES",
    "expression_text",
    "format_file",
    "parse",
    "read_source",
    "same_tree",
    "statement_text",
]
