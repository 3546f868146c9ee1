"""E407: a necessity claim needs a neutral recovery bound within ρ_placebo."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from dcp_lang.canonical import number_text
from dcp_lang.sema.plan import PAIRS
from dcp_lang.sema.terms import Ref, compare, number
from dcp_lang.stats import bounds, planning

RULE = Rule("E407", "necessity-out-of-reach", "error", "so few neutral episodes cannot bound neutral recovery by ρ_placebo")
RULES = (RULE,)


def check(reg: TypedRegistration, report: Report) -> None:
    """Zero neutral hits in n pairs: (1 - ρ_placebo)^n <= α_neutral (paper, Gate 3: 30 at .005 give .1619)."""
    if not reg.is_evidence or reg.choice("gate.feedback.necessity").name != "claimed":
        return
    rho, alpha, pairs = reg.number("thresholds.rho_placebo"), reg.number("errors.neutral"), reg.count(PAIRS)
    least = planning.least_episodes(alpha, rho)
    if least is not None and not report.refutes(RULE, compare(Ref("n.pairs", number(pairs)), ">=", number(least))):
        return
    bound = bounds.zero_failure_bound(pairs, alpha, 4)
    report.add(
        RULE, "gate.feedback.necessity",
        f"necessity is claimed, but {pairs} neutral episodes bound neutral recovery by {number_text(bound)}, above ρ_placebo = {number_text(rho)}",
        label=f"needs {least} pairs", labels=report.declared_here(PAIRS, "thresholds.rho_placebo", "errors.neutral"),
        help="write `necessity = not_claimed`, or register more pairs",
    )  # fmt: skip
