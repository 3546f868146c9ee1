"""As much of a TextMate engine as the grammar needs, in Python's regular expressions, for where VS Code's is missing.

Rules are matches with captures, and stretches from `begin` to `end` with matches inside. The earliest match wins, of
two at one place the first; a stretch goes on over line ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

#: A stretch of a text, and its innermost scope.
Part = tuple[str, str]
Rule = dict[str, Any]


def coloured(grammar: dict[str, Any], text: str) -> list[list[Part]]:
    """The parts of each line, blanks left out."""
    opened: Rule | None = None
    lines = []
    for line in text.split("\n"):
        parts, opened = _line(grammar, line, opened)
        lines.append([part for part in parts if part[0].strip()])
    return lines


def _line(grammar: dict[str, Any], line: str, opened: Rule | None) -> tuple[list[Part], Rule | None]:
    parts: list[Part] = []
    at = 0
    while True:
        scope = opened["name"] if opened else grammar["scopeName"]
        found = _earliest(grammar, line, at, opened)
        if found is None:
            return [*parts, (line[at:], scope)], opened
        match, rule, kind = found
        parts.append((line[at : match.start()], scope))
        parts += [(text.rstrip("\n"), inner) for text, inner in _captured(match, rule, scope)]
        opened = {"begin": rule, "end": None}.get(kind, opened)
        at = match.end()


def _earliest(
    grammar: dict[str, Any], line: str, at: int, opened: Rule | None
) -> tuple[re.Match[str], Rule, str] | None:
    """The match that comes first, its rule, and whether that begins or ends a stretch."""
    rows: list[tuple[str, Rule, str]] = []
    if opened is not None:
        rows.append((opened["end"], opened, "end"))
    for rule in grammar["patterns"] if opened is None else opened["patterns"]:
        kind = "match" if "match" in rule else "begin"
        rows.append((rule[kind], rule, kind))
    # As the engine does, lines are matched with their line ends, before which `$` matches.
    matches = [(m, rule, kind) for p, rule, kind in rows if (m := re.compile(p).search(f"{line}\n", at))]
    return min(matches, key=lambda row: row[0].start(), default=None)


def _captured(match: re.Match[str], rule: Rule, scope: str) -> Iterator[Part]:
    """What was matched, in pieces; what no capture holds has the rule's own scope, or that around it."""
    outer = rule.get("name", scope)
    at = match.start()
    for number, capture in rule.get("captures", {}).items():
        start, end = match.span(int(number))
        if start >= 0:
            yield match.string[at:start], outer
            yield match.string[start:end], capture["name"]
            at = end
    yield match.string[at : match.end()], outer
