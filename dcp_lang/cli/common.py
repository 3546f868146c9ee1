"""What commands share: reading a source, showing findings."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from dcp_lang.cli.parameters import RefusalError
from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.record import TYPE_CHECKING
from dcp_lang.source import SourceFile

if TYPE_CHECKING:
    from typing import TextIO

    from dcp_lang.driver import Compilation


def read_compilation(path: str) -> Compilation:
    """The compilation of a file, or of standard input for `-`."""
    from dcp_lang.driver import Compilation
    from dcp_lang.syntax import read_source
    from dcp_lang.workspace import DiskWorkspace

    name = "<stdin>" if path == "-" else path
    sink = Sink()
    source = read_source(name, read_input(path), sink)
    return Compilation(source or SourceFile(name, ""), DiskWorkspace(os.path.dirname(path)), sink)


def read_input(path: str) -> bytes:
    """The bytes of a file that was named, or of standard input for `-`; one line says why there are none."""
    from dcp_lang.bulk.submission import read_bytes

    try:
        return read_bytes(path)
    except OSError as error:
        raise RefusalError(f"cannot read {path}: {error.strerror}") from error


def show(diagnostics: Sequence[Diagnostic], *, err: bool = True) -> None:
    """Print findings for people, in colour on a terminal unless NO_COLOR is set."""
    if not diagnostics:
        return
    from dcp_lang.diagnostics.text import render_text

    stream = sys.stderr if err else sys.stdout
    print(render_text(diagnostics, color=is_colored(stream)), file=stream, end="")


def is_colored(stream: TextIO) -> bool:
    """Whether findings show in colour: on a terminal, unless NO_COLOR is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")
