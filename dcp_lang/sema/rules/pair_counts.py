"""E403, E404, E405: feedback pairs and null pairs enough for their margins."""

from __future__ import annotations

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.record import Record
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import NULL_PAIRS, PAIRS
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Ref, compare, number
from dcp_lang.stats import planning

FEW = Rule(
    "E403", "too-few-pairs", "error", "even the best outcome of the feedback pairs does not show the effect"
)
NULL = Rule("E404", "too-few-null-pairs", "error", "even the best outcome of the null pairs leaves the band")
NONE = Rule("E405", "no-pair-count", "error", "no number of pairs can satisfy the thresholds of Gate 3")
RULES = (FEW, NULL, NONE)

EFFECT, SHAM = "thresholds.delta_evidence", "thresholds.delta_sham"
#: The kernel's own least number of pairs.
LEAST_PAIRS = 2


class Study(Record):
    """One of the two studies of pairs: its rule, its size, its alpha, and what its interval must show."""

    rule: Rule
    path: str
    alpha: str
    aim: str


def check(reg: TypedRegistration, report: Report) -> None:
    """Best cases of the paired-binary interval at tails α/4, or of the empirical Bernstein interval (paper,
    Gate 3).
    """
    if not reg.is_evidence:
        return
    margin = reg.number(EFFECT) + reg.number(SHAM)
    if margin < 1:  # else E402 says so
        _check(reg, report, Study(FEW, PAIRS, "errors.evidence", f"a lower bound of {number_text(margin)}"))
    _check(reg, report, Study(NULL, NULL_PAIRS, "errors.sham", f"an interval inside ±{report.shown(SHAM)}"))


def _check(reg: TypedRegistration, report: Report, study: Study) -> None:
    size, name, alpha = reg.plan.size(study.path), study.path.rpartition(".")[2], report.shown(study.alpha)
    labels = report.declared_here(study.alpha, EFFECT, SHAM)
    if size.kernel_least is None:
        report.add(
            NONE,
            study.path,
            f"no number of {name} up to {planning.MAX_N} gives {study.aim} at α = {alpha}",
            label=f"needs more than {planning.MAX_N}",
            labels=labels,
            help="widen the threshold or raise the alpha",
        )
        return
    need = max(size.kernel_least, LEAST_PAIRS)
    if report.refutes(study.rule, compare(Ref(f"n.{name}", number(size.used)), ">=", number(need))):
        report.add(
            study.rule,
            study.path,
            f"{size.used} {name} can never give {study.aim} at α = {alpha}: the best case needs {need}",
            label=f"needs {need}",
            labels=labels,
            help=f"write `{name} = auto` or `{name} = {need}`",
            fix=report.rewrite(study.path, str(need)),
        )
