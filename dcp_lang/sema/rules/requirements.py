"""E209, E210, E902: the author's own conditions and those of every profile in force."""

from __future__ import annotations

from functools import partial

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.names import resolve_name
from dcp_lang.sema.faults import Faults
from dcp_lang.sema.lower import Lowering
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.profile import Profile
from dcp_lang.sema.prove import REFUTED, decide
from dcp_lang.sema.quantities import COMPUTED, find_argument
from dcp_lang.sema.remembered import apply
from dcp_lang.sema.report import MAX_STEPS, Report, shown_term
from dcp_lang.sema.terms import Op, Term, references
from dcp_lang.source import Span
from dcp_lang.stats.search import EffortError
from dcp_lang.syntax import ast

OWN = Rule("E209", "requirement-not-met", "error", "a condition that the registration itself states is false")
AUTHORITY = Rule(
    "E902",
    "authority-rule-not-met",
    "error",
    "a rule of a profile in force is false for this registration",
    waivable=True,
)
SPENT = Rule("E210", "too-much-to-decide", "error", "the conditions take too much work to decide")
RULES = (OWN, AUTHORITY, SPENT)

#: Finding what an unknown name may have meant, or showing why a condition is false.
_STEPS_OF_A_FAULT = 40


def check(reg: TypedRegistration, report: Report) -> None:
    """Every `require` of the registration and of its profiles, decided like the built-in rules."""
    own = [(require, None) for require in reg.resolved.requires]
    theirs = [(require, p) for p in reg.resolved.profiles for require in p.requires]
    for require, profile in [*own, *theirs]:
        # One condition whose fields are at fault does not silence the others.
        try:
            apply(_key(report, require, profile), partial(_check, require=require, profile=profile), report)
        except EffortError:
            _spent(reg, report, require, profile)
            return


def _key(report: Report, require: ast.Require, profile: Profile | None) -> tuple[str, str] | None:
    """What a condition means but for the values: whose it is, and how it is spelled; none where it was mended."""
    if not report.is_whole:
        return None
    start, end = require.span
    name, source = (profile.name, profile.source) if profile else ("", report.reg.source)
    return name, source.text[start:end]


def _spent(reg: TypedRegistration, report: Report, require: ast.Require, profile: Profile | None) -> None:
    report.add(
        SPENT,
        reg.resolved.span if profile else require.span,
        f"the conditions up to here take more than the {MAX_STEPS} steps that are spent on a registration",
        label="not decided, nor what follows",
        help="drop conditions that others imply, and split long ones",
    )


def _check(reg: TypedRegistration, report: Report, require: ast.Require, profile: Profile | None) -> None:
    term = _term(reg, report, require, profile)
    if term is None:
        report.effort.spend(_STEPS_OF_A_FAULT)
        return
    rule, origin = (AUTHORITY, f"profile {profile.name}") if profile else (OWN, "require")
    if report.decide(rule, term, origin, report.effort).status == REFUTED:
        report.effort.spend(_STEPS_OF_A_FAULT)
        _refuted(reg, report, require, term, profile)


def _term(
    reg: TypedRegistration, report: Report, require: ast.Require, profile: Profile | None
) -> Term | None:
    """The condition; none where its guard is false, an implication where the guard has an unknown."""
    lowering = Lowering(reg, Faults(profile.source if profile else report.reg.source, report.sink))
    if require.when is None:
        return lowering.condition(require.condition)
    guard = lowering.condition(require.when)
    if guard is None:
        return None
    if (status := decide(guard, effort=report.effort).status) == REFUTED:
        return None
    condition = lowering.condition(require.condition)
    if condition is None or status == "proved":
        return condition
    return Op("or", (Op("not", (guard,)), condition))


def _refuted(
    reg: TypedRegistration, report: Report, require: ast.Require, term: Term, profile: Profile | None
) -> None:
    from dcp_lang.sema.shown import may_be_shown

    if profile is None and not may_be_shown(report.sink, report.reg.source, require.span.start):
        report.add(OWN, require.span, "a condition is false")
        return
    have = ", ".join(f"{shown_term(r)} = {shown_term(r.value)}" for r in references(term) if r.value)
    need = shown_term(term)
    said = require.message.value if require.message else f"`{need}` is false"
    notes = [f"have {have}, need {need}"] if have else []
    if profile:
        line = profile.source.position(require.span.start).line
        notes.append(f"rule of the profile `{profile.name}`, line {line}")
    report.add(
        AUTHORITY if profile else OWN,
        _culprit(reg, term) if profile else require.span,
        f"{profile.name}: {said}" if profile else said,
        label=f"have {have}" if have else "false",
        notes=tuple(notes),
        help="change the value" if profile else "change the value, or the condition",
    )


def _culprit(reg: TypedRegistration, term: Term) -> Span:
    """Where the registration declares what the rule is about: its first reference that the author wrote."""
    for ref in references(term):
        argument = find_argument(ref.name)
        owner = [argument.path] if argument else []
        for path in [COMPUTED.get(ref.name, ref.name), *resolve_name(ref.name), *owner]:
            if reg.declared(path):
                return reg.span(path)
    return reg.resolved.span
