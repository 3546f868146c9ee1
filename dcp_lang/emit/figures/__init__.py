"""Figures: what follows from a registration by arithmetic and is worth freezing beside it.

Achieved limits, tolerances, sums, operating characteristics: exact decisions on rationals, printed as
decimals that never claim more than is true. Upper limits are rounded up and lower limits down, and a limit
that reaches its threshold is never printed beyond it: a reader who compares the printed numbers decides as
the exact rule does.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dcp_lang.canonical import number_text
from dcp_lang.emit.figures.operating import operating_rows
from dcp_lang.emit.figures.rules import PLACES, Rule, gate_rules, margin
from dcp_lang.language.values import Amount, json_value
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.stats import bernstein

#: Shares of a gate's error for which the least n is shown.
SENSITIVITY = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
#: Sample variances of paired differences for which Gate 1's half-width is shown.
VARIANCES = (Fraction(0), Fraction(1, 100), Fraction(1, 25), Fraction(1, 10), Fraction(1, 4))


def document_figures(reg: TypedRegistration) -> dict[str, Any]:
    """All figures of a complete registration, as JSON without floats."""
    rules = gate_rules(reg)
    figures: dict[str, Any] = {"places": PLACES, "errors": _errors(reg), "cost": _cost(reg)}
    figures |= _lines(reg)
    return figures | {name: _gate(reg, name, rule) for name, rule in rules.items()}


def _lines(reg: TypedRegistration) -> dict[str, Any]:
    """The lines and margins that only some registrations have."""
    figures: dict[str, Any] = {}
    if reg.has("target.score"):
        figures["recovery_line"] = number_text(reg.number("target.score") - reg.number("thresholds.epsilon"))
    if not reg.is_exhaustive:
        figures["outcome"] = _half_widths(reg)
    if reg.is_evidence:
        low = reg.number("thresholds.delta_evidence") - reg.number("thresholds.delta_sham")
        figures["margin"] = {"least": number_text(margin(reg)), "refuted_below": number_text(low)}
    return figures


def _errors(reg: TypedRegistration) -> dict[str, str]:
    parts = [reg.number(p) for p in reg.entries if p.startswith("errors.") and p != "errors.total"]
    total, audits = reg.number("errors.total"), int(reg.choice("family").argument("audits"))
    return {
        "sum": number_text(sum(parts)),
        "unspent": number_text(total - sum(parts)),
        "family_spent": number_text(total * audits),
        "score_each": number_text(reg.number("errors.score") / reg.count("gate.recovery.candidates")),
    }


def _cost(reg: TypedRegistration) -> dict[str, Any]:
    """What the planned control sessions cost: as expected, or else at most."""
    session = reg.plan.session_cost
    controls = Amount(session.number * reg.plan.sessions, session.unit)
    return {"session": json_value(session), "controls": json_value(controls)}


def _half_widths(reg: TypedRegistration) -> dict[str, Any]:
    """Half-widths of Gate 1's interval by sample variance of the paired differences in [-1, 1]."""
    units, alpha = int(reg.choice("task.population").argument("units")), reg.number("errors.main")
    widths = ((v, bernstein.half_width(units, v, alpha, places=PLACES)) for v in VARIANCES)
    return {"half_widths": [{"variance": number_text(v), "half_width": number_text(w)} for v, w in widths]}


def _gate(reg: TypedRegistration, name: str, rule: Rule) -> dict[str, Any]:
    n = reg.count(rule.path)
    figures = {"n": n, "threshold": number_text(rule.threshold), "limit": number_text(rule.printed(n))}
    figures |= _least(rule) | _tolerance(rule, n)
    figures["sensitivity"] = [_sensitivity(rule, share) for share in SENSITIVITY]
    return figures | operating_rows(reg, name, rule)


def _least(rule: Rule) -> dict[str, Any]:
    """The least n that can pass and the limits there and one below; nothing where no n can."""
    least = rule.least(rule.alpha)
    if least is None:
        return {}
    figures = {"least": least, "limit_at_least": number_text(rule.printed(least))}
    if least > 2:
        figures |= {"below": least - 1, "limit_below": number_text(rule.printed(least - 1))}
    return figures


def _tolerance(rule: Rule, n: int) -> dict[str, Any]:
    """The most losses that still pass, with the limits there and at one loss more."""
    tolerated = rule.tolerated(n) if rule.tolerated else None
    if tolerated is None:
        return {}
    figures = {"tolerated": tolerated, "limit_tolerated": number_text(rule.printed(n, tolerated))}
    if tolerated < n:
        figures |= {"one_more": tolerated + 1, "limit_one_more": number_text(rule.printed(n, tolerated + 1))}
    return figures


def _sensitivity(rule: Rule, share: Fraction) -> dict[str, Any]:
    alpha = rule.alpha * share
    least = rule.least(alpha) if alpha < 1 else None
    return {"share": number_text(share)} | ({} if least is None else {"least": least})
