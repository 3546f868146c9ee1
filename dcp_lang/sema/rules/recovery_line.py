"""E203: ε < x - score(b), decided to one of the four statuses."""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.quantities import baseline_score, field_term, target_score
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Op, compare

RULE = Rule(
    "E203", "baseline-recovers", "error", "no target could put the baseline below the recovery region"
)
RULES = (RULE,)

EPSILON, BASELINE, TARGET = "thresholds.epsilon", "baseline.score", "target.score"


def check(reg: TypedRegistration, report: Report) -> None:
    """ε < x - score(b) (paper, Equation 2): x is unknown until all artifacts are committed, unless
    retrospective.
    """
    gain = Op("-", (target_score(reg), baseline_score(reg)))
    if not report.refutes(RULE, compare(field_term(reg, EPSILON), "<", gain)):
        return
    target, baseline = reg.number(TARGET) if reg.has(TARGET) else None, reg.value(BASELINE)
    # A sealed score(b) may be 0: only a larger ε than every gain is then refuted.
    most = (1 if target is None else target) - (baseline if isinstance(baseline, Fraction) else 0)
    known = target is not None and isinstance(baseline, Fraction)
    bound = f"x - score(b) is {'' if known else 'at most '}{number_text(most)}"
    report.add(
        RULE,
        EPSILON,
        f"ε is {report.shown(EPSILON)}, but {bound}",
        label=f"needs less than {number_text(most)}",
        labels=report.declared_here(BASELINE, TARGET),
        help="lower ε, or register a baseline that leaves room for the gain",
    )
