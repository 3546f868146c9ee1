"""E209, E902: the author's own conditions and those of every profile in use."""

from __future__ import annotations

from contextlib import suppress

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.fields import resolve_name
from dcp_lang.sema.model import MissingFieldError, TypedRegistration
from dcp_lang.sema.report import Report

from dcp_lang.sema.faults import Faults
from dcp_lang.sema.lower import COMPUTED, Lowering
from dcp_lang.sema.prove import DEFERRED, PROVED, REFUTED, decide
from dcp_lang.sema.profile import Profile
from dcp_lang.sema.report import gate_guarantees
from dcp_lang.sema.terms import Ref, Term, references, term_text
from dcp_lang.source import Span
from dcp_lang.syntax import ast

OWN = Rule("E209", "requirement-not-met", "error", "a condition that the registration itself states is false")
AUTHORITY = Rule("E902", "authority-rule-not-met", "error", "a rule of a profile in use is false for this registration", waivable=True)
RULES = (OWN, AUTHORITY)


def check(reg: TypedRegistration, report: Report) -> None:
    """Every `require` of the registration and of its profiles, decided like the built-in rules."""
    own = [(OWN, require, None) for require in reg.resolved.requires]
    theirs = [(AUTHORITY, require, p) for p in reg.resolved.profiles for require in p.requires]
    for rule, require, profile in [*own, *theirs]:
        # One condition whose fields are at fault does not silence the others.
        with suppress(MissingFieldError):
            _require(reg, report, rule, require, profile)


def _require(reg: TypedRegistration, report: Report, rule: Rule, require: ast.Require, profile: Profile | None) -> None:
    lowering = Lowering(reg, Faults(profile.source if profile else reg.source, report.sink))
    if require.when is not None:
        guard = lowering.term(require.when)
        if guard is None or decide(guard).status != PROVED:
            return
    term = lowering.term(require.condition)
    if term is None:
        return
    origin = f"profile {profile.name}" if profile else "require"
    if report.decide(rule, term, origin).status == REFUTED:
        _refuted(reg, report, rule, require, term, profile)


def _refuted(
    reg: TypedRegistration, report: Report, rule: Rule, require: ast.Require, term: Term, profile: Profile | None
) -> None:  # fmt: skip
    values = ", ".join(f"{r.name} is {term_text(r.value)}" for r in references(term) if r.value is not None)
    said = require.message.value if require.message else f"`{term_text(term)}` is false"
    who = f"{profile.name}: " if profile else ""
    at = require.span if profile is None else _culprit(reg, term)
    report.add(
        rule, at, f"{who}{said}", label=f"have {values}" if values else "",
        notes=(f"the rule is `{term_text(term)}`",) if require.message else (), help="change the value, or the rule",
    )  # fmt: skip


def _culprit(reg: TypedRegistration, term: Term) -> Span:
    """Where the registration declares what the rule is about: its first reference that the author wrote."""
    for ref in references(term):
        for path in [COMPUTED.get(ref.name, ref.name), *resolve_name(ref.name)]:
            if reg.declared(path):
                return reg.span(path)
    return reg.resolved.span
