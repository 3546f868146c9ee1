"""One input, checked and where it is sound compiled, all in memory; what fuzzers, the corpus and the bench do alike."""

from __future__ import annotations

import os

from dcp_lang.bulk.check import Options, check_bytes
from dcp_lang.diagnostics.formats import FORMATS
from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.driver import Compilation
from dcp_lang.syntax import read_source
from dcp_lang.workspace import DiskWorkspace


def judge(name: str, data: bytes) -> list[Diagnostic]:
    """The findings, shown in every format; a sound source is built too. Raises what must never be raised."""
    found = check_bytes(name, data, Options())
    for form in FORMATS.values():
        form(found)
    if name.endswith(".dcp") and not any(d.is_error for d in found):
        _build(name, data)
    return found


def _build(name: str, data: bytes) -> None:
    from dcp_lang.emit.build import build_files

    source = read_source(name, data, Sink())
    assert source is not None
    compilation = Compilation(source, DiskWorkspace(os.path.dirname(name)))
    assert compilation.is_sound and compilation.analysis is not None
    build_files(compilation.analysis, compilation.waivers, compilation.workspace.bytes)
