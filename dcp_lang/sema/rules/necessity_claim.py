"""E407: a necessity claim needs a neutral recovery bound within ρ_placebo."""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import PAIRS, necessity_pairs
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Ref, compare, number
from dcp_lang.stats import bounds

RULE = Rule(
    "E407",
    "necessity-out-of-reach",
    "error",
    "so few neutral episodes cannot bound neutral recovery by ρ_placebo",
)
RULES = (RULE,)

RHO, ALPHA, CLAIM = "thresholds.rho_placebo", "errors.neutral", "gate.feedback.necessity"


def check(reg: TypedRegistration, report: Report) -> None:
    """Zero neutral hits in n pairs bound neutral recovery (`necessity_pairs`)."""
    if not reg.is_evidence or reg.choice(CLAIM).name != "claimed":
        return
    rho, alpha, pairs = reg.number(RHO), reg.number(ALPHA), reg.count(PAIRS)
    least = necessity_pairs(reg)
    if least is not None and not report.refutes(
        RULE, compare(Ref("n.pairs", number(pairs)), ">=", number(least))
    ):
        return
    report.add(
        RULE,
        CLAIM,
        _message(report, pairs, alpha, rho),
        label=f"needs {least} pairs" if least else "no number of pairs is enough",
        labels=report.declared_here(PAIRS, RHO, ALPHA),
        help="write `necessity = not_claimed`, or register more pairs",
        fix=report.rewrite(CLAIM, "not_claimed"),
    )


def _message(report: Report, pairs: int, alpha: Fraction, rho: Fraction) -> str:
    if bounds.zero_failure_reaches(pairs, alpha, rho):
        return f"necessity is claimed with {pairs} pairs, fewer than the least number of challengers"
    bound = number_text(bounds.zero_failure_bound(pairs, alpha, 4))
    said = f"necessity is claimed, but {pairs} neutral episodes bound neutral recovery by {bound}"
    return f"{said}, above ρ_placebo = {report.shown(RHO)}"
