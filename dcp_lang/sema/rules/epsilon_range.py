"""E202: 0 <= ε < δ_min, both ends exactly."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from dcp_lang.sema.lower import field_term
from dcp_lang.sema.terms import all_of, compare, number
from dcp_lang.canonical import number_text

RULE = Rule("E202", "epsilon-not-below-delta-min", "error", "the tolerance ε is not below the smallest useful gain")
RULES = (RULE,)


def check(reg: TypedRegistration, report: Report) -> None:
    """0 <= ε < δ_min (paper, Equation 2)."""
    epsilon, delta = field_term(reg, "thresholds.epsilon"), field_term(reg, "thresholds.delta_min")
    if not report.refutes(RULE, all_of(compare(number(0), "<=", epsilon), compare(epsilon, "<", delta))):
        return
    have, limit = reg.number("thresholds.epsilon"), reg.number("thresholds.delta_min")
    report.add(
        RULE, "thresholds.epsilon",
        f"ε is {number_text(have)}, but must be below δ_min = {number_text(limit)}",
        label=f"needs less than {number_text(limit)}", labels=report.declared_here("thresholds.delta_min"),
        help=f"for example ε = {number_text(limit / 100)}, one hundredth of δ_min",
    )  # fmt: skip
