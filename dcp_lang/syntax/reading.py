"""Bytes to text, text to tree.

The plain way knows no faults and loads nothing for them; where it fails, `recovery` reads again.
"""

from __future__ import annotations

from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import ast
from dcp_lang.syntax.pieces import FaultyError, read_in_pieces, read_whole

#: Most bytes of a source.
MAX_BYTES = 256 * 1024


def parse(source: SourceFile, sink: Sink) -> ast.File:
    """The tree of a text. Every fault goes to the sink, once each; the tree holds all sound statements.

    Takes any text, raises nothing, and takes time in proportion to the text.
    """
    size = len(source.text)
    if size > MAX_BYTES:
        from dcp_lang.syntax import faults

        sink.add(faults.source_too_large(source, len(source.text.encode(errors="replace")), MAX_BYTES))
        return ast.File((), (), Span(0, 0))
    try:
        return read_in_pieces(source.text) or read_whole(source.text)
    except FaultyError as fault:
        from dcp_lang.syntax.findings import Findings
        from dcp_lang.syntax.recovery import recover

        return recover(Findings(source, sink), fault.lexed)


def read_source(name: str, data: bytes, sink: Sink) -> SourceFile | None:
    """The text of a file's bytes; None, and one diagnostic, when it is too large or no text in UTF-8."""
    if len(data) <= MAX_BYTES and b"\0" not in data:
        try:
            return SourceFile(name, data.decode())
        except UnicodeDecodeError:
            pass
    sink.add(_unreadable(name, data))
    return None


def _unreadable(name: str, data: bytes) -> Diagnostic:
    from dcp_lang.syntax import faults

    if len(data) > MAX_BYTES:
        return faults.source_too_large(SourceFile(name, ""), len(data), MAX_BYTES)
    is_utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        data.decode()
    except UnicodeDecodeError as error:
        if b"\0" not in data or is_utf_16:
            shown = SourceFile(name, data.decode(errors="replace"))
            offset = len(data[: error.start].decode())
            return faults.not_utf_8(shown, offset, data[error.start], error.start)
    return faults.not_text(SourceFile(name, ""))
