"""Inlay hints: what the compiler computed, beside what the author wrote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.model import Sink
from dcp_lang.driver import Compilation
from dcp_lang.editing.memory import per_compilation
from dcp_lang.language.values import value_text
from dcp_lang.sema.budget import active_gates
from dcp_lang.sema.faults import Faults
from dcp_lang.sema.lower import Lowering
from dcp_lang.sema.model import Declared, MissingFieldError, TypedRegistration
from dcp_lang.sema.prove import decide
from dcp_lang.sema.report import Condition, gate_guarantees
from dcp_lang.syntax import ast


class Hint(NamedTuple):
    """A text shown after a place, and what to say when someone points at it."""

    offset: int
    text: str
    tooltip: str = ""


@per_compilation
def hints(compilation: Compilation) -> list[Hint]:
    """All hints in reading order; silent about whatever is at fault."""
    if compilation.analysis is None:
        return []
    reg = compilation.analysis.registration
    found = [h for declared in reg.resolved.fields.values() for h in _field(reg, declared)]
    found += [*_errors(reg), *_audit(reg), *_requirements(reg)]
    return sorted(found, key=lambda hint: hint.offset)


def percent(value: Fraction) -> str:
    """A share as people read it: exact where that is short, else about."""
    exact = number_text(value * 100)
    return f"{exact}%" if len(exact) <= 6 else f"≈{float(value * 100):.3g}%"


def _field(reg: TypedRegistration, declared: Declared) -> Iterator[Hint]:
    if not reg.has(declared.path) or declared.path == "errors.total":
        return
    value, end = reg.value(declared.path), declared.expr.span.end
    size = reg.plan.sizes.get(declared.path)
    if isinstance(declared.expr, ast.Auto):
        if not (declared.spec.section == "errors" and _is_whole_budget(reg, declared)):
            yield Hint(end, f"= {_short(value)}", f"computed: {value_text(value)}")
    elif size is not None and size.kernel_least is not None:
        yield Hint(end, f"least {size.kernel_least}", "the least n that its gate needs")
    elif isinstance(declared.expr, ast.Binary | ast.Unary | ast.Name) and isinstance(value, Fraction | int):
        yield Hint(end, f"= {value_text(value)}", "exact value")
    if declared.path == "thresholds.epsilon":
        yield from _tolerance(reg, end)


def _short(value: object) -> str:
    return percent(value) if isinstance(value, Fraction) else str(value)


def _is_whole_budget(reg: TypedRegistration, declared: Declared) -> bool:
    """Whether the field comes from `errors 5% = auto`, which has one `auto` for all."""
    siblings = [f for f in reg.resolved.fields.values() if f.spec.section == "errors"]
    return sum(f.expr.span == declared.expr.span for f in siblings) > 1


def _tolerance(reg: TypedRegistration, end: int) -> Iterator[Hint]:
    """ε as the kernel takes it: a share κ of δ_min."""
    with suppress(MissingFieldError):
        share = reg.number("thresholds.epsilon") / reg.number("thresholds.delta_min")
        tooltip = f"ε = κ δ_min with κ = {number_text(share)}: scores from x - ε on recover"
        yield Hint(end, f"{percent(share)} of δ_min", tooltip)


def _errors(reg: TypedRegistration) -> Iterator[Hint]:
    total = reg.resolved.fields.get("errors.total")
    with suppress(MissingFieldError):
        alphas = {gate: reg.number(f"errors.{gate}") for gate in active_gates(reg)}
        left = reg.number("errors.total") - sum(alphas.values(), Fraction(0))
        rows = ", ".join(f"{gate} {number_text(alpha)}" for gate, alpha in alphas.items())
        said = f"{percent(left)} left" if left >= 0 else f"{percent(-left)} overspent"
        if total is not None:
            yield Hint(total.expr.span.end, said, rows)


def _audit(reg: TypedRegistration) -> Iterator[Hint]:
    """What the whole audit takes, beside what it may spend."""
    head = reg.resolved.sections.get("budget.audit")
    if head is None or not reg.plan.is_complete:
        return
    with suppress(MissingFieldError):
        cost = reg.plan.total("cost")
        amount = f"{number_text(cost.value)} {cost.unit}"
        yield Hint(head.end, f"{reg.plan.sessions} sessions, {amount}", "what the plan takes")


def _requirements(reg: TypedRegistration) -> Iterator[Hint]:
    gates = gate_guarantees(reg)
    lowering = Lowering(reg, Faults(reg.source, Sink()))
    for require in reg.resolved.requires:
        with suppress(MissingFieldError):
            term = lowering.condition(require.condition)
            guard = None if require.when is None else lowering.condition(require.when)
            if term is None or (require.when is not None and guard is None):
                continue
            if guard is not None and decide(guard, gates).status != "proved":
                yield Hint(require.condition.span.end, "applies only if", "its guard is not proved")
                continue
            condition = Condition("", "", "require", term, decide(term, gates), gates)
            status = condition.verdict.status
            by = f" by gate {condition.verdict.gate}" if condition.verdict.gate else ""
            yield Hint(require.condition.span.end, f"{status}{by}", condition.evidence)
