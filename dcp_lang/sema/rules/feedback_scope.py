"""E410, E411: Gate 3 belongs to the evidence grade, and its checkpoint to its scope."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

GRADE = Rule(
    "E410", "feedback-without-evidence", "error", "a core registration declares what only Gate 3 uses"
)
SCOPE = Rule(
    "E411", "checkpoint-contradicts-scope", "error", "the checkpoint's scope is not what its rule gives"
)
RULES = (GRADE, SCOPE)

_BLOCKS = ("gate.feedback", "policy.truthful", "policy.neutral", "policy.reference_null")


def check(reg: TypedRegistration, report: Report) -> None:
    """Core is Gates 1 and 2; Evidence adds Gate 3 (paper, grades). At the start there is no lineage yet."""
    if reg.is_evidence:
        _scope(reg, report)
        return
    for block in _BLOCKS:
        if reg.mentions(block):
            name = block.replace(".", " ")
            report.add(
                GRADE,
                reg.place_of(block),
                f"`{name}` stands in a registration of grade core",
                label="only used at grade evidence",
                help=f"write `registration {reg.name} : evidence`, or remove it",
            )


def _scope(reg: TypedRegistration, report: Report) -> None:
    rule, scope = reg.choice("gate.feedback.checkpoint"), reg.choice("gate.feedback.scope")
    if rule.name == "start" and scope.name == "lineage_prefix":
        report.add(
            SCOPE,
            "gate.feedback.scope",
            "the checkpoint is the start, so no part of the lineage lies before it",
            label="needs lineage_empty",
            labels=report.declared_here("gate.feedback.checkpoint"),
            help="write `scope = lineage_empty`, or a checkpoint `after(…)` the first observation",
            fix=report.rewrite("gate.feedback.scope", "lineage_empty"),
        )
