"""Float estimates that start a search.

Nothing here decides: a poor estimate costs time, never a wrong answer.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import exp, expm1, floor, lgamma, log, log1p, sqrt

#: Ratios are not formed beyond this: Pr(X <= x) is 1 where Pr(X = x) is so small a part of it.
_MOST = 1e280


def natural_log(value: Fraction) -> float:
    """ln of a positive rational, even where float(value) would underflow."""
    return log(value.numerator) - log(value.denominator)


def log_of_rest(rho: Fraction) -> float:
    """ln(1 - rho) for 0 < rho < 1, never 0."""
    return natural_log(1 - rho) if rho > Fraction(1, 10**9) else -max(float(rho), 1e-300)


@lru_cache(maxsize=4096)
def upper_estimate(x: int, n: int, alpha: Fraction, close: float = 1e-15) -> float:
    """The upper Clopper-Pearson bound by Newton's method on the log tail in t = -ln(1-p).

    d ln Pr(X <= x) / dt = (x - n) Pr(X = x) / Pr(X <= x); for x = 0 this is constant and one step ends.
    The search stops at a step below `close`, whose square then is the error.
    """
    if x >= n or alpha <= 0:
        return 1.0
    goal = natural_log(alpha)
    t = -log1p(-_wilson(x, n, goal))
    ways = lgamma(n + 1) - lgamma(x + 1) - lgamma(n - x + 1)
    for _ in range(40):
        ratios = _ratio(x, n, t)
        excess = ways + x * log(-expm1(-t)) - (n - x) * t + log(ratios) - goal
        step = excess * ratios / (n - x)
        t = min(max(t / 2, t + step), 700.0)
        if abs(step) < close * t:
            break
    return -expm1(-t)


def _wilson(x: int, n: int, goal: float) -> float:
    """Wilson's upper limit for a tail of exp(goal): where the search starts."""
    twice = max(-2.0 * goal, 1.0)
    square = max(twice - log(6.28 * twice), 0.25)
    return (x + square / 2 + sqrt(square * (x * (1 - x / n) + square / 4)) + 1) / (n + square + 2)


def count_estimate(n: int, alpha: Fraction, ceiling: Fraction) -> int:
    """About the most events in n whose upper Clopper-Pearson bound is still at most the ceiling; 0 where none is."""
    if not 0 < ceiling < 1:
        return 0 if ceiling <= 0 else n
    rate, goal = float(ceiling), natural_log(alpha)
    low, high = 0, min(n - 1, floor(n * rate))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if log_tail(middle, n)(rate) <= goal else (low, middle - 1)
    return low


def _ratio(x: int, n: int, t: float) -> float:
    """Pr(X <= x) / Pr(X = x) at p = 1 - exp(-t): the continued fraction of `binomial` below the mean."""
    p = -expm1(-t)
    return _ratio_sum(x, n, t) if x <= 24 or x >= n * p else (n - x) * p / _fraction(x, n, p)


def _fraction(x: int, n: int, p: float) -> float:
    """b1 + a2 / (b2 + ...) by Lentz's method, until it stands still."""
    a, rest, excess = n - x, 1.0 - p, (n + 1) * p - x
    value = a / (a + 1) * excess
    c, d = value, 0.0
    for j in range(1, x + 1):
        below = a + 2 * j - 1
        top = (a + j - 1) / below * (n + j) / below * j * (x + 1 - j) * rest * rest
        bottom = j + j * (x + 1 - j) / below * rest + (a + j) / (below + 2) * (excess + j * (1.0 + p))
        d = 1.0 / (bottom + top * d)
        c = bottom + top / c
        value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value


def _ratio_sum(x: int, n: int, t: float) -> float:
    """The same by adding up the terms, cut where they no longer matter."""
    odds = exp(-t) / -expm1(-t)
    total = term = 1.0
    for j in range(x, 0, -1):
        term *= odds * j / (n - j + 1)
        total += term
        if term < 1e-17 * total or total > _MOST:
            break
    return total


def log_tail(x: int, n: int) -> Callable[[float], float]:
    """rate -> ln Pr(Bin(n, rate) <= x), for 0 < rate < 1 and 0 <= x < n."""
    ways = lgamma(n + 1) - lgamma(x + 1) - lgamma(n - x + 1)

    def at(rate: float) -> float:
        t = -log1p(-rate)
        ratios = _ratio(x, n, t)
        return ways + x * log(rate) - (n - x) * t + log(ratios) if ratios < _MOST else 0.0

    return at


def paired_price_estimate(n: int, concordant: int, reversed_: int, margin: float) -> float:
    """The least alpha at which n pairs with these losses reach the margin: 4 min over c of the larger tail.

    The tail of the truthful side grows with c and the other falls, so the minimum is where they cross; false
    position with the Illinois correction finds it.
    """
    lost = concordant + reversed_
    if lost >= n:
        return 1.0
    truthful, reverse = log_tail(lost, n), log_tail(reversed_, n)
    low, high = 1e-9 * (1.0 - margin), (1.0 - 1e-9) * (1.0 - margin)
    at_low, at_high = (truthful(1.0 - margin - c) - reverse(c) for c in (low, high))
    if not at_low < 0 < at_high:
        return 1.0
    c = low
    for _ in range(100):
        c = high - at_high * (high - low) / (at_high - at_low)
        value = truthful(1.0 - margin - c) - reverse(c)
        if value < 0:
            low, at_low, at_high = c, value, at_high / 2
        else:
            high, at_high, at_low = c, value, at_low / 2
        if abs(value) < 1e-14 or high - low < 1e-15:
            break
    return 4.0 * exp(reverse(c))
