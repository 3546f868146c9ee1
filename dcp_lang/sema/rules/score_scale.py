"""E205: the score lies on [0, 1], the only scale of the kernel."""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import value_text
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

RULE = Rule("E205", "score-scale-not-unit", "error", "the score is declared on another scale than [0, 1]")
RULES = (RULE,)

UNIT_SCALE = (Fraction(0), Fraction(1))


def check(reg: TypedRegistration, report: Report) -> None:
    """`on [0, 1]` (kernel rule, `normalized_unit_interval_v1`; paper, Gate 1)."""
    scale = reg.choice("task.score").argument("on")
    if tuple(scale) != UNIT_SCALE:
        report.add(
            RULE,
            "task.score",
            f"the score is on {value_text(scale)}, but every score lies on [0, 1]",
            label="needs `on [0, 1]`",
            help="normalise the score in the evaluator, and write `on [0, 1]`",
        )
