"""Names: where a thing is declared and where it is spoken of; which of them are the author's to change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dcp_lang.driver import Compilation
from dcp_lang.editing.memory import per_compilation
from dcp_lang.editing.outline import Node, every_node, outline, walk
from dcp_lang.language.fields import find_field
from dcp_lang.language.names import resolve_name
from dcp_lang.language.types import CountType, EitherType, NumberType, QuantityType
from dcp_lang.sema.quantities import COMPUTED, symbols
from dcp_lang.source import Span
from dcp_lang.syntax import ast

_NUMERIC = (NumberType, CountType, QuantityType, EitherType)
_WORD = re.compile(r"[A-Za-z_δεραμ][A-Za-z0-9_δεραμ]*")


class Occurrence(NamedTuple):
    """One mention of a thing: `key` is the path of a field, or `label:` and a path for a name of the author's."""

    key: str
    span: Span
    is_declaration: bool


class Renaming(NamedTuple):
    """The places that a rename changes; `fault` says why there are none."""

    spans: tuple[Span, ...] = ()
    fault: str = ""


@per_compilation
def occurrences(compilation: Compilation) -> list[Occurrence]:
    """Every mention of every field and name, in reading order."""
    nodes = list(every_node(outline(compilation)))
    baseline = next((n for n in nodes if n.path == "baseline" and n.label), None)
    found = [o for node in nodes for o in (*_declared(node), *_spoken_of(node, baseline))]
    return sorted(found, key=lambda o: o.span)


def occurrence_at(compilation: Compilation, offset: int) -> Occurrence | None:
    """The innermost mention at a place."""
    around = [o for o in occurrences(compilation) if o.span.start <= offset <= o.span.end]
    return min(around, key=lambda o: (o.span.end - o.span.start, not o.is_declaration), default=None)


def definition(compilation: Compilation, offset: int) -> Span | None:
    """Where the thing at a place is declared; None when it is not declared in this file."""
    here = occurrence_at(compilation, offset)
    same = references(compilation, offset) if here else []
    return next((o.span for o in same if o.is_declaration), None)


def references(compilation: Compilation, offset: int) -> list[Occurrence]:
    """Every mention of the thing at a place, its declaration among them."""
    here = occurrence_at(compilation, offset)
    return [] if here is None else [o for o in occurrences(compilation) if o.key == here.key]


def rename(compilation: Compilation, offset: int, name: str = "a") -> Renaming:
    """The places to change when the thing at a place gets a new name."""
    here = occurrence_at(compilation, offset)
    if here is None:
        return Renaming(fault="there is no name here")
    if not here.key.startswith("label:"):
        return Renaming(fault=f"`{here.key}` is a word of the language; only your own names can change")
    if not _is_word(name):
        return Renaming(fault=f"`{name}` is not one word of letters, digits and _")
    taken = {o.key for o in occurrences(compilation)}
    new = f"{here.key.rpartition('.')[0]}.{name}"
    if here.key.startswith("label:information.") and new in taken - {here.key}:
        return Renaming(fault=f"`{name}` is already declared")
    return Renaming(tuple(o.span for o in references(compilation, offset)))


def _is_word(name: str) -> bool:
    """Whether a text is a word to the grammar, and not one of its keywords."""
    from dcp_lang.syntax.tables import SPELLINGS

    return _WORD.fullmatch(name) is not None and name not in SPELLINGS


def _declared(node: Node) -> Iterator[Occurrence]:
    if node.label is not None:
        yield Occurrence(_label_key(node), node.label.span, True)
    if node.kind == "field" and find_field(node.path) is not None:
        yield Occurrence(node.path, node.head_span, True)


def _label_key(node: Node) -> str:
    """Beside a registration or a task there is no second one: their labels need no name of their own."""
    return f"label:{node.path}" if node.kind == "field" else f"label:{node.path or 'registration'}.name"


def _spoken_of(node: Node, baseline: Node | None) -> Iterator[Occurrence]:
    if node.children or isinstance(node.statement, ast.Block):
        return
    words = _alternatives(node)
    for part in walk(node.statement):
        match part:
            case ast.Call(ast.Word("score"), (ast.Argument(None, ast.Name() as of),)):
                yield Occurrence("baseline.score", part.function.span, False)
                words.add(of.span)
                if baseline and baseline.label and baseline.label.name == of.dotted:
                    yield Occurrence("label:baseline.name", of.span, False)
            case ast.Name(_, span) if span not in words:
                yield from (Occurrence(path, span, False) for path in named_path(part.dotted))


def _alternatives(node: Node) -> set[Span]:
    """The names that are alternatives of a choice, not fields: `web` in `tools = [read, web]`."""
    if node.kind == "field":
        spec = find_field(node.path)
        takes_numbers = spec is not None and isinstance(spec.type, _NUMERIC)
        return set() if takes_numbers else {n.span for n in walk(node.statement) if isinstance(n, ast.Name)}
    compared = (
        right
        for part in walk(node.statement)
        if isinstance(part, ast.Comparison)
        for operator, right in part.rest
        if operator in ("==", "!=", "in", "contains")
    )
    words = symbols()
    names = (n for right in compared for n in walk(right) if isinstance(n, ast.Name))
    return {n.span for n in names if n.dotted in words}


def named_path(dotted: str) -> list[str]:
    """The field that a name in an expression speaks of: none, or one."""
    if dotted in COMPUTED:
        return [COMPUTED[dotted]]
    if dotted == "x":
        return ["target.score"]
    paths = resolve_name(dotted)
    return paths if len(paths) == 1 else []
