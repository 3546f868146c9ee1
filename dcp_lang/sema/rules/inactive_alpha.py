"""W502: an alpha of a gate that is not active is not spent."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.budget import WITH_FEEDBACK
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

RULE = Rule(
    "W502", "alpha-of-inactive-gate", "warning", "an alpha is given to a gate that the grade does not have"
)
RULES = (RULE,)


def check(reg: TypedRegistration, report: Report) -> None:
    """A Core audit spends main, score, recovery and adequacy only (paper, error budget; kernel rule)."""
    if reg.is_evidence:
        return
    for path in (f"errors.{gate}" for gate in WITH_FEEDBACK):
        if reg.declared(path):
            report.add(
                RULE,
                path,
                f"{report.shown(path)} is given to Gate 3, which a core registration does not have",
                label="not spent",
                help="remove it, or ask for grade evidence",
            )
