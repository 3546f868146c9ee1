"""E303, E304: positive controls enough to prove recall_min."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from dcp_lang.canonical import number_text
from dcp_lang.sema.plan import CONTROLS
from dcp_lang.sema.terms import Ref, compare, number
from dcp_lang.stats import planning

RULE = Rule("E303", "too-few-positive-controls", "error", "even if every positive control succeeds, recall_min is not proved", waivable=True)
NONE = Rule("E304", "no-control-count", "error", "no number of positive controls can prove recall_min")
RULES = (RULE, NONE)


def check(reg: TypedRegistration, report: Report) -> None:
    """All successes: recall_min^n <= α_adequacy, the exact one-sided Clopper-Pearson rule (paper, Gate 2)."""
    size = reg.plan.size(CONTROLS)
    recall, alpha = number_text(reg.number("thresholds.recall_min")), number_text(reg.number("errors.adequacy"))
    if size.kernel_least is None:
        block = planning.obstacle("recall", reg.number("thresholds.recall_min"))
        report.add(
            NONE, "thresholds.recall_min", f"no n satisfies {recall}^n <= {alpha}: {block.inequality} fails",
            label=block.kind, help="lower recall_min or raise α_adequacy",
        )  # fmt: skip
        return
    if report.refutes(RULE, compare(Ref("n.controls", number(size.used)), ">=", number(size.kernel_least))):
        report.add(
            RULE, CONTROLS,
            f"{size.used} positive controls can never prove a recall of {recall} at α = {alpha}: {recall}^n <= {alpha} needs n >= {size.kernel_least}",
            label=f"needs {size.kernel_least}", labels=report.declared_here("thresholds.recall_min", "errors.adequacy"),
            help="write `positive_controls = auto`; an audit with fewer ends in audit incomplete",
        )  # fmt: skip
