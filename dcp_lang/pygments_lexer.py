"""A Pygments lexer for `.dcp`, so that documentation tools colour registrations.

Its keywords are those of the grammar's own tables; its block words those of the field table.
"""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

from dcp_lang.language.fields import SECTION_TABLE
from dcp_lang.syntax.tables import SPELLINGS

__all__ = ["DcpLexer"]

_OPERATORS = ("and", "or", "not", "in", "contains", "on", "within")
_KEYWORDS = tuple(sorted({"dcp", *(s for s in SPELLINGS if s.isalpha())} - set(_OPERATORS)))
_BLOCKS = tuple(sorted({"registration", "profile", "valid", *(p.split(".")[0] for p in SECTION_TABLE if p)}))
_START, _END = r"(?<![\wδεραμ.])", r"(?![\wδεραμ])"
_WORD = r"[A-Za-z_δεραμ][A-Za-z0-9_δεραμ]*"


class DcpLexer(RegexLexer):
    """Registrations of the Discovery Certification Protocol."""

    name = "DCP registration"
    aliases: ClassVar[list[str]] = ["dcp"]
    filenames: ClassVar[list[str]] = ["*.dcp"]
    mimetypes: ClassVar[list[str]] = ["text/x-dcp"]

    tokens: ClassVar = {
        "root": [
            (r"\s+", Whitespace),
            (r"#[^\r\n]*", Comment.Single),
            (r'"""(?:[^"\\]|\\.|"(?!""))*"""', String.Doc),
            (r'"(?:[^"\\\n]|\\.)*"', String.Double),
            (
                rf"([0-9][0-9_]*(?:\.[0-9_]+)?%?)([ \t]+)(?!(?:{'|'.join(_KEYWORDS + _OPERATORS)}){_END})({_WORD})",
                bygroups(Number, Whitespace, Keyword.Type),
            ),
            (r"[0-9][0-9_]*(?:\.[0-9_]+)?%?", Number),
            (rf"({_WORD})(?=[ \t]*=(?!=))", Name.Attribute),
            (words(_OPERATORS, prefix=_START, suffix=_END), Operator.Word),
            (words(_KEYWORDS, prefix=_START, suffix=_END), Keyword),
            (words(_BLOCKS, prefix=_START, suffix=_END + r"(?=[^=\n]*\{)"), Keyword.Declaration),
            (rf"{_WORD}(?=\()", Name.Function),
            (_WORD, Name),
            (r"==|!=|<=|>=|[=<>+\-*/]", Operator),
            (r"[{}()\[\],.:]", Punctuation),
        ]
    }
