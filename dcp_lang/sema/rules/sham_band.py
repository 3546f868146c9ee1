"""E401, E402: 0 < δ_sham <= δ_evidence/2, and a margin that an effect can reach."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from dcp_lang.canonical import number_text
from dcp_lang.sema.lower import field_term
from dcp_lang.sema.terms import Op, all_of, compare, number

BAND = Rule("E401", "sham-band-too-wide", "error", "the calibration band is more than half the effect threshold")
MARGIN = Rule("E402", "margin-out-of-reach", "error", "no effect on [-1, 1] can reach δ_evidence + δ_sham")
RULES = (BAND, MARGIN)


def check(reg: TypedRegistration, report: Report) -> None:
    """0 < δ_sham <= δ_evidence/2 (kernel rule); δ_evidence + δ_sham < 1 (paper, Gate 3)."""
    if not reg.is_evidence:
        return
    sham, effect = field_term(reg, "thresholds.delta_sham"), field_term(reg, "thresholds.delta_evidence")
    half = reg.number("thresholds.delta_evidence") / 2
    have = number_text(reg.number("thresholds.delta_sham"))
    if report.refutes(BAND, all_of(compare(number(0), "<", sham), compare(sham, "<=", Op("/", (effect, number(2)))))):
        report.add(
            BAND, "thresholds.delta_sham", f"δ_sham is {have}, but may be at most δ_evidence/2 = {number_text(half)}",
            label=f"needs at most {number_text(half)}", labels=report.declared_here("thresholds.delta_evidence"),
            help=f"δ_sham = {number_text(half)} is the widest band",
        )  # fmt: skip
    margin = half * 2 + reg.number("thresholds.delta_sham")
    if report.refutes(MARGIN, compare(Op("+", (effect, sham)), "<", number(1))):
        report.add(
            MARGIN, "thresholds.delta_evidence", f"δ_evidence + δ_sham is {number_text(margin)}, but no lower bound reaches 1",
            label="needs a sum below 1", labels=report.declared_here("thresholds.delta_sham"), help="lower δ_evidence or δ_sham",
        )  # fmt: skip
