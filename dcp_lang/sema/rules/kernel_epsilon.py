"""E703, W703: the kernel's ε = κ · δ_min in doubles never falls below the declared ε."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.stats import kernel_floats

NONE = Rule("E703", "no-kernel-kappa", "error", "no double κ < 1 gives the kernel the declared ε")
CHANGED = Rule("W703", "kernel-epsilon-differs", "info", "the kernel's effective ε is not exactly the declared one")
RULES = (NONE, CHANGED)


def check(reg: TypedRegistration, report: Report) -> None:
    """The smallest double κ whose product with δ_min is >= ε, κ < 1 and the product below δ_min."""
    epsilon, delta = reg.number("thresholds.epsilon"), reg.number("thresholds.delta_min")
    if epsilon >= delta:
        return
    kappa = kernel_floats.kappa_for(epsilon, delta)
    if kappa is None:
        report.add(
            NONE, "thresholds.epsilon", f"ε = {number_text(epsilon)} is so close to δ_min = {number_text(delta)} that no double κ < 1 separates them",
            labels=report.declared_here("thresholds.delta_min"), help="lower ε",
        )  # fmt: skip
    elif Fraction(nearest := float(epsilon / delta)) != Fraction(kappa):
        report.add(
            CHANGED, "thresholds.epsilon",
            f"κ = ε/δ_min is rounded up to {kappa!r} so that the kernel uses ε = {kappa * float(delta)!r}; the nearest double {nearest!r} would give {nearest * float(delta)!r}",
        )  # fmt: skip
