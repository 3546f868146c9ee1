"""The cheapest design that fits the error budget and reaches an assurance under the expected truth.

Each gate offers, at every n, the designs at which one more loss becomes tolerable, with the price and the
power there: more tolerance costs error and buys assurance. Null pairs are offered as boxes (n10 and n01 both
<= k). The search is that of `solver` with a multiplier for each resource; prices and powers are floats in it,
one budget unit is added to every price, and a candidate's assurance is recomputed exactly before it is
accepted.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import count
from math import ceil, comb, floor, lcm, log
from typing import NamedTuple

from dcp_lang.stats.allocation import SCALE, shortest_alphas
from dcp_lang.stats.audit import Design, Thresholds, Truth, assurance
from dcp_lang.stats.estimate import natural_log, paired_price_estimate
from dcp_lang.stats.exact import lower_tail_estimate
from dcp_lang.stats.multipliers import both_multipliers
from dcp_lang.stats.planning import MAX_N
from dcp_lang.stats.search import least_true
from dcp_lang.stats.solver import Choice, Limits, Multipliers, Option, lower_bound, solve

#: (price, power) of one design as floats.
Offer = tuple[float, float]
_Offers = Callable[[int, float], Iterator[Offer]]

#: The search gives up when a design costs this much more than its lower bound, in units of the dearest gate.
_MOST_GAP = 512


class AssuredAllocation(NamedTuple):
    """An explicit allocation with its exact assurance under the expected truth (see `allocation`)."""

    design: Design
    cost: Fraction
    bound: Fraction
    spare: Fraction
    assurance: Fraction


def allocate_assured(
    total: Fraction,
    thresholds: Thresholds,
    truth: Truth,
    target: Fraction,
    costs: Mapping[str, Fraction],
    fixed: Mapping[str, Fraction] | None = None,
) -> AssuredAllocation | None:
    """The cheapest design of the gates in `costs` with assurance >= target, 0 < target < 1.

    `costs` gives the cost of one unit of each gate (recovery, adequacy, evidence, sham; a pair is two
    sessions), `fixed` the alphas of gates that take a token share. None when the truth does not clear a
    threshold, when p_B is so large that even the fewest challengers miss the target, or when the sizes leave
    the range of the search.
    """
    fixed = dict(fixed or {})
    available = total - sum(fixed.values())
    if available <= 0 or not _clears(thresholds, truth, costs):
        return None
    unit = lcm(*(cost.denominator for cost in costs.values()))
    limits = Limits(floor(available * SCALE), -natural_log(target))
    offers = _offers(thresholds, truth)
    curves = [_TradeCurve(offers[name], int(cost * unit), limits.budget) for name, cost in costs.items()]
    if (
        sum(curve.shortfall_at_low for curve in curves if curve.offers is offers.get("recovery"))
        > limits.allowance
    ):
        return None

    def design(choice: Choice) -> Design:
        chosen = dict(zip(costs, choice, strict=True))
        prices = {name: Fraction(option.price, SCALE) for name, option in chosen.items()}
        sizes = {name: option.n for name, option in chosen.items()}
        return Design(sizes, fixed | shortest_alphas(prices, available))

    def accept(choice: Choice) -> bool:
        return assurance(design(choice), thresholds, truth) >= target

    start = Multipliers(sum(curve.cost * curve.low for curve in curves) / limits.budget, 10.0 * unit)
    rates = both_multipliers(curves, limits, start)
    choice = solve(curves, limits, rates, accept, _MOST_GAP * max(curve.cost for curve in curves))
    if choice is None:
        return None
    found = design(choice)
    return AssuredAllocation(
        found,
        Fraction(sum(option.cost for option in choice), unit),
        Fraction(floor(lower_bound(curves, limits, rates) * 10**6), unit * 10**6),
        total - sum(found.alphas.values()),
        assurance(found, thresholds, truth),
    )


def _clears(thresholds: Thresholds, truth: Truth, gates: Mapping[str, Fraction]) -> bool:
    """Whether the truth is strictly better than what each gate asks, so that power tends to 1 with n."""
    evidence = truth.p10 - truth.p01 > thresholds.margin or "evidence" not in gates
    sham = max(truth.null_p10, truth.null_p01) < thresholds.band or "sham" not in gates
    return truth.hit_rate < thresholds.rho and truth.recall > thresholds.minimum and evidence and sham


class _TradeCurve:
    """One gate's designs in integer costs and budget units, n upward from the least that can pass."""

    def __init__(self, offers: _Offers, cost: int, budget: int) -> None:
        self.offers = offers
        self.cost = cost
        self.budget = budget
        self.low = least_true(lambda n: next(offers(n, budget / SCALE), None) is not None, 1, MAX_N, 1)
        self.options: Callable[[int], list[Option]] = cache(self._options)
        self.shortfall_at_low = min(option.shortfall for option in self.options(self.low))

    def _options(self, n: int) -> list[Option]:
        return [
            Option(n, self.cost * n, ceil(price * SCALE) + 1, price * SCALE, -log(power))
            for price, power in self.offers(n, (self.budget - 1) / SCALE)
            if power > 0
        ]

    def best(self, rates: Multipliers) -> Option:
        return min(self._scan(rates, 0.0), key=rates.reduced_cost)

    def menu(self, rates: Multipliers, gap: float) -> list[Option]:
        return self._scan(rates, gap)

    def _scan(self, rates: Multipliers, gap: float) -> list[Option]:
        """The options within `gap` of the least reduced cost; their cost alone bounds the sizes."""
        worths: list[tuple[float, Option]] = []
        least = float("inf")
        for n in count(self.low):
            if self.cost * n > least + gap:
                break
            for option in self.options(n):
                worth = rates.reduced_cost(option)
                least = min(least, worth)
                worths.append((worth, option))
        return [option for worth, option in worths if worth <= least + gap]


def _offers(thresholds: Thresholds, truth: Truth) -> dict[str, _Offers]:
    """By gate: the designs at n whose price is within a limit, price and power rising together."""

    def recovery(n: int, limit: float) -> Iterator[Offer]:
        price = lower_tail_estimate(n, 0, thresholds.rho)
        if price <= limit:
            yield price, float(1 - truth.hit_rate) ** n

    def adequacy(n: int, limit: float) -> Iterator[Offer]:
        power = 0.0
        for failures in range(n):
            price = lower_tail_estimate(n, failures, 1 - thresholds.minimum)
            if price > limit:
                return
            power += _chance(n, failures, float(1 - truth.recall))
            yield price, min(power, 1.0)

    def evidence(n: int, limit: float) -> Iterator[Offer]:
        power = 0.0
        for price, chance in sorted(_cells(n, limit, float(thresholds.margin), truth)):
            power += chance
            yield price, min(power, 1.0)

    def sham(n: int, limit: float) -> Iterator[Offer]:
        for k in range(n):
            price = 4 * lower_tail_estimate(n, k, thresholds.band)
            if price > limit:
                return
            yield price, _box(n, k, float(truth.null_p10), float(truth.null_p01))

    return {"recovery": recovery, "adequacy": adequacy, "evidence": evidence, "sham": sham}


def _cells(n: int, limit: float, margin: float, truth: Truth) -> Iterator[Offer]:
    """Price and probability of every feedback outcome whose price is within the limit."""
    p10, p01 = float(truth.p10), float(truth.p01)
    for reversed_ in range(n):
        for concordant in range(n - reversed_):
            price = paired_price_estimate(n, concordant, reversed_, margin)
            if price > limit:
                break
            chance = _chance(n, reversed_, p01) if p01 < 1 else 0.0
            rest = n - reversed_
            yield price, chance * _chance(rest, concordant, (1 - p10 - p01) / (1 - p01))
        if concordant == 0:
            return


def _chance(n: int, k: int, rate: float) -> float:
    """Pr(Bin(n, rate) = k) in floats."""
    return comb(n, k) * rate**k * (1 - rate) ** (n - k)


def _box(n: int, k: int, p10: float, p01: float) -> float:
    """Pr(n10 <= k and n01 <= k) in floats, p01 < 1."""
    total = 0.0
    for n01 in range(k + 1):
        inner = sum(_chance(n - n01, n10, p10 / (1 - p01)) for n10 in range(min(k, n - n01) + 1))
        total += _chance(n, n01, p01) * inner
    return min(total, 1.0)
