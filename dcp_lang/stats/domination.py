"""Designs that do at least as well as a reference design whatever the truth is.

A design with fewer sessions that tolerates every outcome the reference tolerates passes whenever the
reference does: drop the extra sessions of the reference, and what is lost among the rest is still tolerated.
So its probability of passing is at least that of the reference for every truth, with no assumption to defend.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

from dcp_lang.stats.allocation import SCALE, Gate
from dcp_lang.stats.audit import Design, Thresholds
from dcp_lang.stats.planning import tolerated_failures
from dcp_lang.stats.prices import Price, feedback_price, null_price, recall_price, zero_hit_price
from dcp_lang.stats.regions import feedback_region, null_region
from dcp_lang.stats.search import least_true


def dominating_gates(
    reference: Design, thresholds: Thresholds, costs: Mapping[str, Fraction]
) -> dict[str, Gate]:
    """Gates for `allocate` that tolerate all the reference tolerates, with no more sessions in any of them.

    Every gate of the reference must be able to pass with its alpha and size.
    """
    prices = _prices(reference, thresholds)
    return {name: Gate(prices[name], costs[name], n) for name, n in reference.sizes.items()}


def snapped(reference: Design, thresholds: Thresholds) -> Design:
    """The reference at unchanged alphas with every size lowered to the peak of its saw-tooth: same tolerances."""
    sizes = {}
    for name, price in _prices(reference, thresholds).items():
        sizes[name] = _least_affordable(price, reference.alphas[name], reference.sizes[name])
    return Design(sizes, reference.alphas)


def _least_affordable(price: Price, alpha: Fraction, most: int) -> int:
    return least_true(lambda n: price.units(n, SCALE) <= alpha * SCALE, price.first_n, most)


def _prices(reference: Design, thresholds: Thresholds) -> dict[str, Price]:
    """By gate, the price of tolerating what the reference tolerates."""
    return {
        name: _TOLERATING[name](n, reference.alphas[name], thresholds) for name, n in reference.sizes.items()
    }


def _feedback(n: int, alpha: Fraction, thresholds: Thresholds) -> Price:
    """The worst concordant count for every tolerated number of reversed pairs."""
    region = feedback_region(n, alpha, thresholds.margin)
    losses = tuple((n - n01 - least, n01) for n01, (least, _) in enumerate(region))
    return feedback_price(thresholds.margin, losses)


def _null(n: int, alpha: Fraction, thresholds: Thresholds) -> Price:
    """The box up to the greatest tolerated count, so that fewer discordant pairs are tolerated too."""
    return null_price(thresholds.band, len(null_region(n, alpha, thresholds.band)) - 1)


def _recall(n: int, alpha: Fraction, thresholds: Thresholds) -> Price:
    return recall_price(thresholds.minimum, tolerated_failures(n, alpha, thresholds.minimum) or 0)


_TOLERATING: dict[str, Callable[[int, Fraction, Thresholds], Price]] = {
    "recovery": lambda n, alpha, thresholds: zero_hit_price(thresholds.rho),
    "adequacy": _recall,
    "evidence": _feedback,
    "sham": _null,
}
