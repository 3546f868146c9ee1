"""One submission, source or compiled, to its findings."""

from __future__ import annotations

import os

from dcp_lang.bulk.submission import Submission
from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.source import SourceFile, Span
from dcp_lang.workspace import DiskWorkspace

if TYPE_CHECKING:
    from dcp_lang.sema.materials import Workspace

NOT_READ = Rule("E822", "submission-not-read", "error", "a submission cannot be read")
RULES = (NOT_READ,)


class Options(Record):
    """How submissions are checked: an authority's profile as text, lints as errors."""

    profile: str = ""
    strict: bool = False


def check_submission(submission: Submission, options: Options) -> list[Diagnostic]:
    """The findings of one submission."""
    try:
        data = submission.read()
    except OSError as error:
        return [not_read(submission.path, error)]
    return check_bytes(submission.path, data, options, submission.workspace())


def not_read(path: str, error: OSError) -> Diagnostic:
    """The only finding of a file that cannot be read."""
    message = f"the file cannot be read: {error.strerror}"
    return NOT_READ.found(SourceFile(path, ""), Span(0, 0), message, help="check its name and permissions")


def source_of(path: str, data: bytes) -> SourceFile:
    """The text of a file; none of a compiled registration, whose findings point into the source that it embeds."""
    from dcp_lang.syntax import read_source

    return (None if path.endswith(".json") else read_source(path, data, Sink())) or SourceFile(path, "")


def check_bytes(
    name: str, data: bytes, options: Options, workspace: Workspace | None = None
) -> list[Diagnostic]:
    """The findings of one submission's bytes."""
    imposed = (SourceFile("the authority's profile", options.profile),) if options.profile else ()
    found = _check(name, data, imposed, workspace or DiskWorkspace(os.path.dirname(name)))
    if not options.strict:
        return found
    return [d._replace(severity="error") if d.severity == "warning" else d for d in found]


def _check(name: str, data: bytes, imposed: tuple[SourceFile, ...], workspace: Workspace) -> list[Diagnostic]:
    if name.endswith(".json"):
        from dcp_lang.bulk.frozen import check_frozen

        return check_frozen(name, data, imposed)
    from dcp_lang.driver import Compilation
    from dcp_lang.syntax import read_source

    sink = Sink()
    source = read_source(name, data, sink) or SourceFile(name, "")
    return Compilation(source, workspace, sink, imposed).diagnostics
