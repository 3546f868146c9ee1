"""The outline of a file: every statement with the path that the field table knows it by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from dcp_lang.driver import Compilation
from dcp_lang.editing.memory import per_compilation
from dcp_lang.language.fields import SECTION_TABLE
from dcp_lang.source import Span
from dcp_lang.syntax import ast

#: What stands outside every registration has no path.
NOWHERE = "?"


class Node(NamedTuple):
    """One statement: its path (`""` is the registration, `NOWHERE` none), what it is called, what it holds.

    `label` is the author's own word in the head (`no_index` of `baseline no_index { … }`), where there is one.
    """

    path: str
    kind: str
    name: str
    span: Span
    head_span: Span
    statement: ast.Statement
    label: ast.Word | None = None
    children: tuple[Node, ...] = ()


@per_compilation
def outline(compilation: Compilation) -> tuple[Node, ...]:
    """All statements of a file, nested as they stand."""
    return tuple(_node(NOWHERE, statement) for statement in compilation.file.statements)


def every_node(nodes: Sequence[Node]) -> Iterator[Node]:
    """All nodes, each before what it holds."""
    for node in nodes:
        yield node
        yield from every_node(node.children)


def nodes_at(nodes: Sequence[Node], offset: int) -> list[Node]:
    """The nodes around a place, from the outermost to the innermost."""
    for node in nodes:
        if node.span.start <= offset <= node.span.end:
            return [node, *nodes_at(node.children, offset)]
    return []


def section_of(section: str, words: Sequence[str]) -> tuple[str, int]:
    """The path of the block that a head opens inside `section`, and how many of its words name it."""
    if section == NOWHERE:
        return ("", 1) if list(words[:1]) == ["registration"] else (NOWHERE, 0)
    for used in (2, 1):
        path = join(section, *words[:used])
        if len(words) >= used and path in SECTION_TABLE:
            return path, used
    return NOWHERE, 0


def join(section: str, *names: str) -> str:
    """A path below a section."""
    return ".".join((section, *names)) if section else ".".join(names)


def walk(node: Any) -> Iterator[Any]:
    """Every node of a tree, each before its parts; spans and plain values are no nodes."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple) and not isinstance(node, Span):
            if hasattr(node, "span"):
                yield node
            waiting += reversed(node)


def _node(section: str, statement: ast.Statement) -> Node:
    match statement:
        case ast.Block(head, tag, body, _, head_span):
            return _block(section, statement, head, body, head_span, tag)
        case ast.Field(head, ast.Record(body)) if _words(head):
            return _block(section, statement, head, body, _head_span(head), None)
        case ast.Field(head) if _words(head):
            return _field(section, statement)
        case _:
            kind = type(statement).__name__.lower()
            return Node(NOWHERE, kind, _shown(statement), statement.span, statement.span, statement)


def _block(
    section: str,
    statement: ast.Block | ast.Field,
    head: Sequence[ast.HeadItem],
    body: Sequence[ast.Statement],
    head_span: Span,
    tag: ast.Word | None,
) -> Node:
    words = _words(head)
    path, used = section_of(section, [w.name for w in words])
    label = words[used] if used < len(words) and path != NOWHERE else None
    name = " ".join(_text(item) for item in head) + (f" : {tag.text}" if tag else "")
    kind = "registration" if path == "" else "block"
    children = tuple(_node(path, inner) for inner in body)
    return Node(path, kind, name, statement.span, head_span, statement, label, children)


def _field(section: str, field: ast.Field) -> Node:
    words = _words(field.head)
    path = NOWHERE if section == NOWHERE else join(section, *(w.name for w in words))
    name = " ".join(_text(item) for item in field.head)
    label = words[-1] if len(words) > 1 else None
    return Node(path, "field", name, field.span, _head_span(field.head), field, label)


def _words(head: Sequence[ast.HeadItem]) -> list[ast.Word]:
    return [item for item in head if isinstance(item, ast.Word)]


def _head_span(head: Sequence[ast.HeadItem]) -> Span:
    return head[0].span.to(head[-1].span)


def _text(item: ast.HeadItem) -> str:
    match item:
        case ast.Word() | ast.Number():
            return item.text
        case ast.Quantity():
            return f"{item.number.text} {item.unit.text}"
        case ast.Text():
            return item.raw


def _shown(statement: ast.Statement) -> str:
    from dcp_lang.syntax.spelling import statement_text

    text = " ".join(statement_text(statement).split())
    return text if len(text) <= 60 else text[:59] + "…"
