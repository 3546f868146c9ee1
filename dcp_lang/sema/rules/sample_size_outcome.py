"""E204: a sampled population must be able to pass Gate 1."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.sema.plan import DIFFERENCE_WIDTH
from dcp_lang.stats import bernstein, planning

RULE = Rule("E204", "too-few-units", "error", "the sampled units cannot pass Gate 1 even without any variance")
RULES = (RULE,)


def check(reg: TypedRegistration, report: Report) -> None:
    """The half-width at zero variance must fit between the best possible gain and δ_min (paper, Gate 1)."""
    if reg.is_exhaustive or not reg.has("baseline.score") or not isinstance(reg.value("baseline.score"), Fraction):
        return
    room = 1 - reg.number("baseline.score") - reg.number("thresholds.delta_min")
    units, alpha = reg.choice("task.population").argument("units"), reg.number("errors.main")
    if room < 0 or (room > 0 and bernstein.half_width_within(units, Fraction(0), alpha, DIFFERENCE_WIDTH, room)):
        return
    least = planning.least_units(Fraction(0), alpha, DIFFERENCE_WIDTH, room) if room > 0 else None
    report.add(
        RULE, "task.population",
        f"{units} sampled units cannot show a gain of δ_min: the interval is wider than the room of {number_text(room)}",
        label=f"needs {least} units" if least else "no number of units is enough",
        labels=report.declared_here("thresholds.delta_min", "errors.main"),
        help=f"sampled({least} units) is the least that can pass" if least else "lower δ_min, or evaluate exhaustively",
    )  # fmt: skip
