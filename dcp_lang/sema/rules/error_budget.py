"""E501, E502, E503, W501: the exact sum of the active alphas, and its family."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.sema.terms import Op, Ref, Term, compare, number

OVERSPENT = Rule("E501", "error-budget-overspent", "error", "the alphas of the active gates add up to more than the total")
FAMILY = Rule("E502", "family-budget-overspent", "error", "all audits of the family together spend more than the family's alpha")
TINY = Rule("E503", "alpha-too-small", "error", "an alpha so small that the kernel's doubles lose it")
UNSPENT = Rule("W501", "error-budget-unspent", "warning", "part of the error budget is given to no gate")
RULES = (OVERSPENT, FAMILY, TINY, UNSPENT)

ALWAYS = ("main", "score", "recovery", "adequacy")
WITH_FEEDBACK = ("evidence", "sham", "neutral")
#: Below this the kernel's 1 - (1 - α) is off by more than a part in 10^7.
SMALLEST = Fraction(1, 10**9)


def active_gates(reg: TypedRegistration) -> tuple[str, ...]:
    """The gates whose alpha this grade spends."""
    return ALWAYS + WITH_FEEDBACK if reg.is_evidence else ALWAYS


def check(reg: TypedRegistration, report: Report) -> None:
    """Σ α <= total; total · audits <= family alpha (paper, error budget; kernel rule)."""
    alphas = {g: reg.number(f"errors.{g}") for g in active_gates(reg)}
    total, spent = reg.number("errors.total"), sum(alphas.values(), Fraction(0))
    terms: tuple[Term, ...] = tuple(Ref(f"errors.{g}", number(a)) for g, a in alphas.items())
    if report.refutes(OVERSPENT, compare(Op("+", terms), "<=", Ref("errors.total", number(total)))):
        report.add(
            OVERSPENT, "errors.total", f"the alphas add up to {number_text(spent)}, but the total is {number_text(total)}",
            label=f"overspent by {number_text(spent - total)}",
            help=f"lower some alpha by {number_text(spent - total)}, or write `errors {number_text(total)} = auto`",
        )  # fmt: skip
    elif spent < total:
        report.add(
            UNSPENT, "errors.total", f"{number_text(total - spent)} of the error budget {number_text(total)} is given to no gate",
            label=f"spent {number_text(spent)}", help="give it to the gate that needs most sessions, or write `errors … = auto`",
        )  # fmt: skip
    _family(reg, report, total)
    for gate, alpha in alphas.items():
        if alpha < SMALLEST:
            report.add(TINY, f"errors.{gate}", f"α of {gate} is {number_text(alpha)}, but must be at least 0.000000001", help="raise it")


def _family(reg: TypedRegistration, report: Report, total: Fraction) -> None:
    family = reg.choice("family")
    audits, alpha = number(family.argument("audits")), Ref("family.alpha", number(family.argument("alpha")))
    if report.refutes(FAMILY, compare(Op("*", (Ref("errors.total", number(total)), audits)), "<=", alpha)):
        need = family.argument("alpha") / family.argument("audits")
        report.add(
            FAMILY, "family",
            f"{family.argument('audits')} audits of {number_text(total)} spend {number_text(total * family.argument('audits'))}, but the family has {number_text(family.argument('alpha'))}",
            label=f"needs a total of at most {number_text(need)}", labels=report.declared_here("errors.total"),
            help="fewer audits, or a smaller total for each",
        )  # fmt: skip
