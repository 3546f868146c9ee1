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

_COMMON = frozenset("δεραμ–—“”‘’…≤≥−")


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
        return _parse_sound(source.text)
    except FaultyError:
        from dcp_lang.syntax.findings import Findings
        from dcp_lang.syntax.recovery import recover

        return recover(Findings(source, sink))


def _parse_sound(text: str) -> ast.File:
    """The tree of a text without faults; raises `FaultyError` for any other."""
    if _deserves_a_look(text):
        raise FaultyError
    return read_in_pieces(text) or read_whole(text)


def _deserves_a_look(text: str) -> bool:
    """Whether a text holds a character that is not printed, or may not be in Unicode normalization form C."""
    shown = text.replace("\r\n", "\n").replace("\n", "").replace("\t", "")
    if not shown.isprintable():
        return True
    # No character before U+0300 takes part in composition.
    if shown.isascii() or max(set(shown) - _COMMON, default="") < "\u0300":
        return False
    import unicodedata

    return not unicodedata.is_normalized("NFC", text)


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
