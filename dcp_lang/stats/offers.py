"""The designs a gate offers at n: each tolerance with its price and the power it buys, as floats.

More tolerance costs error and buys assurance, so price and power rise together. Null pairs are offered as
boxes (n10 and n01 both <= k). The floats feed a search whose results are recomputed exactly.
"""

from collections.abc import Callable, Iterator
from math import comb

from dcp_lang.stats.audit import Thresholds, Truth
from dcp_lang.stats.estimate import paired_price_estimate
from dcp_lang.stats.exact import lower_tail_estimate

#: (price, power) of one design.
Offer = tuple[float, float]
#: The offers at n whose price is within a limit.
Offers = Callable[[int, float], Iterator[Offer]]


def offers_by_gate(thresholds: Thresholds, truth: Truth) -> dict[str, Offers]:
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
    """Price and probability of every feedback outcome whose price is within the limit; p01 < 1."""
    p10, p01 = float(truth.p10), float(truth.p01)
    for reversed_ in range(n):
        for concordant in range(n - reversed_):
            price = paired_price_estimate(n, concordant, reversed_, margin)
            if price > limit:
                break
            rest = _chance(n - reversed_, concordant, (1 - p10 - p01) / (1 - p01))
            yield price, _chance(n, reversed_, p01) * rest
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
