"""E403, E404, E405: feedback pairs and null pairs enough for their margins."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.sema.plan import NULL_PAIRS, PAIRS
from dcp_lang.sema.terms import Ref, compare, number

FEW = Rule("E403", "too-few-pairs", "error", "even if every truthful branch recovers and no neutral one does, the effect is not shown")
NULL = Rule("E404", "too-few-null-pairs", "error", "even without a discordant pair the null interval is wider than the band")
NONE = Rule("E405", "no-pair-count", "error", "no number of pairs can satisfy the thresholds of Gate 3")
RULES = (FEW, NULL, NONE)


def check(reg: TypedRegistration, report: Report) -> None:
    """Best cases of the paired-binary interval at tails α/4, or of the empirical Bernstein interval (paper, Gate 3)."""
    if not reg.is_evidence:
        return
    margin = reg.number("thresholds.delta_evidence") + reg.number("thresholds.delta_sham")
    band = reg.number("thresholds.delta_sham")
    _size(reg, report, FEW, PAIRS, "errors.evidence", f"a lower bound of {number_text(margin)}", margin < 1)
    _size(reg, report, NULL, NULL_PAIRS, "errors.sham", f"an interval inside ±{number_text(band)}", True)


def _size(reg: TypedRegistration, report: Report, rule: Rule, path: str, alpha: str, aim: str, feasible: bool) -> None:
    size, name = reg.plan.size(path), path.rpartition(".")[2]
    level = number_text(reg.number(alpha))
    if size.kernel_least is None:
        if feasible:
            report.add(NONE, path, f"no number of {name} up to the cap gives {aim} at α = {level}", help="widen the threshold or raise the alpha")
        return
    need = max(size.kernel_least, 2)
    if report.refutes(rule, compare(Ref(f"n.{name}", number(Fraction(size.used))), ">=", number(need))):
        report.add(
            rule, path, f"{size.used} {name} can never give {aim} at α = {level}: the best case needs {need}",
            label=f"needs {need}", labels=report.declared_here(alpha, "thresholds.delta_evidence", "thresholds.delta_sham"),
            help=f"write `{name} = auto` or `{name} = {need}`",
        )  # fmt: skip
