"""W202, W203: scores that lie exactly on a line are decided by the kernel's rounding, not by the rule."""

from __future__ import annotations

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

ON_LINE = Rule("W202", "score-on-a-line", "warning", "a score that can occur lies exactly on a decision line")
UNKNOWN = Rule(
    "W203", "ties-not-excluded", "info", "nothing says that no score lies exactly on a decision line"
)
RULES = (ON_LINE, UNKNOWN)

LATTICE = "task.lattice"
#: A line is met when its distance from the target is a whole number of steps of the scores that can occur.
#: A quarter step on the given side decides every score of the lattice as before.
_LINES = (
    ("thresholds.epsilon", "the recovery line x - ε", 1),
    ("thresholds.delta_min", "the gain δ_min", -1),
)


def check(reg: TypedRegistration, report: Report) -> None:
    """On a lattice of step g, ε = k·g puts a candidate on the line x - ε; the kernel's doubles then round.

    Measured on dcp-audit 0.4.2: x = 1, ε = .05 and a challenger at .95 is a miss there, and a hit by the
    paper's rule.
    """
    if not reg.is_exhaustive:
        return
    if not reg.has(LATTICE):
        report.add(
            UNKNOWN,
            "task.population",
            "a score exactly on the recovery line would be decided by the kernel's rounding",
            help="declare `lattice = …` in `task`, the step of the scores that can occur",
        )
        return
    step = reg.number(LATTICE)
    for path, line, side in _LINES:
        steps = reg.number(path) / step
        if steps.denominator == 1:
            away = number_text(reg.number(path) + side * step / 4)
            report.add(
                ON_LINE,
                path,
                f"a score can lie exactly on {line}: {report.shown(path)} is {steps} steps of the lattice",
                label=f"{steps} · {number_text(step)}",
                labels=report.declared_here(LATTICE),
                help=f"{away}, a quarter step away, decides every score of the lattice alike and meets none",
            )
