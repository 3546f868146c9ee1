"""E501, E502, E503, W501: the exact sum of the active alphas, and its family."""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.budget import active_gates
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.quantities import field_term
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Op, Ref, compare, number

OVERSPENT = Rule(
    "E501", "error-budget-overspent", "error", "the alphas of the active gates add up to more than the total"
)
FAMILY = Rule(
    "E502", "family-budget-overspent", "error", "the audits of the family together spend more than its alpha"
)
TINY = Rule("E503", "alpha-too-small", "error", "an alpha so small that the kernel's doubles lose it")
UNSPENT = Rule("W501", "error-budget-unspent", "warning", "part of the error budget is given to no gate")
RULES = (OVERSPENT, FAMILY, TINY, UNSPENT)

TOTAL = "errors.total"
#: Below this the kernel's 1 - (1 - α) is off by more than a part in 10^7.
SMALLEST = Fraction(1, 10**9)


def check(reg: TypedRegistration, report: Report) -> None:
    """Σ α <= total; total · audits <= family alpha (paper, error budget; kernel rule)."""
    paths = [f"errors.{gate}" for gate in active_gates(reg)]
    tiny = [path for path in paths if reg.has(path) and _is_tiny(reg, report, path)]
    _family(reg, report)
    if not tiny:
        _sum(reg, report, paths)


def _sum(reg: TypedRegistration, report: Report, paths: list[str]) -> None:
    total, spent = reg.number(TOTAL), sum((reg.number(p) for p in paths), Fraction(0))
    sum_ = Op("+", tuple(field_term(reg, p) for p in paths))
    if report.refutes(OVERSPENT, compare(sum_, "<=", field_term(reg, TOTAL))):
        over = number_text(spent - total)
        report.add(
            OVERSPENT,
            TOTAL,
            f"the alphas add up to {number_text(spent)}, but the total is {number_text(total)}",
            label=f"overspent by {over}",
            labels=report.declared_here(*paths),
            help=f"lower the alphas by {over} together, or write `errors {number_text(total)} = auto`",
        )
    elif spent < total:
        report.add(
            UNSPENT,
            TOTAL,
            f"{number_text(total - spent)} of the budget {number_text(total)} is given to no gate",
            label=f"spent {number_text(spent)}",
            help=f"give it to a gate that saves sessions, or write `errors {number_text(total)} = auto`",
        )


def _family(reg: TypedRegistration, report: Report) -> None:
    family, total = reg.choice("family"), reg.number(TOTAL)
    audits, alpha = family.argument("audits"), family.argument("alpha")
    spent = Op("*", (field_term(reg, TOTAL), Ref("family.audits", number(audits))))
    if report.refutes(FAMILY, compare(spent, "<=", Ref("family.alpha", number(alpha)))):
        total_text, need = number_text(total), number_text(alpha / audits)
        report.add(
            FAMILY,
            "family",
            f"{audits} · {total_text} is more than the {number_text(alpha)} that the family has",
            label=f"needs a total of at most {need}",
            labels=report.declared_here(TOTAL),
            help=f"write `errors {need}`, or plan fewer audits",
        )


def _is_tiny(reg: TypedRegistration, report: Report, path: str) -> bool:
    reg.number(path)  # an `auto` that could not be computed has no size to judge
    if not report.refutes(TINY, compare(field_term(reg, path), ">=", number(SMALLEST))):
        return False
    least, gate = number_text(SMALLEST), path.rpartition(".")[2]
    report.add(
        TINY,
        path,
        f"α of {gate} is {report.shown(path)}, but must be at least {least}",
        label=f"needs at least {least}",
        help=f"write {least} or more: the kernel computes 1 - (1 - α) in doubles",
    )
    return True
