"""Words the fault of a token that no rule allows where it stands, with advice where a mistake is common."""

from __future__ import annotations

from typing import Any

from dcp_lang.diagnostics.model import Diagnostic, Fix
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import ast, faults, tables
from dcp_lang.syntax.expected import describe_expected, describe_found
from dcp_lang.syntax.lexer import Token

_RESERVED = frozenset(kind for word, kind in tables.SPELLINGS.items() if word.isalpha())
_ENDS = frozenset({tables.NEWLINE, tables.COMMA, tables.END, tables.RBRACE})


def is_token(value: Any, kind: int) -> bool:
    """Whether a value on the parser's stack is a token of a kind."""
    return type(value) is tuple and value[:1] == (kind,)


def word_unexpected(
    source: SourceFile, tokens: list[Token], index: int, expected: frozenset[int], taken: list[Any]
) -> Diagnostic:
    """The fault of the token at `index`, after the values `taken` of its statement."""
    kind, start, end = tokens[index]
    text = source.text[start:end]
    reserved = _reserved(source, tokens[index], expected, taken)
    if reserved is not None:
        return faults.reserved_word(source, reserved, source.text[reserved.start : reserved.end])
    if kind == tables.DOT and tokens[index + 1][:2] == (tables.NUMBER, end):
        span = Span(start, tokens[index + 1][2])
        text = source.text[span.start : span.end]
        return faults.bare_point(source, span, text, "0" + text)
    span = Span(start, start if kind == tables.NEWLINE else end)
    help, fix = _advice(tokens[index], expected, taken)
    found, meaning = describe_found(kind, text), describe_expected(expected)
    return faults.unexpected_token(source, span, found, meaning, help=help, fix=fix)


def _reserved(source: SourceFile, token: Token, expected: frozenset[int], taken: list[Any]) -> Span | None:
    """The reserved word that is used as a name: where a name may stand, or before `=`."""
    kind, start, end = token
    if kind in _RESERVED and tables.WORD in expected and start < end:
        return Span(start, end)
    is_lone = len(taken) == 1 and type(taken[0]) is tuple and taken[0][0] in _RESERVED
    return Span(*taken[0][1:]) if is_lone and kind in (tables.EQUAL, tables.LBRACE) else None


def _advice(token: Token, expected: frozenset[int], taken: list[Any]) -> tuple[str, Fix | None]:
    """Help and a fix where one is likely."""
    kind, start, end = token
    span = Span(start, end)
    if kind == tables.EQUAL and tables.EQUALS in expected:
        return "`=` declares, `==` compares", faults.replacing("write `==`", span, "==", safe=False)
    if kind == tables.EQUALS and tables.EQUAL in expected:
        return "`==` compares, `=` declares", faults.replacing("write `=`", span, "=", safe=False)
    if kind == tables.MINUS and tables.EQUAL in expected:
        return "names have no hyphens, use `_`", faults.replacing("write `_`", span, "_", safe=False)
    colon = next((value for value in taken[-2:] if is_token(value, tables.COLON)), None)
    if colon and (kind in _ENDS or colon == taken[-1]):
        fix = faults.replacing("write `=`", Span(colon[1], colon[2]), " =", safe=False)
        return "a field takes `=`", fix
    value = _last_value(taken)
    if kind in _ENDS and tables.EQUAL in expected and value is not None:
        at = Span(value.start, value.start)
        return "a field takes `=`", faults.replacing("insert `=`", at, "= ", safe=False)
    return "", None


def _last_value(taken: list[Any]) -> Span | None:
    """The number or string at the end of a head, which may have been meant as a value."""
    last = taken[-1] if taken else None
    last = last[-1] if type(last) is list else last
    return last.span if isinstance(last, ast.Number | ast.Quantity | ast.Text) else None
