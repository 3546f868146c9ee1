"""E701: the audit's budget covers all its sessions."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.language.values import Amount
from dcp_lang.sema.terms import Op, Ref, compare, number

RULE = Rule("E701", "audit-budget-too-small", "error", "the sessions of the plan cost more than the audit may spend")
CURRENCY = Rule("E702", "two-currencies", "error", "the audit and its sessions are priced in different currencies")
RULES = (RULE, CURRENCY)


def check(reg: TypedRegistration, report: Report) -> None:
    """sessions · price <= budget audit; the target's own session counts too (paper: 435 and 507 sessions)."""
    sessions = reg.plan.sessions + 1
    for name in ("cost", "time"):
        if reg.has(f"budget.audit.{name}"):
            _amount(reg, report, name, sessions)
    if reg.has("budget.audit.sessions"):
        limit = reg.count("budget.audit.sessions")
        if report.refutes(RULE, compare(Ref("sessions", number(sessions)), "<=", number(limit))):
            report.add(RULE, "budget.audit.sessions", f"the plan needs {sessions} sessions, but the audit may run {limit}", label=f"needs {sessions}", help=f"write `sessions = {sessions}`, or plan fewer episodes")


def _amount(reg: TypedRegistration, report: Report, name: str, sessions: int) -> None:
    path = f"expect.session_{name}" if reg.has(f"expect.session_{name}") else f"budget.session.{name}"
    price, limit = reg.amount(path), reg.amount(f"budget.audit.{name}")
    if price.unit != limit.unit:
        report.add(CURRENCY, f"budget.audit.{name}", f"the audit is priced in {limit.unit}, a session in {price.unit}", labels=report.declared_here(path), help="use one currency")
        return
    need = Op("*", (number(Fraction(sessions)), Ref(f"session.{name}", number(price.number, price.unit))))
    if report.refutes(RULE, compare(need, "<=", number(limit.number, limit.unit))):
        total = Amount(price.number * sessions, price.unit)
        report.add(
            RULE, f"budget.audit.{name}",
            f"{sessions} sessions of {number_text(price.number)} {price.unit} need {number_text(total.number)} {total.unit}, but the audit has {number_text(limit.number)} {limit.unit}",
            label=f"needs {number_text(total.number)} {total.unit}", labels=report.declared_here(path),
            help="raise the audit's budget, or declare `expect { session_cost = … }` if a session costs less than its limit",
        )  # fmt: skip
