"""E701, E702: the audit's budget covers all its sessions."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import Amount, value_text
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Op, Ref, compare, number

SMALL = Rule(
    "E701", "audit-budget-too-small", "error", "the sessions of the plan need more than the audit may spend"
)
CURRENCY = Rule(
    "E702", "two-currencies", "error", "the audit and its sessions are priced in different currencies"
)
RULES = (SMALL, CURRENCY)

SESSIONS = "budget.audit.sessions"


def check(reg: TypedRegistration, report: Report) -> None:
    """sessions · price <= budget audit, the target's own session included (paper: 435 and 507 sessions)."""
    sessions = reg.plan.sessions + 1
    if reg.has(SESSIONS):
        limit = reg.count(SESSIONS)
        if report.refutes(SMALL, compare(Ref("sessions", number(sessions)), "<=", number(limit))):
            report.add(
                SMALL,
                SESSIONS,
                f"the plan needs {sessions} sessions with the target's, but the audit may run {limit}",
                label=f"needs {sessions}",
                help=f"write `sessions = {sessions}`, or plan fewer episodes",
                fix=report.rewrite(SESSIONS, str(sessions)),
            )
    for name in ("cost", "time"):
        if reg.has(f"budget.audit.{name}"):
            _amount(reg, report, name, sessions)


def _amount(reg: TypedRegistration, report: Report, name: str, sessions: int) -> None:
    """What a session is expected to need counts where it is declared, else what it may need."""
    path = f"expect.session_{name}" if reg.has(f"expect.session_{name}") else f"budget.session.{name}"
    limit_path = f"budget.audit.{name}"
    price, limit = reg.amount(path), reg.amount(limit_path)
    if price.unit != limit.unit:
        report.add(
            CURRENCY,
            limit_path,
            f"the audit is priced in {limit.unit}, but a session in {price.unit}",
            label=f"needs {price.unit}",
            labels=report.declared_here(path),
            help=f"write it in {price.unit}",
        )
        return
    need = Op("*", (number(sessions), Ref(path, number(price.number, price.unit))))
    if report.refutes(SMALL, compare(need, "<=", Ref(limit_path, number(limit.number, limit.unit)))):
        total = value_text(Amount(price.number * sessions, price.unit))
        report.add(
            SMALL,
            limit_path,
            f"{sessions} sessions of {value_text(price)} need {total}, but the audit has {value_text(limit)}",
            label=f"needs {total}",
            labels=report.declared_here(path),
            help=f"write `{name} = {total}`, or `expect {{ session_{name} = … }}` if sessions need less",
            fix=report.rewrite(limit_path, total),
        )
