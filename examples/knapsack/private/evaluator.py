"""Private evaluator of the knapsack audit: sealed markets, legality, and the score. Arithmetic is exact."""

import json
from fractions import Fraction
from hashlib import sha256
from math import ceil
from pathlib import Path

from dcp_lang.integrations.task import Score

INSTANCE = json.loads((Path(__file__).parents[1] / "workspace" / "instance.json").read_text())
ITEMS = {item["item"]: item for item in INSTANCE["items"]}
CAPACITIES = INSTANCE["capacities"]
#: Sealed: an item's worth differs from its catalogue value by up to so many percent in every market, and by
#: so many more in one market.
LASTING, PASSING = 20, 5
MARKETS = tuple(f"market-{number:02d}" for number in range(1, 11))
#: The market whose prices a truthful experiment shows; it is not among the sealed ones.
PILOT = "pilot"
#: Packings that one submission may hold; its score is that of the better one.
AT_MOST = 2


def price(item: str, market: str) -> Fraction:
    """Worth in a market: the catalogue value moved by the item's lasting and the market's passing shift."""
    percent = 100 + _shift(item, LASTING) + _shift(f"{market} {item}", PASSING)
    return Fraction(percent, 100) * ITEMS[item]["value"]


def _shift(label: str, spread: int) -> int:
    digest = sha256(f"knapsack, sealed: {label}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % (2 * spread + 1) - spread


def bound(market: str) -> Fraction:
    """No packing is worth more: the least of the fractional (Dantzig) bounds of the single capacities."""
    return min(_fractional_bound(market, resource) for resource in CAPACITIES)


def _fractional_bound(market: str, resource: str) -> Fraction:
    left, worth = Fraction(CAPACITIES[resource]), Fraction(0)
    for name in sorted(ITEMS, key=lambda name: price(name, market) / ITEMS[name][resource], reverse=True):
        share = min(Fraction(1), left / ITEMS[name][resource])
        worth += share * price(name, market)
        left -= share * ITEMS[name][resource]
    return worth


#: What a score is a share of, in every sealed market: the least multiple of ten above their bounds. One round
#: number keeps every score a short exact fraction.
SCALE = 10 * ceil(max(map(bound, MARKETS)) / 10)


def check(packing: object) -> list[str]:
    """The packing, when it is legal: distinct known items within every capacity. ValueError otherwise."""
    if not isinstance(packing, list) or not all(isinstance(name, str) and name in ITEMS for name in packing):
        raise ValueError("a packing is a list of items of the instance")
    if len(set(packing)) < len(packing):
        raise ValueError("an item is packed twice")
    for resource, capacity in CAPACITIES.items():
        if sum(ITEMS[name][resource] for name in packing) > capacity:
            raise ValueError(f"{resource} is over its capacity")
    return packing


def scores(packing: list[str]) -> tuple[Fraction, ...]:
    """Worth of a legal packing in every sealed market, as a share of what no packing exceeds."""
    return tuple(sum(price(name, market) for name in packing) / SCALE for market in MARKETS)


def evaluate(data: bytes) -> Score:
    """Score a committed submission.json: that of the better of its one or two legal packings."""
    try:
        best = max((scores(packing) for packing in packings(data)), key=sum)
    except (ValueError, RecursionError) as error:
        return Score.invalid(str(error))
    return Score(dict(zip(MARKETS, best, strict=True)))


def packings(data: bytes) -> list[list[str]]:
    """The packings of a submission. ValueError when one is illegal or their number is not 1 or 2."""
    document = json.loads(data)
    if not isinstance(document, dict) or set(document) != {"packings"}:
        raise ValueError("a submission is an object with packings")
    listed = document["packings"]
    if not isinstance(listed, list) or not 1 <= len(listed) <= AT_MOST:
        raise ValueError("a submission holds one or two packings")
    return [check(packing) for packing in listed]
