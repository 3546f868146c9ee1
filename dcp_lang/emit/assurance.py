"""Assurance: the exact probability that each gate, and the whole audit, concludes as hoped under `expect`.

The assumptions plan the audit and never decide it. Branches of a pair are taken as independent: with recovery rates t
(truthful) and u (neutral), p10 = t (1 - u) and p01 = (1 - t) u.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, prod
from typing import Any

from dcp_lang.canonical import number_text
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import CONTROLS, NULL_PAIRS, PAIRS, RECOVERY, Size
from dcp_lang.stats.assurance import AssuredN, assured_null_pairs, assured_pairs, assured_positive_controls
from dcp_lang.stats.assured_allocation import clears
from dcp_lang.stats.assured_sizes import assured_sizes as cheapest_sizes
from dcp_lang.stats.attrition import slots_assured
from dcp_lang.stats.audit import Design, Thresholds, Truth, gate_bounds, gate_powers
from dcp_lang.stats.exact import EXACT_UP_TO, power_reaches
from dcp_lang.stats.search import EffortError

#: The size, alpha and assumptions of each gate.
GATES = {
    "recovery": (RECOVERY, "errors.recovery", ("expect.p_B",)),
    "adequacy": (CONTROLS, "errors.adequacy", ("expect.recall",)),
    "evidence": (PAIRS, "errors.evidence", ("expect.truthful", "expect.neutral")),
    "sham": (NULL_PAIRS, "errors.sham", ("expect.null",)),
}
_PLACES = 4


def assurance_report(reg: TypedRegistration) -> dict[str, Any]:
    """Pr(pass) of every gate whose assumptions are declared, of all of them together, and what each depends on."""
    gates = [gate for gate in GATES if _is_assumed(reg, gate)]
    if not gates:
        return {}
    chances, whole = _rounded(reg, gates, truth(reg))
    report: dict[str, Any] = {
        "gates": chances,
        "audit": whole,
        "sensitivity": _sensitivity(reg, gates),
    }
    if reg.has("expect.assurance"):
        report["target"] = number_text(reg.number("expect.assurance"))
    return report | _slots(reg)


def down(chance: Fraction) -> str:
    """A probability rounded down at four decimals: never better than it is."""
    return number_text(Fraction(floor(chance * 10**_PLACES), 10**_PLACES))


def _rounded(reg: TypedRegistration, gates: list[str], assumed: Truth) -> tuple[dict[str, str], str]:
    """Pr(pass) of every gate and of all, rounded down from bounds; where those leave it open, from exact numbers."""
    design, limits = _design(reg, gates), _thresholds(reg)
    bounds = gate_bounds(design, limits, assumed)
    lows, highs = ({gate: pair[end] for gate, pair in bounds.items()} for end in (0, 1))
    ends = zip([*lows.values(), _all(lows)], [*highs.values(), _all(highs)], strict=True)
    if max(design.sizes.values()) <= EXACT_UP_TO and not all(_is_settled(low, high) for low, high in ends):
        lows = gate_powers(design, limits, assumed)
    return {gate: down(power) for gate, power in lows.items()}, down(_all(lows))


def _all(powers: dict[str, Fraction]) -> Fraction:
    """Pr(every gate passes), given the truth independently."""
    return prod(powers.values(), start=Fraction(1))


def _is_settled(low: Fraction, high: Fraction) -> bool:
    """Whether all between the bounds rounds down alike; of bounds that differ the upper one is not attained."""
    scale = 10**_PLACES
    return low == high or floor(low * scale) == ceil(high * scale) - 1


def truth(reg: TypedRegistration) -> Truth:
    """What `expect` assumes; an absent assumption takes the value at which its gate is surest."""
    t, u = _expected(reg, "truthful", 1), _expected(reg, "neutral", 0)
    null = _each_way(_expected(reg, "null", 0))
    return Truth(_expected(reg, "p_B", 0), _expected(reg, "recall", 1), t * (1 - u), (1 - t) * u, null, null)


def _expected(reg: TypedRegistration, name: str, otherwise: int) -> Fraction:
    path = f"expect.{name}"
    return reg.number(path) if reg.has(path) else Fraction(otherwise)


def _each_way(discordance: Fraction) -> Fraction:
    """Two directions exclude each other, so neither has more than half."""
    return min(discordance, Fraction(1, 2))


def _is_assumed(reg: TypedRegistration, gate: str) -> bool:
    size, _, assumptions = GATES[gate]
    is_binary = size not in (PAIRS, NULL_PAIRS) or (
        reg.is_evidence and reg.choice("gate.feedback.utility").name == "recovers"
    )
    return is_binary and all(reg.has(path) for path in assumptions)


def _design(reg: TypedRegistration, gates: list[str]) -> Design:
    sizes = {gate: reg.plan.size(GATES[gate][0]).used for gate in gates}
    return Design(sizes, {gate: reg.number(GATES[gate][1]) for gate in gates})


def _thresholds(reg: TypedRegistration) -> Thresholds:
    rho, recall = reg.number("thresholds.rho"), reg.number("thresholds.recall_min")
    if not reg.is_evidence:
        return Thresholds(rho, recall)
    band = reg.number("thresholds.delta_sham")
    return Thresholds(rho, recall, band + reg.number("thresholds.delta_evidence"), band)


def _sensitivity(reg: TypedRegistration, gates: list[str]) -> list[dict[str, str]]:
    """The audit's assurance with one assumption at a time twice as far from the ideal, the others as they are."""
    base = truth(reg)
    worse = {
        "p_B": base._replace(hit_rate=min(Fraction(1), 2 * base.hit_rate)),
        "recall": base._replace(recall=max(Fraction(0), 2 * base.recall - 1)),
        "truthful": _branches(reg, 2 * _expected(reg, "truthful", 1) - 1, _expected(reg, "neutral", 0)),
        "neutral": _branches(reg, _expected(reg, "truthful", 1), 2 * _expected(reg, "neutral", 0)),
        "null": base._replace(null_p10=_each_way(2 * base.null_p10), null_p01=_each_way(2 * base.null_p01)),
    }
    names = [path.rpartition(".")[2] for gate in gates for path in GATES[gate][2]]
    rows = []
    for name in names:
        rows.append({"assumption": name, "audit": _rounded(reg, gates, worse[name])[1]})
    return rows


def _branches(reg: TypedRegistration, t: Fraction, u: Fraction) -> Truth:
    t, u = max(t, Fraction(0)), min(u, Fraction(1))
    return truth(reg)._replace(p10=t * (1 - u), p01=(1 - t) * u)


def _slots(reg: TypedRegistration) -> dict[str, int]:
    """Slots to reserve so that the least number of valid challengers is left after losses, with the assurance."""
    if not (reg.has("expect.losses") and reg.has("expect.assurance")):
        return {}
    least = reg.plan.size(RECOVERY).kernel_least
    slots = (
        slots_assured(least, reg.number("expect.losses"), reg.number("expect.assurance")) if least else None
    )
    return {"challenger_slots": slots} if slots is not None else {}


def assured_sizes(reg: TypedRegistration, path: str, size: Size) -> dict[str, int]:
    """`assured` and `safe` n of a size for the declared assurance; nothing where it is not assumed or not reached."""
    gate = next(gate for gate, row in GATES.items() if row[0] == path)
    if not (reg.has("expect.assurance") and _is_assumed(reg, gate)):
        return {}
    target = reg.number("expect.assurance")
    if gate == "recovery":
        return _assured_challengers(reg, size, target)
    found = _assured(reg, gate, target)
    sizes = {} if found is None else {"assured": found.first, "safe": found.safe}
    return {name: n for name, n in sizes.items() if n is not None}


def _assured_challengers(reg: TypedRegistration, size: Size, target: Fraction) -> dict[str, int]:
    """The least n, if the chance of zero hits reaches the target there; it only falls with more challengers."""
    least = size.kernel_least
    if least is None or not power_reaches(1 - reg.number("expect.p_B"), least, target):
        return {}
    return {"assured": least}


def _assured(reg: TypedRegistration, gate: str, target: Fraction) -> AssuredN | None:
    alpha, limits, expected = reg.number(GATES[gate][1]), _thresholds(reg), truth(reg)
    if gate == "adequacy":
        return assured_positive_controls(alpha, limits.minimum, expected.recall, target)
    if gate == "evidence":
        return assured_pairs(alpha, limits.margin, expected.p10, expected.p01, target)
    return assured_null_pairs(alpha, limits.band, expected.null_p10, expected.null_p01, target)


def assured_design(reg: TypedRegistration) -> dict[str, Any]:
    """The fewest sessions with which the whole audit has the declared assurance at the registered alphas.

    Its sizes lie on peaks of the saw-tooth, so a larger one may do worse. Empty where no assurance is declared, or
    where none reaches it; `searched` is false where the search would take too long.
    """
    gates = [gate for gate in GATES if _is_assumed(reg, gate)]
    wanted = {*GATES} if reg.is_evidence else {"recovery", "adequacy"}
    if not reg.has("expect.assurance") or set(gates) != wanted:
        return {}
    alphas = {gate: reg.number(GATES[gate][1]) for gate in gates}
    costs = {gate: Fraction(2 if gate in ("evidence", "sham") else 1) for gate in gates}
    target = reg.number("expect.assurance")
    try:
        found = cheapest_sizes(alphas, _thresholds(reg), truth(reg), target, costs)
    except EffortError:
        return {"searched": False}
    if found is None:
        return {}
    sizes = {GATES[gate][0]: n for gate, n in found.design.sizes.items()}
    return {"sizes": sizes, "sessions": int(found.cost), "assurance": down(found.assurance)}


def unsearched(reg: TypedRegistration) -> list[str]:
    """The sizes whose assured or safe n was not found for the work it takes: their truth lies near the threshold."""
    if not reg.has("expect.assurance"):
        return []
    target, limits, expected = reg.number("expect.assurance"), _thresholds(reg), truth(reg)
    searched = [gate for gate in GATES if gate != "recovery" and _is_assumed(reg, gate)]
    reachable = [gate for gate in searched if clears(limits, expected, {gate: Fraction(1)})]
    found = {gate: _assured(reg, gate, target) for gate in reachable}
    return [GATES[gate][0] for gate, n in found.items() if n is None or None in (n.first, n.safe)]
