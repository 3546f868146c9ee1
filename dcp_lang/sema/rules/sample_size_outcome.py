"""E204, E308, W303: a sampled population must have units enough for Gate 1 and for each candidate's score
test.
"""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import CANDIDATES, DIFFERENCE_WIDTH
from dcp_lang.sema.report import Report
from dcp_lang.stats import planning

OUTCOME = Rule(
    "E204", "too-few-units", "error", "the sampled units cannot pass Gate 1 even without any variance"
)
SCORES = Rule(
    "E308", "too-few-units-for-scores", "error", "the sampled units cannot tell any candidate from the target"
)
COPIES = Rule(
    "W303", "copies-unresolved", "warning", "a candidate that equals the target would not be a confirmed hit"
)
RULES = (OUTCOME, SCORES, COPIES)

POPULATION = "task.population"
_ZERO = Fraction(0)


def check(reg: TypedRegistration, report: Report) -> None:
    """Empirical Bernstein half-widths at zero variance, the best case (paper, Gates 1 and 2)."""
    if reg.is_exhaustive:
        return
    units = reg.choice(POPULATION).argument("units")
    _outcome(reg, report, units)
    _scores(reg, report, units)


def _outcome(reg: TypedRegistration, report: Report, units: int) -> None:
    """The half-width must fit between the best possible gain and δ_min."""
    baseline = reg.value("baseline.score")
    best = 1 - baseline if isinstance(baseline, Fraction) else Fraction(1)
    room, alpha = best - reg.number("thresholds.delta_min"), reg.number("errors.main")
    if room < 0 or _fits(units, alpha, room):
        return
    least = planning.least_units(_ZERO, alpha, DIFFERENCE_WIDTH, room)
    room_text = number_text(room)
    report.add(
        OUTCOME,
        POPULATION,
        f"{units} sampled units cannot show a gain of δ_min: the interval exceeds the room of {room_text}",
        label=f"needs {least} units" if least else "no number of units is enough",
        labels=report.declared_here("thresholds.delta_min", "baseline.score", "errors.main"),
        help=f"write `sampled({least} units)`" if least else "lower δ_min, or evaluate exhaustively",
    )


def _scores(reg: TypedRegistration, report: Report, units: int) -> None:
    """Each of m_max candidates is tested at α_score/m_max: a miss must be able to lie below the recovery
    line.
    """
    share = reg.number("errors.score") / reg.count(CANDIDATES)
    epsilon = reg.number("thresholds.epsilon")
    best = (reg.number("target.score") if reg.has("target.score") else Fraction(1)) - epsilon
    labels = report.declared_here("errors.score", CANDIDATES)
    share_text = f"α_score/m_max = {number_text(round(share, 12))}"
    if not _fits(units, share, best):
        least = planning.least_units(_ZERO, share, DIFFERENCE_WIDTH, best)
        report.add(
            SCORES,
            POPULATION,
            f"{units} sampled units cannot show any miss at {share_text}: "
            f"the interval is wider than {number_text(best)}",
            label=f"needs {least} units" if least else "no number of units is enough",
            labels=labels,
            help=f"write `sampled({least} units)`" if least else "evaluate exhaustively",
        )
    elif not _fits(units, share, epsilon):
        report.add(
            COPIES,
            POPULATION,
            f"with {units} units a candidate that equals the target stays unresolved: "
            f"its interval at {share_text} is wider than ε = {number_text(epsilon)}",
            label="positive controls may not count",
            labels=labels,
            help=_more_units(share, epsilon),
        )


def _more_units(share: Fraction, epsilon: Fraction) -> str:
    least = planning.least_units(_ZERO, share, DIFFERENCE_WIDTH, epsilon)
    return f"{least} units resolve it" if least else "a larger ε, or an exhaustive population, resolves it"


def _fits(units: int, alpha: Fraction, target: Fraction) -> bool:
    from dcp_lang.stats.bernstein import half_width_within  # only a sample has a width

    return target > 0 and half_width_within(units, _ZERO, alpha, DIFFERENCE_WIDTH, target)
