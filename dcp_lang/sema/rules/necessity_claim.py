"""E407: a necessity claim needs a neutral recovery bound within ρ_placebo."""

from __future__ import annotations

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import PAIRS
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Ref, compare, number
from dcp_lang.stats import bounds, planning

RULE = Rule(
    "E407",
    "necessity-out-of-reach",
    "error",
    "so few neutral episodes cannot bound neutral recovery by ρ_placebo",
)
RULES = (RULE,)

RHO, ALPHA, CLAIM = "thresholds.rho_placebo", "errors.neutral", "gate.feedback.necessity"


def check(reg: TypedRegistration, report: Report) -> None:
    """Zero neutral hits in n pairs: (1 - ρ_placebo)^n <= α_neutral (paper, Gate 3: 30 at .005 give .1619)."""
    if not reg.is_evidence or reg.choice(CLAIM).name != "claimed":
        return
    rho, alpha, pairs = reg.number(RHO), reg.number(ALPHA), reg.count(PAIRS)
    least = planning.least_episodes(alpha, rho)
    if least is not None and not report.refutes(
        RULE, compare(Ref("n.pairs", number(pairs)), ">=", number(least))
    ):
        return
    bound = number_text(bounds.zero_failure_bound(pairs, alpha, 4))
    report.add(
        RULE,
        CLAIM,
        f"necessity is claimed, but {pairs} neutral episodes bound neutral recovery by {bound}, "
        f"above ρ_placebo = {report.shown(RHO)}",
        label=f"needs {least} pairs" if least else "no number of pairs is enough",
        labels=report.declared_here(PAIRS, RHO, ALPHA),
        help="write `necessity = not_claimed`, or register more pairs",
        fix=report.rewrite(CLAIM, "not_claimed"),
    )
