"""Textbook definitions in plain rationals: slow, obvious, and independent of the code under test."""

from fractions import Fraction
from math import comb

from hypothesis import settings

#: For laws: exact arithmetic has no steady pace, and each example is worth many float ones.
law = settings(deadline=None, max_examples=50)


def binomial(n: int, k: int, p: Fraction) -> Fraction:
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def lower_tail(n: int, k: int, p: Fraction) -> Fraction:
    return sum((binomial(n, j, p) for j in range(min(k, n) + 1)), start=Fraction(0))


def upper_tail(n: int, k: int, p: Fraction) -> Fraction:
    return sum((binomial(n, j, p) for j in range(max(k, 0), n + 1)), start=Fraction(0))


def limits(x: int, n: int, tail: Fraction, steps: int = 60) -> tuple[Fraction, Fraction]:
    """Clopper-Pearson (lower, upper) to within 2**-steps, by bisection of the defining equations."""
    low = _root(lambda p: upper_tail(n, x, p) <= tail, steps) if x else Fraction(0)
    high = 1 - _root(lambda q: lower_tail(n, x, 1 - q) <= tail, steps) if x < n else Fraction(1)
    return low, high


def _root(holds, steps: int) -> Fraction:
    """The greatest p of a dyadic grid with holds(p), true up to some point."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def paired(n10: int, n01: int, n: int, alpha: Fraction) -> tuple[Fraction, Fraction]:
    """The paired-binary interval to within 2**-58."""
    plus, minus = limits(n10, n, alpha / 4), limits(n01, n, alpha / 4)
    return plus[0] - minus[1], plus[1] - minus[0]
