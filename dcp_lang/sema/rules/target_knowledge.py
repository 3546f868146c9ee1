"""E607, E608, E609: a prospective registration does not know its target; a retrospective one only seeks a
witness.
"""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

GRADE = Rule(
    "E607", "retrospective-evidence", "error", "a retrospective registration asks for a positive outcome"
)
STATES = Rule("E608", "target-known-in-advance", "error", "a prospective registration states its target")
LACKS = Rule(
    "E609", "retrospective-without-target", "error", "a retrospective registration does not state its target"
)
RULES = (GRADE, STATES, LACKS)

MODE, SCORE = "mode", "target.score"


def check(reg: TypedRegistration, report: Report) -> None:
    """Positive Core and Evidence need prospective registration (paper, Retrospective use)."""
    if reg.is_prospective:
        if reg.mentions("target"):
            report.add(
                STATES,
                reg.place_of("target"),
                "the registration is prospective, but states its target",
                label="not known yet",
                labels=report.declared_here(MODE),
                help="remove `target`, or write `mode = retrospective(knowledge = present_day)`",
            )
        return
    if reg.is_evidence:
        report.add(
            GRADE,
            MODE,
            "a retrospective registration may only seek a recovery witness, not Evidence",
            label="needs grade core",
            help=f"write `registration {reg.name} : core`",
        )
    if not reg.has(SCORE):
        report.add(
            LACKS,
            MODE,
            "the registration is retrospective, but states no target score",
            label="needs `target`",
            help="write `target { score = 0.9356 }` with the score of the published artifact",
        )
