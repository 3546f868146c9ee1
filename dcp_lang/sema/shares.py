"""The shares of an error budget that the compiler divides: optimal over the integers (`stats.allocation`)."""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.sema.budget import TOKEN
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.stats.allocation import SCALE, Gate, allocate
from dcp_lang.stats.prices import (
    HalfWidthPrice,
    Price,
    feedback_price,
    null_price,
    recall_price,
    zero_hit_price,
)

#: The gates that the budget is shared among: the size that each pays for, and sessions per unit of it.
_SHARED = {
    "recovery": ("gate.recovery.episodes", 1),
    "adequacy": ("gate.recovery.positive_controls", 1),
    "evidence": ("gate.feedback.pairs", 2),
    "sham": ("gate.feedback.null_pairs", 2),
}


def allocated(reg: TypedRegistration, open_gates: list[str], active: tuple[str, ...]) -> dict[str, Fraction]:
    """Alphas of the open gates: optimal, or equal shares where no sizes fit and the rules will say why."""
    total = reg.number("errors.total")
    fixed = {g: reg.number(f"errors.{g}") for g in active if g not in open_gates}
    fixed |= {g: _needed(reg, g) for g in open_gates if not _is_shared(reg, g)}
    shared = {g: Gate(_price(reg, g), Fraction(_SHARED[g][1])) for g in open_gates if _is_shared(reg, g)}
    if not shared:
        return fixed
    possible = sum(fixed.values(), Fraction(0)) < total and _can_pass(reg)
    allocation = allocate(total, shared, fixed) if possible else None
    if allocation is None:
        return dict.fromkeys(open_gates, total / len(active))
    # What rounding leaves over goes to the largest share: the sum is then exactly the total.
    largest = max(shared, key=lambda gate: allocation.alphas[gate])
    return allocation.alphas | {largest: allocation.alphas[largest] + allocation.spare}


def _is_shared(reg: TypedRegistration, gate: str) -> bool:
    return gate in _SHARED and not isinstance(reg.value(_SHARED[gate][0]), int)


def _needed(reg: TypedRegistration, gate: str) -> Fraction:
    """What a gate needs whose size is declared; a token for a gate that decides nothing with it."""
    size = reg.value(_SHARED[gate][0]) if gate in _SHARED else None
    if not isinstance(size, int):
        return TOKEN
    spare = reg.count("gate.recovery.spare") if gate == "recovery" else 0
    return Fraction(_price(reg, gate).units(size - spare, SCALE), SCALE)


def _can_pass(reg: TypedRegistration) -> bool:
    """Whether some n exists at all; where it does not, the rules name the inequality."""
    return not reg.is_evidence or _margin(reg) < 1


def _margin(reg: TypedRegistration) -> Fraction:
    return reg.number("thresholds.delta_evidence") + reg.number("thresholds.delta_sham")


def _price(reg: TypedRegistration, gate: str) -> Price:
    """The least alpha of a gate at n, when the best case is tolerated."""
    if gate == "recovery":
        return zero_hit_price(reg.number("thresholds.rho"))
    if gate == "adequacy":
        return recall_price(reg.number("thresholds.recall_min"))
    binary = reg.choice("gate.feedback.utility").name == "recovers"
    if gate == "evidence":
        return feedback_price(_margin(reg)) if binary else HalfWidthPrice(1 - _margin(reg))
    band = reg.number("thresholds.delta_sham")
    return null_price(band) if binary else HalfWidthPrice(band)
