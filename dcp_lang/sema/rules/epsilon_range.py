"""E202: 0 <= ε < δ_min, both ends exactly."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import value_text
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.quantities import field_term
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import all_of, compare, number

RULE = Rule(
    "E202", "epsilon-not-below-delta-min", "error", "the tolerance ε is not below the smallest useful gain"
)
RULES = (RULE,)

EPSILON, DELTA = "thresholds.epsilon", "thresholds.delta_min"


def check(reg: TypedRegistration, report: Report) -> None:
    """0 <= ε < δ_min (paper, Equation 2); the type of ε already excludes what is negative."""
    epsilon, delta = field_term(reg, EPSILON), field_term(reg, DELTA)
    if not report.refutes(RULE, all_of([compare(number(0), "<=", epsilon), compare(epsilon, "<", delta)])):
        return
    limit, passing = report.shown(DELTA), value_text(reg.number(DELTA) / 100)
    report.add(
        RULE,
        EPSILON,
        f"ε is {report.shown(EPSILON)}, but must be below δ_min = {limit}",
        label=f"needs less than {limit}",
        labels=report.declared_here(DELTA),
        help=f"for example ε = {passing}, one hundredth of δ_min",
        fix=report.rewrite(EPSILON, passing),
    )
