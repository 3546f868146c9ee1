"""Profiles: an authority's rules and defaults, in the same language, pinned by the digest of their normal form."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dcp_lang.canonical import digest
from dcp_lang.diagnostics.model import Sink
from dcp_lang.language.fields import FIELDS, resolve_name
from dcp_lang.sema.faults import Faults
from dcp_lang.source import SourceFile
from dcp_lang.syntax import ast, format_file, parse


class Profile(NamedTuple):
    """A profile in use: `sha256` is the digest of `text`, its normal form (canonical layout, no comments)."""

    name: str
    sha256: str
    text: str
    source: SourceFile
    requires: tuple[ast.Require, ...]
    defaults: tuple[tuple[str, ast.Expr], ...]
    waivers: bool


def read_profile(source: SourceFile, sink: Sink) -> Profile | None:
    """The profile that a file declares, or None after reporting."""
    file = parse(source, sink)
    faults = Faults(source, sink)
    blocks = [s for s in file.statements if isinstance(s, ast.Block) and _word(s) == "profile"]
    if len(blocks) != 1 or len(blocks[0].head) != 2 or not isinstance(blocks[0].head[1], ast.Text):
        faults.shape("this file holds no single `profile \"name/version\" { … }`", file.span)
        return None
    block, name = blocks[0], blocks[0].head[1].value
    for statement in block.body:
        if not isinstance(statement, (ast.Require, ast.Default)) and not _is_waivers(statement):
            faults.shape("a profile holds `require`, `default` and `waivers` only", statement.span)
    text = format_file(file._replace(comments=()), source, ascii=True)
    return Profile(
        name, digest(text.encode()), text, source,
        tuple(s for s in block.body if isinstance(s, ast.Require)),
        tuple(d for s in block.body if isinstance(s, ast.Default) for d in _default(s, faults)),
        not any(_forbids_waivers(s) for s in block.body),
    )  # fmt: skip


def _word(block: ast.Block) -> str:
    return block.head[0].name if isinstance(block.head[0], ast.Word) else ""


def _default(statement: ast.Default, faults: Faults) -> list[tuple[str, ast.Expr]]:
    paths = resolve_name(statement.path.dotted)
    if not paths:
        faults.unknown("field", statement.path.dotted, statement.path.span, FIELDS)
    return [(paths[0], statement.value)] if paths else []


def _is_waivers(statement: ast.Statement) -> bool:
    return isinstance(statement, ast.Field) and [getattr(h, "name", "") for h in statement.head] == ["waivers"]


def _forbids_waivers(statement: ast.Statement) -> bool:
    return (
        isinstance(statement, ast.Field)
        and _is_waivers(statement)
        and isinstance(statement.value, ast.Name)
        and statement.value.dotted == "forbidden"
    )


def load_profiles(
    uses: list[ast.Use], find: Callable[[ast.Use], SourceFile | None], known: list[str], faults: Faults
) -> tuple[Profile, ...]:
    """Every profile that a file uses, the unknown ones reported."""
    profiles = []
    for use in uses:
        source = find(use)
        if source is None:
            name = use.target.value if isinstance(use.target, ast.Text) else "…"
            faults.profile(name, use.target.span, known)
            continue
        profile = read_profile(source, faults.sink)
        if profile is not None:
            profiles.append(profile)
    return tuple(profiles)
