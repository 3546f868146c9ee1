"""Certified enclosures of upper Clopper-Pearson limits, for decisions on many outcomes of the same n.

pU(j) solves Pr(Bin(n, p) <= j) = tail. The left side falls with p and its logarithm is concave, since it is the
survival function of a beta distribution with parameters >= 1, whose density is log-concave (Bagnoli and Bergstrom
2005, theorems 3 and 6). So from a point p below the limit the tangent overtakes it: pU(j) - p <= (ratio - 1) / slope,
with ratio = Pr(Bin(n, p) <= j) / tail and slope = (n - j) Pr(X = j) / ((1 - p) Pr(X <= j)).
"""

from fractions import Fraction
from functools import lru_cache

from dcp_lang.stats.binomial import coefficient, ratio
from dcp_lang.stats.enclosure import Enclosure, enclose_ratio, multiply, power
from dcp_lang.stats.estimate import upper_estimate

#: Limits are multiples of 2**-BITS; probabilities on the way have `_WIDE` bits.
BITS, _WIDE = 60, 84
#: How many bits of the ratio are certain at first sight, and when a decision needs more.
_FAIR, _CLOSE = 18, 40
ONE = 1 << BITS
#: The share of the distance of two limits, as a power of 1/2, by which an estimate is lowered, far above its error.
_NEAR, _FINE = 6, 28
#: From here on three limits in a row foretell the next one to a small part of their distance.
_SMOOTH = 8


class UpperLimits:
    """pU(j) of n trials with error `tail` < 1/4 on the one side; enclosures (low, high) in units of 2**-BITS."""

    def __init__(self, n: int, tail: Fraction) -> None:
        self.n = n
        self.tail = tail
        self._known: dict[int, tuple[int, int]] = {}
        self._ways: dict[int, Enclosure] = {}

    def __call__(self, j: int) -> tuple[int, int]:
        """The enclosure of pU(j), 0 <= j <= n, narrow against the distance of pU(j + 1); pU(n) is 1."""
        known = self._known
        if j in known:
            return known[j]
        found = (ONE, ONE) if j >= self.n else None
        for side in (1, -1):
            if found is None and j >= _SMOOTH and j + 3 * side in known and j + side in known:
                near, next_, far = (known.get(j + i * side, (0, 0))[1] for i in (1, 2, 3))
                found = self._enclose(j, 3 * (near - next_) + far - (abs(near - next_) >> _NEAR), _FAIR)
        known[j] = found or self._estimated(j, 1e-3, _NEAR, _FAIR)
        return known[j]

    def narrow(self, j: int) -> tuple[int, int]:
        """The enclosure made as narrow as an estimate allows."""
        if j < self.n:
            self._known[j] = self._estimated(j, 1e-7, _FINE, _CLOSE)
        return self(j)

    def _estimated(self, j: int, error: float, share: int, close: int) -> tuple[int, int]:
        """The enclosure from an estimate with this square root of an error, lowered by a share of the distance."""
        guess = int(upper_estimate(j, self.n, self.tail, error) * ONE)
        step = (guess // (j + 1) >> share) + 4
        while (found := self._enclose(j, max(guess - step, 1), close)) is None:
            step *= 16
        return found

    def _enclose(self, j: int, low: int, close: int) -> tuple[int, int] | None:
        """The enclosure that begins at `low`, if that certainly is below the limit."""
        if not 0 < low < ONE:
            return None
        n, p = self.n, Fraction(low, ONE)
        ratios = ratio(n, j, p, _WIDE, close)
        chance = multiply(power(p, j, _WIDE), power(1 - p, n - j, _WIDE), _WIDE)
        chance = multiply(multiply(chance, self._coefficient(j), _WIDE), ratios, _WIDE)
        up, down = self.tail.numerator << -chance.exponent, self.tail.denominator
        if chance.low * down < up:
            return None
        excess = (chance.high * down - up) * (ONE - low) * ratios.high
        return low, min(low + 1 + excess // (up * (n - j) << -ratios.exponent), ONE)

    def _coefficient(self, j: int) -> Enclosure:
        """C(n, j), from a neighbour where that is known."""
        n, ways = self.n, self._ways
        if j - 1 in ways:
            ways[j] = multiply(ways[j - 1], enclose_ratio(n - j + 1, j, _WIDE), _WIDE)
        elif j + 1 in ways:
            ways[j] = multiply(ways[j + 1], enclose_ratio(j + 1, n - j, _WIDE), _WIDE)
        elif j not in ways:
            ways[j] = coefficient(n, min(j, n - j), _WIDE)
        return ways[j]


#: Limits of one number of trials serve several regions.
upper_limits = lru_cache(maxsize=512)(UpperLimits)
