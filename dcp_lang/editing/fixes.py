"""What an editor offers to change: the fixes of the findings, what is missing, the canonical layout."""

from __future__ import annotations

from typing import NamedTuple

from dcp_lang.diagnostics.fixes import apply_fixes
from dcp_lang.diagnostics.model import Diagnostic, Edit, Sink
from dcp_lang.driver import Compilation
from dcp_lang.editing.line_ends import in_line_ends_of
from dcp_lang.editing.outline import Node, every_node, outline
from dcp_lang.editing.skeleton import lacking
from dcp_lang.source import Span
from dcp_lang.syntax.rewrite import formatted

QUICK, ALL = "quickfix", "source.fixAll"
_MISSING = "E103"


class Action(NamedTuple):
    """An offer: its title, what it changes, and the finding that it mends, if it is one."""

    title: str
    edits: tuple[Edit, ...]
    kind: str = QUICK
    is_safe: bool = False
    diagnostic: Diagnostic | None = None


def actions(compilation: Compilation, span: Span) -> list[Action]:
    """Everything that can be offered for a stretch of text, safe fixes first."""
    here = [d for d in own_findings(compilation) if d.span.start <= span.end and span.start <= d.span.end]
    found = [Action(d.fix.title, d.fix.edits, QUICK, d.fix.safe, d) for d in here if d.fix]
    found.sort(key=lambda action: not action.is_safe)
    return [*found, *_additions(compilation, here), *_all_safe(compilation)]


def own_findings(compilation: Compilation) -> list[Diagnostic]:
    """The findings in the file itself, not those in a profile that it uses."""
    return [d for d in compilation.diagnostics if d.source is compilation.source]


def format_edit(compilation: Compilation) -> Edit | None:
    """The change that lays the file out; None when it is laid out, or cannot be parsed."""
    text, written = formatted(compilation.source, Sink()), compilation.source.text
    return None if text is None else difference(written, in_line_ends_of(text, written))


def difference(old: str, new: str) -> Edit | None:
    """One edit that turns `old` into `new`, without what they have in common at both ends."""
    if old == new:
        return None
    least = min(len(old), len(new))
    head = next((i for i in range(least) if old[i] != new[i]), least)
    tail = next((i for i in range(least - head) if old[-1 - i] != new[-1 - i]), least - head)
    return Edit(Span(head, len(old) - tail), new[head : len(new) - tail])


def _all_safe(compilation: Compilation) -> list[Action]:
    fixed = apply_fixes(compilation.source, compilation.diagnostics)
    edit = difference(compilation.source.text, fixed.text)
    if edit is None:
        return []
    return [Action(f"apply all safe fixes ({len(fixed.applied)})", (edit,), ALL, True)]


def _additions(compilation: Compilation, here: list[Diagnostic]) -> list[Action]:
    """One offer for each block that lacks something, however many findings say so."""
    if compilation.analysis is None:
        return []
    resolved = compilation.analysis.registration.resolved
    sections = {span: path for path, span in resolved.sections.items()}
    nodes = {n.path: n for n in every_node(outline(compilation)) if n.kind != "field"}
    found: dict[str, Action] = {}
    for diagnostic in here:
        section = sections.get(diagnostic.span)
        if diagnostic.code != _MISSING or section is None or section in found or section not in nodes:
            continue
        lines = lacking(resolved, section)
        if lines:
            edit = insertion(compilation, nodes[section], lines)
            title = f"add what {_name(section)} lacks"
            found[section] = Action(title, (edit,), QUICK, False, diagnostic)
    return list(found.values())


def _name(section: str) -> str:
    return f"`{section.replace('.', ' ')}`" if section else "the registration"


def insertion(compilation: Compilation, node: Node, lines: list[str]) -> Edit:
    """Lines put at the end of a block, before its closing brace, in the indentation of that."""
    source = compilation.source
    at = node.span.end - 1
    position = source.position(at)
    before = source.line(position.line)[: position.column - 1]
    if before.strip():
        depth = len(before) - len(before.lstrip())
        at -= len(before) - len(before.rstrip())
        body = "\n".join(" " * (depth + 2) + line if line else "" for line in lines)
        return Edit(Span(at, node.span.end - 1), f"\n{body}\n{' ' * depth}")
    start = at - len(before)
    body = "".join(f"{before}  {line}".rstrip() + "\n" for line in lines)
    return Edit(Span(start, start), body)
