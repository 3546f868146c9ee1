"""E201: some artifact on [0, 1] must be able to gain δ_min over the baseline."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from dcp_lang.sema.lower import baseline_score, field_term
from dcp_lang.sema.terms import Op, compare, number
from dcp_lang.canonical import number_text

RULE = Rule("E201", "gain-out-of-reach", "error", "δ_min leaves no score on [0, 1] that could pass Gate 1")
RULES = (RULE,)


def check(reg: TypedRegistration, report: Report) -> None:
    """δ_min <= 1 - score(b) (paper, Gate 1)."""
    delta = field_term(reg, "thresholds.delta_min")
    if not report.refutes(RULE, compare(delta, "<=", Op("-", (number(1), baseline_score(reg))))):
        return
    have, room = reg.number("thresholds.delta_min"), 1 - reg.number("baseline.score")
    report.add(
        RULE, "thresholds.delta_min",
        f"δ_min is {number_text(have)}, but the best possible gain over the baseline is {number_text(room)}",
        label=f"needs at most {number_text(room)}", labels=report.declared_here("baseline.score"),
        help=f"a δ_min up to {number_text(room)} can be reached",
    )  # fmt: skip
