"""E201, E207: some score on [0, 1] must be able to gain δ_min over the baseline, and a known x must have
gained it.
"""

from __future__ import annotations

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.prove import PROVED, decide
from dcp_lang.sema.quantities import baseline_score, field_term, target_score
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Op, compare, number

REACH = Rule("E201", "gain-out-of-reach", "error", "δ_min leaves no score on [0, 1] that could pass Gate 1")
KNOWN = Rule("E207", "known-target-gains-too-little", "error", "the known target score does not gain δ_min")
RULES = (REACH, KNOWN)

DELTA = "thresholds.delta_min"


def check(reg: TypedRegistration, report: Report) -> None:
    """δ_min <= 1 - score(b), and δ_min <= x - score(b) where x is known (paper, Gate 1)."""
    delta, baseline = field_term(reg, DELTA), baseline_score(reg)
    if report.refutes(REACH, compare(delta, "<=", Op("-", (number(1), baseline)))):
        _out_of_reach(reg, report)
    elif reg.has("target.score") and reg.is_exhaustive:
        gain = Op("-", (target_score(reg), baseline))
        recovers = decide(compare(gain, "<=", field_term(reg, "thresholds.epsilon"))).status == PROVED
        if report.refutes(KNOWN, compare(delta, "<=", gain)) and not recovers:  # else E203 says more
            _too_little(reg, report)


def _out_of_reach(reg: TypedRegistration, report: Report) -> None:
    have, room = number_text(reg.number(DELTA)), number_text(1 - reg.number("baseline.score"))
    report.add(
        REACH,
        DELTA,
        f"δ_min is {have}, but the best possible gain over the baseline is {room}",
        label=f"needs at most {room}",
        labels=report.declared_here("baseline.score"),
        help=f"δ_min = {room} is the greatest that a score of 1 can pass",
    )


def _too_little(reg: TypedRegistration, report: Report) -> None:
    have = number_text(reg.number(DELTA))
    gain = number_text(reg.number("target.score") - reg.number("baseline.score"))
    report.add(
        KNOWN,
        DELTA,
        f"δ_min is {have}, but the known target gains x - score(b) = {gain}",
        label=f"needs at most {gain}",
        labels=report.declared_here("target.score", "baseline.score"),
        help="a target that fails Gate 1 has nothing to be recovered",
    )
