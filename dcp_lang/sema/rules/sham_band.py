"""E401, E402: 0 < δ_sham <= δ_evidence/2, and a margin that an effect can reach."""

from __future__ import annotations

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.quantities import field_term
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Op, all_of, compare, number

BAND = Rule(
    "E401", "sham-band-too-wide", "error", "the calibration band is more than half the effect threshold"
)
MARGIN = Rule("E402", "margin-out-of-reach", "error", "no effect on [-1, 1] can reach δ_evidence + δ_sham")
RULES = (BAND, MARGIN)

SHAM, EFFECT = "thresholds.delta_sham", "thresholds.delta_evidence"


def check(reg: TypedRegistration, report: Report) -> None:
    """0 < δ_sham <= δ_evidence/2 (kernel rule); δ_evidence + δ_sham < 1 (paper, Gate 3)."""
    if not reg.is_evidence:
        return
    sham, effect = field_term(reg, SHAM), field_term(reg, EFFECT)
    half = Op("/", (effect, number(2)))
    if report.refutes(BAND, all_of([compare(number(0), "<", sham), compare(sham, "<=", half)])):
        most = number_text(reg.number(EFFECT) / 2)
        report.add(
            BAND,
            SHAM,
            f"δ_sham is {report.shown(SHAM)}, but may be at most δ_evidence/2 = {most}",
            label=f"needs at most {most}",
            labels=report.declared_here(EFFECT),
            help=f"δ_sham = {most} is the widest band",
            fix=report.rewrite(SHAM, "δ_evidence / 2"),
        )
    if report.refutes(MARGIN, compare(Op("+", (effect, sham)), "<", number(1))):
        margin = number_text(reg.number(EFFECT) + reg.number(SHAM))
        report.add(
            MARGIN,
            EFFECT,
            f"δ_evidence + δ_sham is {margin}, but no lower bound of an effect reaches 1",
            label="needs a sum below 1",
            labels=report.declared_here(SHAM),
            help=f"δ_evidence below {number_text(1 - reg.number(SHAM))} can be reached",
        )
