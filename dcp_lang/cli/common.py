"""What commands share: reading a source, showing findings."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from dcp_lang.cli.parameters import RefusalError
from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.driver import Compilation
from dcp_lang.source import SourceFile
from dcp_lang.syntax import read_source
from dcp_lang.workspace import DiskWorkspace


def read_compilation(path: str) -> Compilation:
    """The compilation of a file, or of standard input for `-`."""
    sink = Sink()
    if path == "-":
        name, data, root = "<stdin>", sys.stdin.buffer.read(), "."
    else:
        name, data, root = path, _bytes(path), os.path.dirname(path)
    source = read_source(name, data, sink)
    return Compilation(source or SourceFile(name, ""), DiskWorkspace(root), sink)


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise RefusalError(f"cannot read {path}: {os.strerror(error.errno or 0)}") from error


def show(diagnostics: Sequence[Diagnostic], *, err: bool = True) -> None:
    """Print findings for people, in colour on a terminal unless NO_COLOR is set."""
    if not diagnostics:
        return
    from dcp_lang.diagnostics.text import render_text

    stream = sys.stderr if err else sys.stdout
    color = stream.isatty() and not os.environ.get("NO_COLOR")
    print(render_text(diagnostics, color=color), file=stream, end="")
