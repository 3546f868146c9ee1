"""E406: replacements within the registered attrition rates."""

from __future__ import annotations

from math import floor

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import NULL_PAIRS, PAIRS
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Ref, compare, number

RULE = Rule(
    "E406",
    "too-many-replacements",
    "error",
    "more pairs may be replaced than the registered loss rate allows",
)
RULES = (RULE,)

_CAPS = (
    ("gate.feedback.replacements.pairs", PAIRS, "gate.feedback.infrastructure_failures"),
    ("gate.feedback.replacements.null_pairs", NULL_PAIRS, "gate.recovery.infrastructure_failures"),
)


def check(reg: TypedRegistration, report: Report) -> None:
    """replacements <= floor(n · infrastructure rate) (paper, Gate 3; kernel rule)."""
    if not reg.is_evidence:
        return
    for path, count, rate in _CAPS:
        have, cap = reg.count(path), floor(reg.count(count) * reg.number(rate))
        name = path.rpartition(".")[2]
        if report.refutes(RULE, compare(Ref(f"replacements.{name}", number(have)), "<=", number(cap))):
            sum_ = f"floor({reg.count(count)} · {report.shown(rate)}) = {cap}"
            report.add(
                RULE,
                path,
                f"{have} {name} may be replaced, but {sum_} are allowed",
                label=f"needs at most {cap}",
                labels=report.declared_here(count, rate),
                help=f"write `{name} = {cap}`",
                fix=report.rewrite(path, str(cap)),
            )
