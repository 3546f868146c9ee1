"""Certificates: what a reader needs to recheck a sample size with whole numbers.

A certificate holds the inequality that makes the least n pass and the one that makes n - 1 fail, the achieved
bound rounded in the conservative direction, and the verdict of the audit kernel's own float formula.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from dcp_lang.canonical import number_text
from dcp_lang.stats import inequality, kernel_floats, planning
from dcp_lang.stats.bernstein import half_width
from dcp_lang.stats.bounds import clopper_pearson_lower, zero_failure_bound
from dcp_lang.stats.inequality import Inequality
from dcp_lang.stats.paired import paired_interval

#: How far above the least n the kernel's floats may still disagree; only exact ties ever need the next n.
_KERNEL_REACH = 16


class Certificate(NamedTuple):
    """The certificate of one sample size.

    rule, side, tail: which bound, on which side, with which share of alpha. n: the least n; `at_n` holds
    there and `below` shows that n - 1 fails (empty when n - 1 has no such outcome). planned: the n of the
    plan, with its achieved `bound`, rounded conservatively, to be compared with `threshold`. kernel_agrees:
    the kernel's verdict at the planned n, None when only the kernel itself can tell. used: the least n at
    which the exact rule and the kernel pass, None if none is near.
    """

    rule: str
    side: str
    tail: str
    alpha: Fraction
    threshold: Fraction
    n: int
    at_n: tuple[Inequality, ...]
    below: tuple[Inequality, ...]
    planned: int
    bound: Fraction
    kernel_agrees: bool | None
    used: int | None

    @property
    def inequality_at_n(self) -> str:
        return " and ".join(part.text for part in self.at_n)

    @property
    def inequality_below(self) -> str:
        return " and ".join(part.text for part in self.below)

    def to_json(self) -> dict[str, object]:
        """Ready for JSON: integers as numbers, every other number in the one spelling of its value."""
        plain = {
            name: number_text(value) if isinstance(value, Fraction) else value
            for name, value in self._asdict().items()
            if name not in ("at_n", "below")
        }
        return plain | {
            "at_n": [part.to_json() for part in self.at_n],
            "below": [part.to_json() for part in self.below],
        }


def certify_episodes(alpha: Fraction, rho: Fraction, planned: int | None = None) -> Certificate | None:
    """The zero-failure bound: planned (or the least) challengers without a hit bound p_B by rho."""
    rule = _Rule(
        ("zero-failure bound", "one-sided upper", "alpha"),
        alpha,
        rho,
        lambda n: (inequality.lower_tail(n, 0, rho, alpha),),
        lambda n: zero_failure_bound(n, alpha),
        lambda n: kernel_floats.zero_hit_verdict(n, alpha, rho),
    )
    return _certify(rule, planning.least_episodes(alpha, rho), planned)


def certify_positive_controls(
    alpha: Fraction, minimum: Fraction, failures: int = 0, planned: int | None = None
) -> Certificate | None:
    """Clopper-Pearson: planned (or the least) controls with these failures reach the minimum recall."""
    rule = _Rule(
        ("Clopper-Pearson", "one-sided lower", "alpha"),
        alpha,
        minimum,
        lambda n: (inequality.upper_tail(n, n - failures, minimum, alpha),),
        lambda n: clopper_pearson_lower(n - failures, n, alpha),
        lambda n: kernel_floats.recall_verdict(n - failures, n, alpha, minimum),
        max(1, failures),
    )
    return _certify(rule, planning.least_positive_controls(alpha, minimum, failures), planned)


def certify_pairs(
    alpha: Fraction, margin: Fraction, concordant: int = 0, reversed_: int = 0, planned: int | None = None
) -> Certificate | None:
    """Paired-binary interval: planned (or the least) feedback pairs with these losses reach the margin."""
    lost = concordant + reversed_
    rule = _Rule(
        ("paired Clopper-Pearson", "two-sided, lower limit", "alpha/4"),
        alpha,
        margin,
        lambda n: inequality.separation(n - lost, reversed_, n, alpha, margin)[1],
        lambda n: paired_interval(n - lost, reversed_, n, alpha)[0],
        lambda n: kernel_floats.feedback_verdict(n - lost, reversed_, n, alpha, margin),
        max(1, lost),
    )
    return _certify(rule, planning.least_pairs(alpha, margin, concordant, reversed_), planned)


def certify_null_pairs(
    alpha: Fraction, band: Fraction, n10: int = 0, n01: int = 0, planned: int | None = None
) -> Certificate | None:
    """Paired-binary interval: planned (or the least) null pairs with these discordances stay inside the band.

    `bound` is the larger distance of a limit from 0. The interval need not be monotone in n; every n below
    the least one has been excluded, n - 1 is the one shown.
    """
    rule = _Rule(
        ("paired Clopper-Pearson", "two-sided, both limits", "alpha/4"),
        alpha,
        band,
        lambda n: inequality.inside(n10, n01, n, alpha, band),
        lambda n: max(map(abs, paired_interval(n10, n01, n, alpha))),
        lambda n: kernel_floats.null_verdict(n10, n01, n, alpha, band),
        max(1, n10 + n01),
    )
    return _certify(rule, planning.least_null_pairs(alpha, band, n10, n01), planned)


def certify_continuous_pairs(
    alpha: Fraction, target: Fraction, planned: int | None = None
) -> Certificate | None:
    """Empirical Bernstein with zero variance: planned (or the least) pairs have a half-width <= target."""
    zero, width = Fraction(0), Fraction(2)
    rule = _Rule(
        ("empirical Bernstein", "two-sided", "alpha/2"),
        alpha,
        target,
        lambda n: (inequality.zero_variance_half_width(n, alpha, target),),
        lambda n: half_width(n, zero, alpha, width),
        lambda n: kernel_floats.half_width_verdict(n, zero, alpha, width, target),
        2,
    )
    return _certify(rule, planning.continuous_null_pairs(alpha, target), planned)


class _Rule(NamedTuple):
    """What differs between the rules: names, and by n the inequalities, the bound, the kernel's verdict."""

    names: tuple[str, str, str]
    alpha: Fraction
    threshold: Fraction
    inequalities: Callable[[int], tuple[Inequality, ...]]
    bound: Callable[[int], Fraction]
    kernel: Callable[[int], bool | None]
    first: int = 1


def _certify(rule: _Rule, least: int | None, planned: int | None) -> Certificate | None:
    if least is None:
        return None
    n = least if planned is None else planned
    agreed = (m for m in range(least, least + _KERNEL_REACH) if rule.kernel(m) is not False)
    below = rule.inequalities(least - 1) if least > rule.first else ()
    return Certificate(
        *rule.names,
        rule.alpha,
        rule.threshold,
        least,
        rule.inequalities(least),
        below,
        n,
        rule.bound(n),
        rule.kernel(n),
        next(agreed, None),
    )
