"""E301, W301: challengers enough for ρ, and not many more than that."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.model import Edit, Fix
from dcp_lang.sema.plan import RECOVERY
from dcp_lang.sema.terms import Ref, compare, number
from dcp_lang.stats import planning

RULE = Rule("E301", "too-few-challengers", "error", "zero hits in so few episodes cannot bound the recovery probability by ρ")
NONE = Rule("E302", "no-challenger-count", "error", "no number of challengers can bound the recovery probability by ρ")
MANY = Rule("W301", "more-challengers-than-needed", "warning", "challengers beyond the least n lower an honest claimant's chance")
RULES = (RULE, NONE, MANY)


def check(reg: TypedRegistration, report: Report) -> None:
    """(1 - ρ)^n <= α_recovery (paper, Equation 3)."""
    size = reg.plan.size(RECOVERY)
    rho, alpha = reg.number("thresholds.rho"), reg.number("errors.recovery")
    if size.kernel_least is None:
        block = planning.obstacle("zero-failure", rho)
        report.add(
            NONE, "thresholds.rho", f"no n satisfies (1 - ρ)^n <= {number_text(alpha)} with ρ = {number_text(rho)}: {block.inequality} fails",
            label=block.kind, help="raise ρ or α_recovery",
        )  # fmt: skip
        return
    valid = size.used - reg.count("gate.recovery.spare")
    needed = Ref("n.recovery", number(valid))
    if report.refutes(RULE, compare(needed, ">=", number(size.kernel_least))):
        _too_few(reg, report, valid, size.kernel_least)
    elif valid > size.kernel_least and size.declared is not None and reg.has("expect.p_B"):
        _too_many(reg, report, valid, size.kernel_least)


def _too_few(reg: TypedRegistration, report: Report, have: int, least: int) -> None:
    need = least + reg.count("gate.recovery.spare")
    rho, alpha = number_text(reg.number("thresholds.rho")), number_text(reg.number("errors.recovery"))
    report.add(
        RULE, RECOVERY, f"{have} episodes without a hit cannot show p_B <= {rho} at α = {alpha}: (1 - {rho})^n <= {alpha} needs n >= {least}",
        label=f"needs {need}", labels=report.declared_here("thresholds.rho", "errors.recovery"),
        help=f"write `episodes = auto` or `episodes = {need}`", fix=Fix(f"run {need} episodes", (_edit(reg, need),)),
    )  # fmt: skip


def _too_many(reg: TypedRegistration, report: Report, have: int, least: int) -> None:
    p = reg.number("expect.p_B")
    now, then = (1 - p) ** have, (1 - p) ** least
    report.add(
        MANY, RECOVERY, f"{have} challengers where {least} suffice: at p_B = {number_text(p)} the chance of zero hits is {float(now):.3f} instead of {float(then):.3f}",
        label=f"the least n is {least}", help=f"`episodes = auto`, or `spare = {have - least}` if the extra episodes cover infrastructure losses",
    )  # fmt: skip


def _edit(reg: TypedRegistration, need: int) -> Edit:
    span = reg.span(RECOVERY)
    start = reg.source.text.index("=", span.start) + 1
    return Edit(span._replace(start=start), f" {need}")
