"""E301, E302, W301: challengers enough for ρ, and not many more than that."""

from __future__ import annotations

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import RECOVERY
from dcp_lang.sema.report import Report
from dcp_lang.sema.terms import Ref, compare, number
from dcp_lang.stats import planning
from dcp_lang.stats.exact import short_power

FEW = Rule("E301", "too-few-challengers", "error", "zero hits in so few episodes cannot bound recovery by ρ")
NONE = Rule("E302", "no-challenger-count", "error", "no number of challengers can bound recovery by ρ")
MANY = Rule(
    "W301",
    "more-challengers-than-needed",
    "warning",
    "challengers beyond the least n cost an honest claimant",
)
RULES = (FEW, NONE, MANY)

RHO, ALPHA, SPARE = "thresholds.rho", "errors.recovery", "gate.recovery.spare"


def check(reg: TypedRegistration, report: Report) -> None:
    """(1 - ρ)^n <= α_recovery (paper, Equation 3), of the episodes that may not be lost."""
    size = reg.plan.size(RECOVERY)
    rho, alpha = report.shown(RHO), report.shown(ALPHA)
    if size.kernel_least is None:
        report.add(
            NONE,
            RHO,
            f"no n up to {planning.MAX_N} satisfies (1 - {rho})^n <= {alpha}",
            label=f"needs more than {planning.MAX_N} episodes",
            labels=report.declared_here(ALPHA),
            help="raise ρ or α_recovery",
        )
        return
    counted = size.used - reg.count(SPARE)
    if report.refutes(FEW, compare(Ref("n.recovery", number(counted)), ">=", number(size.kernel_least))):
        _too_few(reg, report, counted, size.kernel_least)
    elif counted > size.kernel_least and size.declared is not None and reg.has("expect.p_B"):
        _too_many(reg, report, counted, size.kernel_least)


def _too_few(reg: TypedRegistration, report: Report, have: int, least: int) -> None:
    rho, alpha, need = report.shown(RHO), report.shown(ALPHA), least + reg.count(SPARE)
    report.add(
        FEW,
        RECOVERY,
        f"{have} episodes without a hit cannot bound recovery by ρ = {rho}: "
        f"(1 - {rho})^n <= {alpha} needs n >= {least}",
        label=f"needs {need}",
        labels=report.declared_here(RHO, ALPHA, SPARE),
        help=f"write `episodes = auto` or `episodes = {need}`",
        fix=report.rewrite(RECOVERY, str(need)),
    )


def _too_many(reg: TypedRegistration, report: Report, have: int, least: int) -> None:
    p = reg.number("expect.p_B")
    now, then = (number_text(round(short_power(1 - p, n), 3)) for n in (have, least))
    report.add(
        MANY,
        RECOVERY,
        f"{have} challengers where {least} suffice: at p_B = {report.shown('expect.p_B')} "
        f"the chance of zero hits is {now} instead of {then}",
        label=f"the least n is {least}",
        labels=report.declared_here("expect.p_B"),
        help=f"write `episodes = auto`, or `spare = {have - least}` if the rest covers infrastructure losses",
    )
