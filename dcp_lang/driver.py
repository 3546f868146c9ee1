"""Compilation: one source file and its phases, each computed once. The only place that orders the passes."""

from __future__ import annotations

from functools import cached_property

from dcp_lang.diagnostics.model import MOST_SHOWN, Diagnostic, Sink
from dcp_lang.record import TYPE_CHECKING
from dcp_lang.resources import profile_names, profile_text
from dcp_lang.sema import Analysis, Surroundings, analyse
from dcp_lang.sema.materials import MISSING, MaterialError, Workspace
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import MAX_BYTES, ast, parse

if TYPE_CHECKING:
    from dcp_lang.language.values import Material
    from dcp_lang.sema.waivers import Waiver


class Compilation:
    """The phases of one registration: file, analysis, diagnostics, waivers."""

    def __init__(
        self,
        source: SourceFile,
        workspace: Workspace,
        sink: Sink | None = None,
        imposed: tuple[SourceFile, ...] = (),
    ) -> None:
        """`imposed` are profiles that hold for the registration whether it uses them or not."""
        self.source = source
        self.workspace = workspace
        self.sink = sink or Sink()
        self.imposed = imposed

    @cached_property
    def file(self) -> ast.File:
        """The tree, best effort; empty where the sink already says why the bytes are no text."""
        if self.sink.has_errors:
            return ast.File((), (), Span(0, 0))
        return parse(self.source, self.sink)

    @cached_property
    def analysis(self) -> Analysis | None:
        """The typed registration with its plan and decided conditions, or None when a field has no value.

        A file with syntax faults is analysed too, but only for what stands in its sound statements: what a faulty
        statement would have declared is then not called missing.
        """
        around = Surroundings(self.workspace, self.find_profile, list(profile_names()), self.imposed)
        if not self.file.statements:
            return None
        return analyse(self.file, self.source, around, self.sink)

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """What was found, in reading order, waived findings left out; at most as many as are shown."""
        found = self._judged[0]
        if len(found) <= MOST_SHOWN:
            return found
        from dcp_lang.sema.shown import shown

        return shown(found)

    @property
    def waivers(self) -> list[Waiver]:
        """The findings that the author's `allow` statements waive."""
        return self._judged[1]

    @property
    def is_sound(self) -> bool:
        """Whether there is a registration and no error."""
        complete = self.analysis is not None and self.analysis.registration.complete
        return complete and not any(d.is_error for d in self._judged[0])

    @cached_property
    def _judged(self) -> tuple[list[Diagnostic], list[Waiver]]:
        resolved = self.analysis.registration.resolved if self.analysis else None
        if resolved is None or not resolved.allows:
            return self.sink.sorted(), []
        from dcp_lang.sema.waivers import apply_waivers

        return apply_waivers(self.sink.sorted(), resolved, self.source)

    def find_profile(self, use: ast.Use) -> SourceFile | None:
        """A shipped profile by name, or an authority's own by file."""
        match use.target:
            case ast.Text(name) if name in profile_names():
                return SourceFile(name, profile_text(name))
            case ast.Call(function, arguments) if function.name == "file" and len(arguments) == 1:
                return self._profile_file(arguments[0].value)
            case _:
                return None

    def _profile_file(self, path: ast.Expr) -> SourceFile | None:
        if not isinstance(path, ast.Text):
            return None
        try:
            if self.workspace.material(path.value, False).size > MAX_BYTES:
                return None
            return SourceFile(path.value, self.workspace.bytes(path.value).decode())
        except (MaterialError, UnicodeDecodeError):
            return None


class NoFiles:
    """A workspace for text alone: every `file("…")` is missing."""

    def material(self, path: str, folder: bool) -> Material:
        """Always raises `MaterialError`."""
        raise MaterialError(MISSING, f"there is no file `{path}`", "paths start at the registration's folder")

    def bytes(self, path: str) -> bytes:
        """Always raises `MaterialError`."""
        raise MaterialError(MISSING, f"there is no file `{path}`", "paths start at the registration's folder")


def check_text(name: str, text: str, workspace: Workspace | None = None) -> list[Diagnostic]:
    """The diagnostics of a registration given as text."""
    return Compilation(SourceFile(name, text), workspace or NoFiles()).diagnostics
