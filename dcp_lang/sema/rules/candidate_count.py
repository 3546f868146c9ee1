"""E305: m_max covers every candidate whose score test can change the decision."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import CANDIDATES, PAIRS, RECOVERY, candidates_needed
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Ref, compare, number

RULE = Rule("E305", "too-few-candidates", "error", "m_max does not cover all candidates that share α_score")
RULES = (RULE,)


def check(reg: TypedRegistration, report: Report) -> None:
    """m_max >= challengers + 2 (pairs + replacements) (paper, Gate 2; dcp-harness binding rule)."""
    need, have = candidates_needed(reg), reg.count(CANDIDATES)
    if report.refutes(RULE, compare(Ref("candidates", number(have)), ">=", number(need))):
        parts = "challengers + 2 (pairs + replacements)" if reg.is_evidence else "one per challenger"
        report.add(
            RULE,
            CANDIDATES,
            f"candidates is {have}, but {need} candidates can be scored: {parts}",
            label=f"needs {need}",
            labels=report.declared_here(RECOVERY, PAIRS, "gate.feedback.replacements.pairs"),
            help=f"write `candidates = auto` or `candidates = {need}`",
            fix=report.rewrite(CANDIDATES, "auto"),
        )
