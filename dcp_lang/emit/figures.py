"""Figures: what follows from a registration by arithmetic and is worth freezing beside it.

Achieved limits, tolerances, sums, operating characteristics: exact decisions on rationals, printed as
decimals that never claim more than is true. Upper limits are rounded up and lower limits down at `PLACES`
decimals, and a limit that reaches its threshold is never printed beyond it: a reader who compares the
printed numbers decides as the exact rule does.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from dcp_lang.canonical import number_text
from dcp_lang.emit.operating import OPERATING, operating_rows
from dcp_lang.language.values import Amount, Choice, json_value
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.stats import bernstein, bounds, paired, planning

#: Decimals of a printed limit.
PLACES = 6
#: Error budgets, as multiples of the registered one, for which the least n is shown.
SENSITIVITY = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))


class Rule(NamedTuple):
    """How one gate decides at n, when all goes as well as it can and with k losses."""

    path: str
    alpha: Fraction
    threshold: Fraction
    is_upper: bool
    limit: Callable[[int, int], Fraction]
    reaches: Callable[[int, int], bool]
    least: Callable[[Fraction], int | None]
    tolerated: Callable[[int], int | None] | None = None

    def printed(self, n: int, losses: int = 0) -> Fraction:
        """The limit, rounded against the claimant but not beyond a threshold that it reaches."""
        limit = self.limit(n, losses)
        if not self.reaches(n, losses):
            return limit
        return min(limit, self.threshold) if self.is_upper else max(limit, self.threshold)


def document_figures(reg: TypedRegistration) -> dict[str, Any]:
    """All figures of a complete registration, as JSON without floats."""
    figures: dict[str, Any] = {"places": PLACES, "errors": _errors(reg), "cost": _cost(reg)}
    if reg.has("target.score"):
        figures["recovery_line"] = number_text(reg.number("target.score") - reg.number("thresholds.epsilon"))
    if not reg.is_exhaustive:
        figures["outcome"] = _outcome(reg)
    if reg.is_evidence:
        margin = reg.number("thresholds.delta_evidence"), reg.number("thresholds.delta_sham")
        figures["margin"] = {
            "least": number_text(sum(margin)),
            "refuted_below": number_text(margin[0] - margin[1]),
        }
    for name, rule in _rules(reg).items():
        figures[name] = _gate(reg, name, rule)
    return figures


def _errors(reg: TypedRegistration) -> dict[str, str]:
    parts = [reg.number(p) for p in reg.entries if p.startswith("errors.") and p != "errors.total"]
    total, family = reg.number("errors.total"), reg.choice("family")
    return {
        "sum": number_text(sum(parts)),
        "unspent": number_text(total - sum(parts)),
        "family_spent": number_text(total * int(family.argument("audits"))),
        "score_each": number_text(reg.number("errors.score") / reg.count("gate.recovery.candidates")),
    }


def _cost(reg: TypedRegistration) -> dict[str, Any]:
    session = reg.plan.session_cost
    whole = Amount(session.number * reg.plan.sessions, session.unit)
    figures = {"session": json_value(session), "controls": json_value(whole)}
    most = reg.amount("budget.session.cost")
    if most != session:
        figures["at_most"] = json_value(Amount(most.number * reg.plan.sessions, most.unit))
    return figures


def _outcome(reg: TypedRegistration) -> dict[str, Any]:
    """Half-widths of Gate 1's interval by sample variance of the paired differences in [-1, 1]."""
    units, alpha = int(reg.choice("task.population").argument("units")), reg.number("errors.main")
    rows = [
        {
            "variance": number_text(v),
            "half_width": number_text(bernstein.half_width(units, v, alpha, places=PLACES)),
        }
        for v in (Fraction(0), Fraction(1, 100), Fraction(1, 25), Fraction(1, 10), Fraction(1, 4))
    ]
    return {"half_widths": rows}


def _rules(reg: TypedRegistration) -> dict[str, Rule]:
    rules = {"recovery": _recovery(reg, "gate.recovery.episodes", "errors.recovery", "thresholds.rho")}
    rules["adequacy"] = _adequacy(reg)
    if not reg.is_evidence:
        return rules
    if reg.choice("gate.feedback.utility") == Choice("recovers"):
        rules |= {"feedback": _feedback(reg), "null": _null(reg)}
    else:
        margin = reg.number("thresholds.delta_evidence") + reg.number("thresholds.delta_sham")
        rules["feedback"] = _continuous("gate.feedback.pairs", reg.number("errors.evidence"), 1 - margin)
        band = reg.number("thresholds.delta_sham")
        rules["null"] = _continuous("gate.feedback.null_pairs", reg.number("errors.sham"), band)
    if reg.choice("gate.feedback.necessity") == Choice("claimed"):
        rules["neutral"] = _recovery(reg, "gate.feedback.pairs", "errors.neutral", "thresholds.rho_placebo")
    return rules


def _recovery(reg: TypedRegistration, path: str, alpha_path: str, rho_path: str) -> Rule:
    alpha, rho = reg.number(alpha_path), reg.number(rho_path)
    return Rule(
        path,
        alpha,
        rho,
        True,
        lambda n, k: (
            bounds.clopper_pearson_upper(k, n, alpha, PLACES)
            if k
            else bounds.zero_failure_bound(n, alpha, PLACES)
        ),
        lambda n, k: bounds.ceiling_reaches(k, n, alpha, rho),
        lambda a: planning.least_episodes(a, rho),
    )


def _adequacy(reg: TypedRegistration) -> Rule:
    alpha, least = reg.number("errors.adequacy"), reg.number("thresholds.recall_min")
    return Rule(
        "gate.recovery.positive_controls",
        alpha,
        least,
        False,
        lambda n, k: bounds.clopper_pearson_lower(n - k, n, alpha, PLACES),
        lambda n, k: bounds.recall_reaches(n - k, n, alpha, least),
        lambda a: planning.least_positive_controls(a, least),
        lambda n: planning.tolerated_failures(n, alpha, least),
    )


def _feedback(reg: TypedRegistration) -> Rule:
    alpha = reg.number("errors.evidence")
    margin = reg.number("thresholds.delta_evidence") + reg.number("thresholds.delta_sham")
    return Rule(
        "gate.feedback.pairs",
        alpha,
        margin,
        False,
        lambda n, k: paired.paired_interval(n - k, 0, n, alpha, PLACES)[0],
        lambda n, k: paired.feedback_reaches(n - k, 0, n, alpha, margin),
        lambda a: planning.least_pairs(a, margin),
        lambda n: planning.tolerated_concordant(n, alpha, margin),
    )


def _null(reg: TypedRegistration) -> Rule:
    alpha, band = reg.number("errors.sham"), reg.number("thresholds.delta_sham")
    return Rule(
        "gate.feedback.null_pairs",
        alpha,
        band,
        True,
        lambda n, k: paired.paired_interval(k, 0, n, alpha, PLACES)[1],
        lambda n, k: paired.null_within(k, 0, n, alpha, band),
        lambda a: planning.least_null_pairs(a, band),
        lambda n: planning.tolerated_discordant(n, alpha, band),
    )


def _continuous(path: str, alpha: Fraction, target: Fraction) -> Rule:
    """The half-width at zero variance, the best case of a mean-score utility."""
    zero, width = Fraction(0), Fraction(2)
    return Rule(
        path,
        alpha,
        target,
        True,
        lambda n, k: bernstein.half_width(n, zero, alpha, width, PLACES),
        lambda n, k: bernstein.half_width_within(n, zero, alpha, width, target),
        lambda a: planning.least_units(zero, a, width, target),
    )


def _gate(reg: TypedRegistration, name: str, rule: Rule) -> dict[str, Any]:
    n, least = reg.count(rule.path), rule.least(rule.alpha)
    figures: dict[str, Any] = {
        "n": n,
        "threshold": number_text(rule.threshold),
        "limit": number_text(rule.printed(n)),
    }
    if least is not None:
        figures |= {"least": least, "limit_at_least": number_text(rule.printed(least))}
        if least > 2:
            figures |= {"below": least - 1, "limit_below": number_text(rule.printed(least - 1))}
    tolerated = rule.tolerated(n) if rule.tolerated else None
    if tolerated is not None:
        figures |= _tolerance(rule, n, tolerated)
    figures["sensitivity"] = _sensitivity(rule)
    if name in OPERATING:
        figures |= operating_rows(reg, name, n, rule.alpha, rule.threshold)
    return figures


def _tolerance(rule: Rule, n: int, tolerated: int) -> dict[str, Any]:
    figures = {"tolerated": tolerated, "limit_tolerated": number_text(rule.printed(n, tolerated))}
    if tolerated < n:
        figures |= {"one_more": tolerated + 1, "limit_one_more": number_text(rule.printed(n, tolerated + 1))}
    return figures


def _sensitivity(rule: Rule) -> list[dict[str, Any]]:
    """The least n had the gate's share of the error budget been smaller or larger, where it exists."""
    rows = []
    for share in SENSITIVITY:
        alpha = rule.alpha * share
        least = rule.least(alpha) if alpha < 1 else None
        rows.append({"share": number_text(share)} | ({"least": least} if least is not None else {}))
    return rows
