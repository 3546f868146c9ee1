"""W201, W204: alphas that an exhaustive population does not need, and a population of one unit."""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.budget import TOKEN
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

SPARE = Rule(
    "W201",
    "alpha-not-needed",
    "warning",
    "an exhaustive population spends alpha on tests that it does not make",
)
SINGLE = Rule(
    "W204", "single-unit", "warning", "the population is one unit, and nothing says what it aggregates"
)
RULES = (SPARE, SINGLE)

#: The share of the total from which on the spare alphas are worth a word.
_WORTH = Fraction(1, 4)


def check(reg: TypedRegistration, report: Report) -> None:
    """An exact mean needs neither α_main nor α_score (paper, Gate 1)."""
    if not reg.is_exhaustive:
        return
    spare = reg.number("errors.main") + reg.number("errors.score")
    if spare >= _WORTH * reg.number("errors.total"):
        report.add(
            SPARE,
            "errors.main",
            f"an exhaustive population is exact, but main and score together hold {number_text(spare)}",
            label="not needed",
            labels=report.declared_here("errors.score", "task.population"),
            help=f"give both {number_text(TOKEN)} and the rest to the gate that needs most sessions",
        )
    population = reg.choice("task.population")
    if population.argument("units") == 1 and not population.get("aggregate"):
        report.add(
            SINGLE,
            "task.population",
            "the population is one unit, so one number decides every score",
            label="of what is it the exact aggregate?",
            help='write `exhaustive(1 unit, aggregate = "the exact sum over …")`, or name its units',
        )
