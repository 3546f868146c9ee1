"""How each gate decides at n: one value per gate, made of the exact decisions of `dcp_lang.stats`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from dcp_lang.language.values import Choice
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.stats import bernstein, bounds, paired, planning

#: Decimals of a printed limit.
PLACES = 6
#: Paired differences of scores lie in [-1, 1].
_WIDTH = Fraction(2)


class Rule(NamedTuple):
    """A gate at its registered error and threshold.

    `limit` and `reaches` take n and the number of losses: hits, failed controls, pairs that do not favour
    truthful feedback, discordant null pairs. `binomial` says that a truth is a probability of loss, so that
    an operating characteristic exists.
    """

    path: str
    alpha: Fraction
    threshold: Fraction
    is_upper: bool
    limit: Callable[[int, int], Fraction]
    reaches: Callable[[int, int], bool]
    least: Callable[[Fraction], int | None]
    tolerated: Callable[[int], int | None] | None = None
    binomial: bool = False

    def printed(self, n: int, losses: int = 0) -> Fraction:
        """The limit, rounded against the claimant but not beyond a threshold that it reaches."""
        limit = self.limit(n, losses)
        if not self.reaches(n, losses):
            return limit
        return min(limit, self.threshold) if self.is_upper else max(limit, self.threshold)


def gate_rules(reg: TypedRegistration) -> dict[str, Rule]:
    """The rules of a registration's gates, by name."""
    rules = {"recovery": _recovery(reg), "adequacy": _adequacy(reg)}
    if not reg.is_evidence:
        return rules
    is_binary = reg.choice("gate.feedback.utility") == Choice("recovers")
    rules |= {"feedback": _feedback(reg), "null": _null(reg)} if is_binary else _continuous(reg)
    if reg.choice("gate.feedback.necessity") == Choice("claimed"):
        rules["neutral"] = _neutral(reg)
    return rules


def _recovery(reg: TypedRegistration) -> Rule:
    rho = reg.number("thresholds.rho")
    return _no_hits("gate.recovery.episodes", reg.number("errors.recovery"), rho)._replace(binomial=True)


def _neutral(reg: TypedRegistration) -> Rule:
    rho = reg.number("thresholds.rho_placebo")
    return _no_hits("gate.feedback.pairs", reg.number("errors.neutral"), rho)


def _no_hits(path: str, alpha: Fraction, rho: Fraction) -> Rule:
    """The zero-failure bound; no hit is tolerated."""
    return Rule(
        path=path,
        alpha=alpha,
        threshold=rho,
        is_upper=True,
        limit=lambda n, _: bounds.zero_failure_bound(n, alpha, PLACES),
        reaches=lambda n, _: bounds.zero_failure_reaches(n, alpha, rho),
        least=lambda error: planning.least_episodes(error, rho),
    )


def _adequacy(reg: TypedRegistration) -> Rule:
    alpha, minimum = reg.number("errors.adequacy"), reg.number("thresholds.recall_min")
    return Rule(
        path="gate.recovery.positive_controls",
        alpha=alpha,
        threshold=minimum,
        is_upper=False,
        limit=lambda n, failed: bounds.clopper_pearson_lower(n - failed, n, alpha, PLACES),
        reaches=lambda n, failed: bounds.recall_reaches(n - failed, n, alpha, minimum),
        least=lambda error: planning.least_positive_controls(error, minimum),
        tolerated=lambda n: planning.tolerated_failures(n, alpha, minimum),
        binomial=True,
    )


def margin(reg: TypedRegistration) -> Fraction:
    """What the lower limit of the feedback effect must reach: δ_evidence + δ_sham."""
    return reg.number("thresholds.delta_evidence") + reg.number("thresholds.delta_sham")


def _feedback(reg: TypedRegistration) -> Rule:
    alpha, least = reg.number("errors.evidence"), margin(reg)
    return Rule(
        path="gate.feedback.pairs",
        alpha=alpha,
        threshold=least,
        is_upper=False,
        limit=lambda n, lost: paired.paired_interval(n - lost, 0, n, alpha, PLACES)[0],
        reaches=lambda n, lost: paired.feedback_reaches(n - lost, 0, n, alpha, least),
        least=lambda error: planning.least_pairs(error, least),
        tolerated=lambda n: planning.tolerated_concordant(n, alpha, least),
        binomial=True,
    )


def _null(reg: TypedRegistration) -> Rule:
    alpha, band = reg.number("errors.sham"), reg.number("thresholds.delta_sham")
    return Rule(
        path="gate.feedback.null_pairs",
        alpha=alpha,
        threshold=band,
        is_upper=True,
        limit=lambda n, discordant: paired.paired_interval(discordant, 0, n, alpha, PLACES)[1],
        reaches=lambda n, discordant: paired.null_within(discordant, 0, n, alpha, band),
        least=lambda error: planning.least_null_pairs(error, band),
        tolerated=lambda n: planning.tolerated_discordant(n, alpha, band),
        binomial=True,
    )


def _continuous(reg: TypedRegistration) -> dict[str, Rule]:
    """The rules of a mean-score utility: half-widths, in the best case of no variance."""
    return {
        "feedback": _half_width("gate.feedback.pairs", reg.number("errors.evidence"), 1 - margin(reg)),
        "null": _half_width(
            "gate.feedback.null_pairs", reg.number("errors.sham"), reg.number("thresholds.delta_sham")
        ),
    }


def _half_width(path: str, alpha: Fraction, target: Fraction) -> Rule:
    zero = Fraction(0)
    return Rule(
        path=path,
        alpha=alpha,
        threshold=target,
        is_upper=True,
        limit=lambda n, _: bernstein.half_width(n, zero, alpha, _WIDTH, PLACES),
        reaches=lambda n, _: bernstein.half_width_within(n, zero, alpha, _WIDTH, target),
        least=lambda error: planning.least_units(zero, error, _WIDTH, target),
    )
