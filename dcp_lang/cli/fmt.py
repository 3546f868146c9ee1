"""`dcpc fmt FILE|FOLDER|-…`"""

from __future__ import annotations

import sys

from dcp_lang.bulk.rewrite import rewrite
from dcp_lang.bulk.submission import Submission, submissions
from dcp_lang.cli.common import show
from dcp_lang.cli.parameters import Command, Option, RefusalError
from dcp_lang.diagnostics.cells import show as printable
from dcp_lang.diagnostics.model import Sink
from dcp_lang.editing.line_ends import in_line_ends_of
from dcp_lang.source import SourceFile
from dcp_lang.syntax import read_source
from dcp_lang.syntax.rewrite import formatted


def fmt(paths: tuple[str, ...], check: bool, diff: bool, is_ascii: bool) -> int:
    """Format registrations in place: files, every .dcp file below folders, or `-` for standard input.

    A file that cannot be parsed is shown with its faults and left alone.
    """
    mode = _Mode(check, diff, is_ascii)
    return max((_format(file, mode) for file in submissions(paths, compiled=False)), default=0)


class _Mode:
    def __init__(self, check: bool, diff: bool, is_ascii: bool) -> None:
        self.check, self.diff, self.is_ascii = check, diff, is_ascii


def _format(file: Submission, mode: _Mode) -> int:
    data, sink = _bytes(file), Sink()
    source = read_source("<stdin>" if file.path == "-" else file.path, data, sink)
    text = formatted(source, sink, ascii=mode.is_ascii) if source else None
    if source is None or text is None:
        show(sink.sorted())
        return 1
    text = in_line_ends_of(text, source.text)
    if mode.diff:
        print(_difference(source, text), end="")
    if mode.check or mode.diff:
        return _verdict(source, text, mode)
    _write(file, data, text)
    return 0


def _bytes(file: Submission) -> bytes:
    try:
        return file.read()
    except OSError as error:
        raise RefusalError(f"cannot read {file.path}: {error.strerror}") from error


def _verdict(source: SourceFile, text: str, mode: _Mode) -> int:
    if not mode.check or source.text == text:
        return 0
    if not mode.diff:
        print(f"would reformat {printable(source.name)}", file=sys.stderr)
    return 1


def _write(file: Submission, data: bytes, text: str) -> None:
    """Standard output for standard input; a file only when it changes."""
    if file.path == "-":
        sys.stdout.buffer.write(text.encode())
    elif text.encode() != data:
        rewrite(file, text.encode())


def _difference(source: SourceFile, text: str) -> str:
    from difflib import unified_diff

    lines = unified_diff(
        source.text.splitlines(keepends=True),
        text.splitlines(keepends=True),
        printable(source.name),
        printable(source.name),
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


command = Command(
    "fmt",
    fmt,
    "paths",
    (
        Option("--check", "check", "Write nothing; exit 1 when a file would change.", is_flag=True),
        Option("--diff", "diff", "Write nothing; print what would change.", is_flag=True),
        Option("--ascii", "is_ascii", "Spell δ_min, ε, ρ and their like in ASCII.", is_flag=True),
    ),
)
