"""Meaning: from the tree of a file to a typed registration, its plan, and every condition decided."""

from __future__ import annotations

from collections.abc import Callable

from dcp_lang.diagnostics.model import Edit, Fix, Sink
from dcp_lang.record import Record
from dcp_lang.sema.budget import allocate_errors
from dcp_lang.sema.faults import Faults
from dcp_lang.sema.materials import Workspace
from dcp_lang.sema.model import Resolved, TypedRegistration
from dcp_lang.sema.plan import plan
from dcp_lang.sema.profile import imposed_profiles, load_profiles
from dcp_lang.sema.remembered import apply_all
from dcp_lang.sema.report import Condition, Report
from dcp_lang.sema.resolve import Resolver
from dcp_lang.sema.rules import CHECKS
from dcp_lang.sema.typecheck import check_types
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import ast

EDITION = 1


class Analysis(Record):
    """A registration that has a meaning, and the status of every condition that was decided on it."""

    registration: TypedRegistration
    conditions: tuple[Condition, ...]


class Surroundings(Record):
    """What a registration may refer to outside its own text."""

    workspace: Workspace
    find_profile: Callable[[ast.Use], SourceFile | None]
    profile_names: list[str]
    imposed: tuple[SourceFile, ...] = ()


def analyse(file: ast.File, source: SourceFile, around: Surroundings, sink: Sink) -> Analysis | None:
    """Resolve, check types, plan and apply every rule; a rule whose fields are at fault is silent."""
    resolved = resolve(file, source, around, sink)
    if resolved is None:
        return None
    # What is mended, in the file or in a profile, is not said by its text alone.
    is_whole = not sink.added
    entries, complete = check_types(resolved, around.workspace, Faults(source, sink), is_whole)
    registration = TypedRegistration(resolved, entries, complete)
    allocate_errors(registration, Faults(source, sink))
    registration.plan = plan(registration)
    report = Report(registration, sink, is_whole)
    apply_all(CHECKS, report)
    return Analysis(registration, tuple(report.conditions))


def resolve(file: ast.File, source: SourceFile, around: Surroundings, sink: Sink) -> Resolved | None:
    """The one registration of a file with its profiles, or None after reporting that there is none."""
    faults = Faults(source, sink)
    if not file.statements:
        return None
    _check_edition(file, faults)
    block = _registration(file, faults)
    uses = [s for s in file.statements if isinstance(s, ast.Use)]
    profiles = load_profiles(uses, around.find_profile, around.profile_names, faults)
    profiles += imposed_profiles(around.imposed, profiles, sink)
    return None if block is None else Resolver(source, faults).resolve(block, EDITION, profiles)


def _check_edition(file: ast.File, faults: Faults) -> None:
    first = file.statements[0]
    if not isinstance(first, ast.Edition):
        at = Span(0, 0)
        fix = Fix("add the edition", (Edit(at, f"dcp {EDITION}\n\n"),), safe=True)
        faults.edition("the file does not say its edition", at, f"begin with `dcp {EDITION}`", fix)
    elif first.number.value != EDITION:
        message = f"this compiler knows edition {EDITION}, not {first.number.text}"
        faults.edition(message, first.number.span, f"write `dcp {EDITION}`, or use a newer compiler")


def _registration(file: ast.File, faults: Faults) -> ast.Block | None:
    """The registration block; everything else that may stand beside it is an edition or a `use`."""
    found: ast.Block | None = None
    for index, statement in enumerate(file.statements):
        match statement:
            case ast.Block((ast.Word("registration"), *_)) if found is None:
                found = statement
            case ast.Block((ast.Word("registration"), *_)):
                message = "a file holds one registration, this is a second"
                first = found.head_span if found else None
                faults.misplaced(message, statement.head_span, first, "move it into a file of its own")
            case ast.Edition() if index == 0:
                pass
            case ast.Use():
                pass
            case _:
                _outside(statement, faults)
    if found is None:
        start = Span(file.span.start, file.span.start)
        help = "write `registration my_audit : core { … }`"
        faults.misplaced("the file holds no registration", start, help=help)
    return found


def _outside(statement: ast.Statement, faults: Faults) -> None:
    span = statement.head_span if isinstance(statement, ast.Block) else statement.span
    if isinstance(statement, ast.Edition):
        faults.misplaced("the edition is the first statement of a file", span, help="move it to the top")
        return
    message = "this statement stands outside the registration"
    faults.misplaced(message, span, help="move it into `registration name : grade { … }`")
