"""What to make of a string that is written wrong."""

from __future__ import annotations

import re

from dcp_lang.diagnostics.model import Edit, Fix
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import faults, tables
from dcp_lang.syntax.lexer import Token
from dcp_lang.syntax.mended import Mended

#: A string with escapes of any kind.
_STRING = re.compile(r'"""(?:[^"\\]++|\\.|"(?!""))*+"""|"(?!"")(?:[^"\\\n]++|\\[^\n])*+"', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)

#: The start of a line that is no prose: a closing brace, a keyword, a head and then `=` or `{`.
_STATEMENT = re.compile(
    r"\n(?=[ \t]*(?:\}|(?:use|require|allow|default)[ \t]|[A-Za-z_δεραμ][A-Za-z0-9_δεραμ]*+"
    r'(?:[ \t]++(?:[A-Za-z0-9_δεραμ.%]++|"[^"\n]*+"))*+[ \t]*+(?:=(?!=)|\{)))'
)
_LINE_END = re.compile(r"\r?\n|\r|\Z")

#: Quotation marks that stand for the straight one.
DOUBLE_QUOTES = frozenset("“”„‟«»″＂")
_CLOSING = re.compile('[“”„‟«»″＂"\n]')
_SINGLE = re.compile(r"'([^'\n]*)'")


def unclosed_text(text: str, tokens: list[Token]) -> int | None:
    """Where a text in three quotes starts that runs over what looks like a statement.

    When the last of all quotes opens a text that never ends, it is this one whose closing quotes are missing.
    """
    texts = (start for kind, start, end in tokens if kind == tables.STRING and _runs_over(text, start, end))
    return next(texts, None)


def _runs_over(text: str, start: int, end: int) -> bool:
    return text.startswith('"""', start) and _STATEMENT.search(text, start, end) is not None


def is_unclosed(text: str, start: int) -> bool:
    """Whether three quotes open a text that never ends."""
    return text.startswith('"""', start) and _STRING.match(text, start) is None


def mend_string(source: SourceFile, start: int) -> Mended:
    """What a quote at `start`, where no string starts, is taken for."""
    match = _STRING.match(source.text, start)
    if match is None:
        return mend_unclosed(source, start)
    escape = next(e for e in _ESCAPE.finditer(match[0]) if e[1] not in '"\\nt')
    span = Span(start + escape.start(), start + escape.end())
    fault = faults.unknown_escape(source, span, "\\" if escape[1] == "\n" else escape[0])
    return Mended(tables.STRING, start, match.end(), fault)


def mend_unclosed(source: SourceFile, start: int) -> Mended:
    """A string in one quote ends with its line, one in three before a line that looks like a statement."""
    text = source.text
    quotes = '"""' if text.startswith('"""', start) else '"'
    end = _LINE_END.search(text, start)
    stop = _STATEMENT.search(text, start) if quotes == '"""' else end
    assert end is not None
    fault = faults.unclosed_string(source, Span(start, max(end.start(), start + 1)), quotes)
    return Mended(tables.BROKEN, start, stop.start() if stop else len(text), fault)


def mend_quotes(source: SourceFile, start: int) -> Mended:
    """A string in typographic quotation marks."""
    text = source.text
    close = _CLOSING.search(text, start + 1)
    if close is None or close[0] == "\n":
        return mend_unclosed(source, start)
    end = close.end()
    edits = (Edit(Span(start, start + 1), '"'), Edit(Span(end - 1, end), '"'))
    spelling = '"' + text[start + 1 : end - 1] + '"'
    is_safe = "\\" not in spelling
    fix = Fix("use straight quotes", edits, is_safe)
    fault = faults.look_alike(source, Span(start, end), text[start], '"', fix)
    return Mended(tables.STRING, start, end, fault, spelling if is_safe else '""')


def mend_single(source: SourceFile, start: int) -> Mended | None:
    """A string in single quotes; None when there is but one on the line."""
    match = _SINGLE.match(source.text, start)
    if match is None:
        return None
    spelling = '"' + match[1].replace("\\", "\\\\").replace('"', '\\"') + '"'
    span = Span(*match.span())
    return Mended(tables.STRING, span.start, span.end, faults.single_quotes(source, span, spelling), spelling)
