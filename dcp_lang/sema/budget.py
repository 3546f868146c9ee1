"""`errors 5% = auto`: the compiler divides the error budget.

Alphas that are declared stay as they are. Of the others, a gate that needs no error (an exhaustive
population's main and score, neutral recovery without a necessity claim) gets a token share, because the
kernel wants every alpha above zero; a gate whose size is declared gets what that size needs; the rest is
shared so that the sessions are fewest, optimal over the integers (`stats.allocation`). The result is an
ordinary allocation, marked computed.
"""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.sema.faults import Faults
from dcp_lang.sema.model import MissingFieldError, TypedRegistration
from dcp_lang.sema.typecheck import AUTO_VALUE

#: The share of a gate that decides nothing with it.
TOKEN = Fraction(1, 10**6)
ALWAYS = ("main", "score", "recovery", "adequacy")
WITH_FEEDBACK = ("evidence", "sham", "neutral")


def active_gates(reg: TypedRegistration) -> tuple[str, ...]:
    """The gates whose alpha this grade spends."""
    return ALWAYS + WITH_FEEDBACK if reg.is_evidence else ALWAYS


def allocate_errors(reg: TypedRegistration, faults: Faults) -> None:
    """Replace every `auto` alpha by a number; needs the thresholds, and leaves `auto` where they are at
    fault.
    """
    open_gates = [g for g in active_gates(reg) if _is_auto(reg, f"errors.{g}")]
    for gate in () if reg.is_evidence else WITH_FEEDBACK:
        # `errors 5% = auto` speaks of the active gates only.
        if _is_auto(reg, f"errors.{gate}"):
            reg.drop(f"errors.{gate}")
    if not open_gates or _needs_declaring(reg, open_gates, faults):
        return
    # Only here: a registration that declares its alphas never loads the allocation.
    from dcp_lang.sema.shares import allocated

    try:
        shares = allocated(reg, open_gates, active_gates(reg))
    except MissingFieldError:
        return
    for gate, alpha in shares.items():
        if gate in open_gates:
            reg.compute(f"errors.{gate}", alpha)


def _is_auto(reg: TypedRegistration, path: str) -> bool:
    return reg.has(path) and reg.value(path) == AUTO_VALUE


def _needs_declaring(reg: TypedRegistration, open_gates: list[str], faults: Faults) -> bool:
    """A sampled population spends main and score on intervals whose width only the author can weigh."""
    wanted = [g for g in ("main", "score") if g in open_gates]
    if not wanted or not reg.has("task.population") or reg.is_exhaustive:
        return False
    for gate in wanted:
        faults.no_value(
            f"α of {gate} cannot be computed for a sampled population",
            reg.span(f"errors.{gate}"),
            f"declare it in a block: `errors … {{ {gate} = 1%, recovery = auto, … }}`",
        )
    return True
