"""What changed between two frozen registrations, field by field on typed values.

Layout, comments, order of declarations and spelling of numbers never show: the values are compared.
"""

from dcp_lang.emit.diff.compare import Change, compare
from dcp_lang.emit.diff.direction import IDENTITY, LOOSENING, PROSE, TIGHTENING
from dcp_lang.emit.diff.render import diff_json, diff_markdown, diff_text

__all__ = [
    "IDENTITY",
    "LOOSENING",
    "PROSE",
    "TIGHTENING",
    "Change",
    "compare",
    "diff_json",
    "diff_markdown",
    "diff_text",
]
