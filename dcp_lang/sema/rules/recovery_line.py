"""E203: ε < x - score(b), decided to one of the four statuses."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from dcp_lang.sema.lower import baseline_score, field_term, target_score
from dcp_lang.sema.terms import Op, compare
from dcp_lang.canonical import number_text

RULE = Rule("E203", "baseline-recovers", "error", "no target could put the baseline below the recovery region")
RULES = (RULE,)


def check(reg: TypedRegistration, report: Report) -> None:
    """ε < x - score(b) (paper, Equation 2): x is unknown until all artifacts are committed, unless retrospective."""
    gain = Op("-", (target_score(reg), baseline_score(reg)))
    if not report.refutes(RULE, compare(field_term(reg, "thresholds.epsilon"), "<", gain)):
        return
    epsilon = reg.number("thresholds.epsilon")
    x = reg.number("target.score") if reg.has("target.score") else 1
    most = x - reg.number("baseline.score")
    known = f"x - score(b) is {number_text(most)}" if reg.has("target.score") else f"x - score(b) is at most {number_text(most)}"
    report.add(
        RULE, "thresholds.epsilon", f"ε is {number_text(epsilon)}, but {known}",
        label=f"needs less than {number_text(most)}", labels=report.declared_here("baseline.score", "target.score"),
        help="lower ε, or register a baseline that leaves room for the gain",
    )  # fmt: skip
