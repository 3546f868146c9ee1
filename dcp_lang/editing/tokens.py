"""Semantic tokens: what every word, number and string of a text is."""

from __future__ import annotations

from typing import NamedTuple

from dcp_lang.driver import Compilation
from dcp_lang.editing.names import occurrences
from dcp_lang.editing.outline import NOWHERE, Node, every_node, outline, walk
from dcp_lang.source import Span
from dcp_lang.syntax import ast, tables
from dcp_lang.syntax.lexer import Lexed, lex

#: Kinds by their standard names, in the order of the server's legend.
KINDS = (
    "keyword",
    "class",
    "property",
    "variable",
    "function",
    "parameter",
    "enumMember",
    "number",
    "string",
    "operator",
    "comment",
    "type",
)
MODIFIERS = ("declaration",)

_FIXED = {tables.NUMBER: "number", tables.STRING: "string", tables.UNIT: "type", tables.EDITION: "keyword"}
_OPERATORS = frozenset(tables.SPELLINGS[text] for text in ("==", "!=", "<=", ">=", *"<>+-*/="))


class SemanticToken(NamedTuple):
    """A stretch of text and what it is; a string may span lines."""

    span: Span
    kind: str
    is_declaration: bool = False


def semantic_tokens(compilation: Compilation) -> list[SemanticToken]:
    """All tokens that have a meaning, in reading order; text that cannot be read has none."""
    words = _words(compilation)
    lexed = lex(compilation.source.text, lambda stop, _: stop + 1)
    found = [SemanticToken(c.span, "comment") for c in lexed.comments]
    found += _plain(lexed, compilation.source.text, words)
    return sorted(found)


def _plain(lexed: Lexed, text: str, words: dict[int, tuple[str, bool]]) -> list[SemanticToken]:
    found = []
    for terminal, start, end in lexed.tokens:
        kind, declares = words.get(start, (_FIXED.get(terminal, ""), False))
        if terminal in _OPERATORS:
            kind = "operator"
        elif terminal > tables.BROKEN and text[start:end].isalpha():
            kind = "keyword"
        if kind:
            found.append(SemanticToken(Span(start, end), kind, declares))
    return found


def _words(compilation: Compilation) -> dict[int, tuple[str, bool]]:
    """What each word is, by where it starts."""
    kinds: dict[int, tuple[str, bool]] = {}
    for node in every_node(outline(compilation)):
        kinds |= _head(node)
        if not node.children:
            kinds |= _parts(node.statement)
    for mention in occurrences(compilation):
        if not mention.is_declaration:
            kind = "variable" if mention.key.startswith("label:") else "property"
            kinds[mention.span.start] = (kind, False)
    return kinds


def _head(node: Node) -> dict[int, tuple[str, bool]]:
    if not isinstance(node.statement, ast.Field | ast.Block):
        return {}
    is_block = node.kind != "field"
    kind = "class" if is_block else "property"
    words = [w for w in node.statement.head if isinstance(w, ast.Word)]
    found = {word.span.start: (kind, False) for word in words}
    if node.path == NOWHERE and words:
        found[words[0].span.start] = ("class" if is_block else "property", False)
    if node.kind == "registration":
        found[words[0].span.start] = ("keyword", False)
    if node.label is not None:
        found[node.label.span.start] = ("variable", True)
    tag = node.statement.tag if isinstance(node.statement, ast.Block) else None
    return found | ({tag.span.start: ("enumMember", False)} if tag else {})


def _parts(statement: ast.Statement) -> dict[int, tuple[str, bool]]:
    kinds: dict[int, tuple[str, bool]] = {}
    for part in walk(statement):
        match part:
            case ast.Call(function):
                kinds[function.span.start] = ("function", False)
            case ast.Argument(ast.Word() as name):
                kinds[name.span.start] = ("parameter", False)
            case ast.Name(parts):
                kinds |= {word.span.start: ("enumMember", False) for word in parts}
    if isinstance(statement, ast.Allow):
        kinds[statement.code.span.start] = ("enumMember", False)
    return kinds
