"""Compiled registrations among submissions: checked from their own contents, and compiled again from them."""

from __future__ import annotations

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.frozen import FrozenFault, read_registration
from dcp_lang.source import SourceFile, Span
from dcp_lang.thaw import FrozenCompilation, recompile

UNREADABLE = Rule(
    "E820", "frozen-file-unreadable", "error", "a compiled registration is not of the frozen form"
)
DIFFERS = Rule(
    "E821", "frozen-file-differs", "error", "a compiled registration is not what its source compiles to"
)
RULES = (UNREADABLE, DIFFERS)


def check_frozen(name: str, data: bytes, imposed: tuple[SourceFile, ...]) -> list[Diagnostic]:
    """The findings of a frozen registration: its form, its embedded source, and whether the two agree."""
    try:
        frozen = read_registration(data)
    except FrozenFault as fault:
        help = "compile it again from its source"
        return [UNREADABLE.found(SourceFile(name, ""), Span(0, 0), str(fault), help=help)]
    compilation = FrozenCompilation(frozen, name, imposed)
    found = compilation.diagnostics
    if any(d.is_error for d in found):
        return found
    try:
        same = digest(canonical_bytes(recompile(frozen))) == frozen.digest
    except FrozenFault:
        same = False
    message = "compiling its embedded source gives another file"
    help = "`dcpc verify-registration` names every difference"
    source = SourceFile(name, frozen.source)
    return found if same else [*found, DIFFERS.found(source, Span(0, 0), message, help=help)]
