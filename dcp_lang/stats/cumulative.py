"""Cumulative binomial probabilities along a path of neighbouring numbers of trials and counts.

From one to the next they change by one term, so a step costs a few multiplications however large n is. Every number is
an enclosure (low, high) in units of 2**-bits, rounded outward.
"""

from fractions import Fraction

from dcp_lang.stats.binomial import lower_tail, term
from dcp_lang.stats.enclosure import Enclosure

#: Numbers on the way have this many bits more than those asked for, and this many fewer than where they start.
GUARD, START = 32, 64
#: An enclosure that has become 2**_WIDE units wide is taken afresh.
_WIDE = 26
#: From this many steps on a probability is taken afresh.
_FAR = 400


class Cumulative:
    """Pr(Bin(m, p) <= x) for m and x that change little from call to call."""

    def __init__(self, p: Fraction, bits: int) -> None:
        self.p = p
        self.bits = bits
        self.hit, self.miss = p.numerator, p.denominator - p.numerator
        self.m = self.x = -1
        self.term = self.sum = (0, 0)

    def at(self, m: int, x: int) -> tuple[int, int]:
        """The enclosure; exact where it is 0 or 1."""
        if not 0 <= x < m or self.p in (0, 1):
            certain = x >= m or (x >= 0 and self.p == 0)
            return (certain << self.bits, certain << self.bits)
        if self.m < 0 or abs(self.m - m) + abs(self.x - x) > _FAR:
            self._start(m, x)
        self._walk(m, x)
        if self.sum[1] - self.sum[0] > 1 << _WIDE:
            self._start(m, x)
        return self.sum

    def _start(self, m: int, x: int) -> None:
        bits = self.bits + START
        self.m, self.x = m, x
        self.term = units(term(m, x, self.p, bits), self.bits)
        if x < m * self.p:
            self.sum = units(lower_tail(m, x, self.p, bits), self.bits)
        else:
            low, high = units(lower_tail(m, m - x - 1, 1 - self.p, bits), self.bits)
            self.sum = ((1 << self.bits) - high, (1 << self.bits) - low)

    def _walk(self, m: int, x: int) -> None:
        """First down in x, then along m, then up in x, so that x < m all the way."""
        while self.x > x:
            self.sum = (self.sum[0] - self.term[1], self.sum[1] - self.term[0])
            self.term = scaled(self.term, self.x * self.miss, (self.m - self.x + 1) * self.hit)
            self.x -= 1
        while self.m > m:
            self.term = scaled(self.term, (self.m - self.x) * (self.hit + self.miss), self.m * self.miss)
            self.m -= 1
            low, high = scaled(self.term, self.hit, self.hit + self.miss)
            self.sum = (self.sum[0] + low, self.sum[1] + high)
        while self.m < m:
            low, high = scaled(self.term, self.hit, self.hit + self.miss)
            self.sum = (self.sum[0] - high, self.sum[1] - low)
            self.m += 1
            self.term = scaled(self.term, self.m * self.miss, (self.m - self.x) * (self.hit + self.miss))
        while self.x < x:
            self.term = scaled(self.term, (self.m - self.x) * self.hit, (self.x + 1) * self.miss)
            self.x += 1
            self.sum = (self.sum[0] + self.term[0], self.sum[1] + self.term[1])


def scaled(value: tuple[int, int], up: int, down: int) -> tuple[int, int]:
    """The enclosure times up / down >= 0."""
    return value[0] * up // down, -(-value[1] * up // down)


def units(value: Enclosure, bits: int) -> tuple[int, int]:
    """The ends in units of 2**-bits."""
    shift = value.exponent + bits
    if shift >= 0:
        return value.low << shift, value.high << shift
    return value.low >> -shift, -(-value.high >> -shift)
