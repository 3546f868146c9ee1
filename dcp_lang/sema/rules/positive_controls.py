"""E303, E304, W302: positive controls enough to prove recall_min, and likely to."""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import CONTROLS
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Ref, compare, number
from dcp_lang.stats import planning
from dcp_lang.stats.exact import short_lower_tail

FEW = Rule(
    "E303",
    "too-few-positive-controls",
    "error",
    "even if every positive control succeeds, recall_min is not proved",
    waivable=True,
)
NONE = Rule("E304", "no-control-count", "error", "no number of positive controls can prove recall_min")
UNLIKELY = Rule(
    "W302", "controls-likely-to-fail", "warning", "the positive controls pass less often than is planned for"
)
RULES = (FEW, NONE, UNLIKELY)

RECALL, ALPHA = "thresholds.recall_min", "errors.adequacy"


def check(reg: TypedRegistration, report: Report) -> None:
    """All successes: recall_min^n <= α_adequacy, the exact one-sided Clopper-Pearson rule (paper, Gate 2)."""
    size = reg.plan.size(CONTROLS)
    recall, alpha = report.shown(RECALL), report.shown(ALPHA)
    least, rule = size.kernel_least, f"{recall}^n <= {alpha}"
    if least is None:
        report.add(
            NONE,
            RECALL,
            f"no n up to {planning.MAX_N} satisfies {rule}",
            label="needs less",
            labels=report.declared_here(ALPHA),
            help="lower recall_min or raise α_adequacy",
        )
    elif report.refutes(FEW, compare(Ref("n.controls", number(size.used)), ">=", number(least))):
        report.add(
            FEW,
            CONTROLS,
            f"{size.used} controls can never prove a recall of {recall}: {rule} needs n >= {least}",
            label=f"needs {least}",
            labels=report.declared_here(RECALL, ALPHA),
            help=f"write `positive_controls = auto` or `positive_controls = {least}`",
            fix=report.rewrite(CONTROLS, str(least)),
        )
    elif reg.has("expect.recall") and reg.has("expect.assurance"):
        _likely(reg, report, size.used)


def _likely(reg: TypedRegistration, report: Report, n: int) -> None:
    """The chance that no more controls fail than the design tolerates, at the expected recall."""
    tolerated = planning.tolerated_failures(n, reg.number(ALPHA), reg.number(RECALL)) or 0
    chance: Fraction = short_lower_tail(n, tolerated, 1 - reg.number("expect.recall"))
    if chance < reg.number("expect.assurance"):
        expected, planned = report.shown("expect.recall"), report.shown("expect.assurance")
        report.add(
            UNLIKELY,
            CONTROLS,
            f"{n} positive controls tolerate {tolerated} failures: at a recall of {expected} they pass with "
            f"probability {number_text(round(chance, 3))}, below the assurance {planned}",
            label=f"tolerates {tolerated} failures",
            labels=report.declared_here("expect.recall", "expect.assurance"),
            help="more controls tolerate more failures; `dcpc plan` shows how many",
        )
