"""Fragments over a base: the statements of a fragment replace or join those of a base registration.

A rule page shows only the lines that it is about. Here they become a whole registration: a field of the
fragment replaces the field of that name in the same block of the base, a block is entered, the rest is added.
"""

from __future__ import annotations

from collections.abc import Sequence

from dcp_lang.diagnostics.model import Sink
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import ast, parse

#: Blocks whose second word is part of their name (`gate recovery`); elsewhere it is the author's label.
_TWO_WORDS = ("gate", "policy", "budget")
#: Fields whose first word is a role.
_ROLES = ("known", "given", "web", "lineage")


def overlaid(base: str, fragment: str) -> str:
    """The base with the fragment laid over it; a fragment that is a whole file stands alone."""
    if fragment.lstrip().startswith("dcp "):
        return fragment
    edits: list[tuple[int, int, str]] = []
    target = next(s for s in _statements(base) if isinstance(s, ast.Block))
    _merge(target, _statements(fragment), fragment, base, edits)
    for start, end, text in sorted(edits, reverse=True):
        base = base[:start] + text + base[end:]
    return base


def _statements(text: str) -> Sequence[ast.Statement]:
    return parse(SourceFile("", text), Sink()).statements


def _merge(
    target: ast.Block,
    statements: Sequence[ast.Statement],
    fragment: str,
    base: str,
    edits: list[tuple[int, int, str]],
) -> None:
    written: dict[tuple[str, ...], list[str]] = {}
    for statement in statements:
        found = next((s for s in target.body if _key(s) == _key(statement) and _key(s)), None)
        if isinstance(found, ast.Block) and isinstance(statement, ast.Block):
            edits.append((*_head(found), fragment[slice(*_head(statement))]))
            _merge(found, statement.body, fragment, base, edits)
        elif found is not None:
            written.setdefault((str(found.span.start), str(found.span.end)), []).append(
                _text(statement, fragment)
            )
        else:
            end = base.rindex("}", target.span.start, target.span.end)
            edits.append((end, end, "\n" + _text(statement, fragment) + "\n"))
    edits += [(int(start), int(end), "\n".join(texts)) for (start, end), texts in written.items()]


def _key(statement: ast.Statement) -> tuple[str, ...]:
    """What names a statement within its block, empty for what only joins others."""
    if not isinstance(statement, ast.Field | ast.Block):
        return ()
    words = tuple(item.name for item in statement.head if isinstance(item, ast.Word))
    return words[:2] if words[0] in (*_TWO_WORDS, *_ROLES) else words[:1]


def _head(block: ast.Block) -> Span:
    return Span(block.head[0].span.start, block.head[-1].span.end)


def _text(statement: ast.Statement, fragment: str) -> str:
    return fragment[slice(*statement.span)]
