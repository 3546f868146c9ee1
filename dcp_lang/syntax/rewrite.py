"""Formatting that checks itself: what is printed is read again before anyone gets to see it."""

from __future__ import annotations

from dcp_lang.diagnostics.model import Sink
from dcp_lang.source import SourceFile
from dcp_lang.syntax.printer import format_file, same_tree
from dcp_lang.syntax.reading import parse


class UnfaithfulError(AssertionError):
    """The formatter's own output does not mean what its input does: a bug, and the input stays as it is."""


def formatted(source: SourceFile, sink: Sink, *, ascii: bool = False) -> str | None:
    """The canonical text of a source; None, with the faults in `sink`, when it cannot be parsed.

    Raises `UnfaithfulError` rather than return a text that means anything else or lost a comment.
    """
    file = parse(source, sink)
    if sink.has_errors:
        return None
    text = format_file(file, source, ascii=ascii)
    again = Sink()
    if not same_tree(file, parse(SourceFile(source.name, text), again)) or again.has_errors:
        raise UnfaithfulError(f"{source.name} would change its meaning in formatting; it was left as it is")
    return text
