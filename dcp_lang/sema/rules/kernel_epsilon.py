"""E703, W703: the kernel's ε = κ · δ_min in doubles never falls below the declared ε."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report
from dcp_lang.stats import kernel_floats

NONE = Rule("E703", "no-kernel-kappa", "error", "no double κ < 1 gives the kernel the declared ε")
CHANGED = Rule("W703", "kernel-epsilon-differs", "info", "the nearest κ would give the kernel another ε")
RULES = (NONE, CHANGED)

EPSILON, DELTA = "thresholds.epsilon", "thresholds.delta_min"


def check(reg: TypedRegistration, report: Report) -> None:
    """The smallest double κ whose product with δ_min is >= ε, with κ < 1 and the product below δ_min.

    The kernel has no field for ε: it multiplies κ and δ_min in doubles. The nearest κ can give a product one
    step too small, and a challenger exactly on the recovery line is then a miss.
    """
    epsilon, delta = reg.number(EPSILON), reg.number(DELTA)
    if epsilon >= delta:  # E202 says so
        return
    kappa = kernel_floats.kappa_for(epsilon, delta)
    if kappa is None:
        report.add(
            NONE,
            EPSILON,
            f"ε = {report.shown(EPSILON)} is so close to δ_min = {report.shown(DELTA)} that "
            "no double κ < 1 lies between",
            label="needs a smaller ε",
            labels=report.declared_here(DELTA),
            help="lower ε by a millionth",
        )
    elif (nearest := float(epsilon / delta)) * float(delta) < float(epsilon):
        ours, theirs = kappa * float(delta), nearest * float(delta)
        report.add(
            CHANGED,
            EPSILON,
            f"κ = ε/δ_min is rounded up to {kappa!r}: the kernel then uses ε = {ours!r}",
            notes=(f"the nearest double, {nearest!r}, would give ε = {theirs!r}, below the declared one",),
        )
