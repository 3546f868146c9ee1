"""E603: guidance after results makes the subject a human with an agent."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import Choice
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

RULE = Rule(
    "E603",
    "guidance-after-results",
    "error",
    "guidance chosen after results belongs to a human_agent subject",
)
RULES = (RULE,)

SUBJECT = "subject"


def check(reg: TypedRegistration, report: Report) -> None:
    """Guidance fixed before the start is part of E0; what is chosen after results is the human's lineage
    (paper).
    """
    if reg.choice(SUBJECT).name == "human_agent":
        return
    for name, value in reg.under("information.lineage").items():
        if isinstance(value, Choice) and value.name == "guidance":
            report.add(
                RULE,
                f"information.lineage.{name}",
                "the lineage holds human guidance, but the subject is an autonomous agent",
                label="chosen after results",
                labels=report.declared_here(SUBJECT),
                help="write `subject = human_agent`; guidance fixed before the start is `given guidance = …`",
                fix=report.rewrite(SUBJECT, "human_agent"),
            )
