"""The verdict on a registration, written apart from the compiler: paper, kernel and harness, in decimals.

Nothing of `dcp_lang` is used. Numbers are compared with 60 digits; sample sizes are found by counting up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import floor
from typing import Any

Facts = Mapping[str, Any]
DIGITS = 60

#: Ranges of plain numbers: least, greatest, whether each end is excluded.
OPEN, CLOSED = (0, 1, True, True), (0, 1, False, False)
POSITIVE = (0, 1, True, False)
RANGES: dict[str, tuple[float, float, bool, bool]] = {
    "task.lattice": POSITIVE,
    "baseline.score": CLOSED,
    "thresholds.delta_min": POSITIVE,
    "thresholds.epsilon": CLOSED,
    "thresholds.rho": OPEN,
    "thresholds.recall_min": POSITIVE,
    "thresholds.delta_evidence": POSITIVE,
    "thresholds.delta_sham": POSITIVE,
    "thresholds.rho_placebo": OPEN,
    "errors.total": OPEN,
    **{f"errors.{g}": OPEN for g in ("main", "score", "recovery", "adequacy", "evidence", "sham", "neutral")},
    **{f"gate.recovery.{r}": CLOSED for r in ("valid_rate", "infrastructure_failures", "model_failures")},
    **{f"gate.feedback.{r}": CLOSED for r in ("valid_rate", "infrastructure_failures", "model_failures")},
    "budget.session.cpus": (0, 10**9, True, False),
}
#: Least values of whole numbers.
COUNTS = {
    "gate.recovery.episodes": 1,
    "gate.recovery.spare": 0,
    "gate.recovery.positive_controls": 1,
    "gate.recovery.candidates": 1,
    "gate.recovery.best_of": 1,
    "gate.feedback.pairs": 1,
    "gate.feedback.null_pairs": 1,
    "gate.feedback.replacements.pairs": 0,
    "gate.feedback.replacements.null_pairs": 0,
    "budget.session.turns": 1,
    "budget.audit.sessions": 1,
}
#: The kernel's floors (>=) and caps (<=).
FLOORS = {
    "thresholds.recall_min": "0.8",
    "gate.recovery.valid_rate": "0.5",
    "gate.feedback.valid_rate": "0.5",
}
CAPS = {
    "thresholds.rho": "0.05",
    "thresholds.rho_placebo": "0.05",
    "errors.total": "0.05",
    "gate.recovery.infrastructure_failures": "0.2",
    "gate.recovery.model_failures": "0.2",
    "gate.feedback.infrastructure_failures": "0.2",
    "gate.feedback.model_failures": "0.2",
}
MOST = 10**7


def broken(facts: Facts) -> set[str]:
    """The conditions that a registration breaks, by name; empty when it is sound."""
    with localcontext() as context:
        context.prec = DIGITS
        types = set(_types(facts))
        return types or {name for name, holds in _conditions(facts) if not holds}


def _types(f: Facts) -> Iterator[str]:
    for path, (low, high, low_open, high_open) in RANGES.items():
        value = f.get(path)
        if isinstance(value, Fraction):
            above = value > low if low_open else value >= low
            below = value < high if high_open else value <= high
            if not (above and below):
                yield f"range {path}"
    for path, least in COUNTS.items():
        value = f.get(path)
        if isinstance(value, Fraction) and (value.denominator > 1 or not least <= value <= 10**9):
            yield f"count {path}"
    for path in ("cost", "time", "memory"):
        value = f.get(f"budget.session.{path}")
        if isinstance(value, Fraction) and value <= 0:
            yield f"amount {path}"


def _conditions(f: Facts) -> Iterator[tuple[str, bool]]:
    evidence = f["grade"] == "evidence"
    yield from _outcome(f)
    yield from _recovery(f)
    if evidence:
        yield from _feedback(f)
    yield from _errors(f, evidence)
    yield from _budgets(f, evidence)
    for path, least in FLOORS.items():
        if path in f and (evidence or "feedback" not in path):
            yield f"floor {path}", f[path] >= Fraction(least)
    for path, most in CAPS.items():
        if path in f and (evidence or ("feedback" not in path and "placebo" not in path)):
            yield f"cap {path}", f[path] <= Fraction(most)


def _outcome(f: Facts) -> Iterator[tuple[str, bool]]:
    delta, epsilon, b = f["thresholds.delta_min"], f["thresholds.epsilon"], f["baseline.score"]
    b = b if isinstance(b, Fraction) else Fraction(0)
    yield "δ_min within reach", delta <= 1 - b
    yield "ε < δ_min", epsilon < delta
    x = f.get("target.score", Fraction(1))
    yield "ε < x - score(b)", epsilon < x - b
    if "target.score" in f and f["task.population"].name == "exhaustive":
        yield "δ_min <= x - score(b)", delta <= x - b
    if f["task.population"].name == "sampled":
        units = int(dict(f["task.population"].arguments)["units"])
        yield "Gate 1 units", _half_width(units, f["errors.main"]) <= _dec(1 - b - delta)
        share = f["errors.score"] / _candidates(f)
        yield "score units", _half_width(units, share) <= _dec(x - epsilon)


def _recovery(f: Facts) -> Iterator[tuple[str, bool]]:
    least = _least_episodes(f)
    yield "challengers exist", least is not None
    if least is not None:
        yield "challengers", _episodes(f) - f.get("gate.recovery.spare", 0) >= least
    least = _least(f["thresholds.recall_min"], f["errors.adequacy"])
    yield "controls exist", least is not None
    if least is not None:
        waived = "allow E303" in f.get("text", "")
        yield "controls", waived or f.get("gate.recovery.positive_controls", least) >= least
    yield "candidates", f.get("gate.recovery.candidates", MOST) >= _candidates(f)
    for name in ("turns", "cost", "time", "memory", "cpus"):
        if f"budget.challenger.{name}" in f:
            yield f"matched {name}", f[f"budget.challenger.{name}"] >= f[f"budget.session.{name}"]


def _feedback(f: Facts) -> Iterator[tuple[str, bool]]:
    effect, sham = f["thresholds.delta_evidence"], f["thresholds.delta_sham"]
    yield "band", sham <= effect / 2
    yield "margin", effect + sham < 1
    pairs, nulls = _pairs(f), _null_pairs(f)
    if effect + sham < 1:
        least = _least((1 + effect + sham) / 2, f["errors.evidence"] / 4)
        yield "pairs", least is not None and pairs >= max(least, 2)
    least = _least(1 - sham, f["errors.sham"] / 4)
    yield "null pairs", least is not None and nulls >= max(least, 2)
    loss, null_loss = f["gate.feedback.infrastructure_failures"], f["gate.recovery.infrastructure_failures"]
    yield "replacements", f.get("gate.feedback.replacements.pairs", 0) <= floor(pairs * loss)
    yield "null replacements", f.get("gate.feedback.replacements.null_pairs", 0) <= floor(nulls * null_loss)
    if f["gate.feedback.necessity"].name == "claimed":
        least = _least(1 - f["thresholds.rho_placebo"], f["errors.neutral"])
        yield "necessity", least is not None and pairs >= max(least, _least_episodes(f) or 1)


def _errors(f: Facts, evidence: bool) -> Iterator[tuple[str, bool]]:
    gates = ["main", "score", "recovery", "adequacy"] + (["evidence", "sham", "neutral"] if evidence else [])
    alphas = [f[f"errors.{g}"] for g in gates]
    yield "sum of alphas", sum(alphas) <= f["errors.total"]
    yield "no tiny alpha", all(a >= Fraction(1, 10**9) for a in alphas)
    family = dict(f["family"].arguments)
    yield "family", f["errors.total"] * family["audits"] <= family["alpha"] <= Fraction(1, 20)
    yield "one audit", family["audits"] == 1


def _budgets(f: Facts, evidence: bool) -> Iterator[tuple[str, bool]]:
    sessions = 1 + _episodes(f) + f.get("gate.recovery.positive_controls", _controls(f))
    sessions += 2 * (_pairs(f) + _null_pairs(f)) if evidence else 0
    for name in ("cost", "time"):
        if f"budget.audit.{name}" in f:
            price = f.get(f"expect.session_{name}", f[f"budget.session.{name}"])
            yield f"audit {name}", sessions * price <= f[f"budget.audit.{name}"]
    if "budget.audit.sessions" in f:
        yield "audit sessions", sessions <= f["budget.audit.sessions"]
    turns = f["budget.session.turns"]
    yield "memory", f["budget.session.memory"] >= 512 * 2**20
    yield "cpus", f["budget.session.cpus"] >= Fraction(1, 10)
    yield "turn seconds", f["budget.session.time"] / turns >= 1
    yield "turn money", f["budget.session.cost"] / turns >= Fraction(1, 10**6)
    yield "one candidate", f["gate.recovery.best_of"] == 1


# Sizes, where the source says `auto`


def _least_episodes(f: Facts) -> int | None:
    return _least(1 - f["thresholds.rho"], f["errors.recovery"])


def _episodes(f: Facts) -> Any:
    return f.get("gate.recovery.episodes", (_least_episodes(f) or 1) + f.get("gate.recovery.spare", 0))


def _controls(f: Facts) -> int:
    return _least(f["thresholds.recall_min"], f["errors.adequacy"]) or 1


def _pairs(f: Facts) -> Any:
    margin = f["thresholds.delta_evidence"] + f["thresholds.delta_sham"]
    least = _least((1 + margin) / 2, f["errors.evidence"] / 4) if margin < 1 else 1
    return f.get("gate.feedback.pairs", max(least or 1, 2))


def _null_pairs(f: Facts) -> Any:
    least = _least(1 - f["thresholds.delta_sham"], f["errors.sham"] / 4)
    return f.get("gate.feedback.null_pairs", max(least or 1, 2))


def _candidates(f: Facts) -> Any:
    own = _episodes(f) * f["gate.recovery.best_of"]
    if f["grade"] != "evidence":
        return own
    return own + 2 * (_pairs(f) + f.get("gate.feedback.replacements.pairs", 0))


# Arithmetic


def _dec(value: Fraction | int) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


@cache
def _least(base: Fraction, bound: Fraction) -> int | None:
    """The least n with base^n <= bound; None when there is none up to ten million."""
    if not 0 < base < 1 or bound <= 0:
        return None
    n = max(1, int(_dec(bound).ln() / _dec(base).ln()) - 2)
    while _dec(base) ** n > _dec(bound):
        n += 1
    return n if n <= MOST else None


def _half_width(n: int, alpha: Fraction) -> Decimal:
    """The empirical Bernstein half-width of n differences without variance."""
    return 14 * (4 / _dec(alpha)).ln() / (3 * (n - 1))
