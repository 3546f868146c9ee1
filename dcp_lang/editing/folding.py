"""What can be folded away: blocks, broken values, runs of comments."""

from __future__ import annotations

from typing import NamedTuple

from dcp_lang.driver import Compilation
from dcp_lang.editing.outline import walk
from dcp_lang.source import SourceFile
from dcp_lang.syntax import ast


class Fold(NamedTuple):
    """Whole lines from `first` to `last`, both from 1; the first stays visible."""

    first: int
    last: int
    kind: str = "region"


def folds(compilation: Compilation) -> list[Fold]:
    """All folds, by first line; of several that start on one line, the longest."""
    source = compilation.source
    found: dict[int, Fold] = {}
    for node in walk(compilation.file.statements):
        if isinstance(node, ast.Block | ast.Record | ast.ListExpr | ast.Call | ast.Text):
            first, last = (source.position(at).line for at in node.span)
            # The line of a closing bracket stays visible; a string has none.
            last -= 0 if isinstance(node, ast.Text) else 1
            if last > first and (first not in found or found[first].last < last):
                found[first] = Fold(first, last)
    return sorted([*found.values(), *_comments(compilation.file.comments, source)])


def _comments(comments: tuple[ast.Comment, ...], source: SourceFile) -> list[Fold]:
    runs: list[list[int]] = []
    for comment in comments:
        line = source.position(comment.span.start).line
        if comment.trailing:
            continue
        if runs and runs[-1][-1] == line - 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return [Fold(run[0], run[-1], "comment") for run in runs if len(run) > 1]
