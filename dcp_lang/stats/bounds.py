"""One-sided exact bounds on a single success probability: the zero-failure bound and Clopper-Pearson.

Each bound has a decision (`..._reaches`: is the bound on the right side of a threshold, exactly) and a
printable value, a decimal with `places` digits rounded so that it never claims more than the exact bound.
`alpha` is the whole one-sided error of the bound, 0 < alpha < 1.
"""

from fractions import Fraction
from math import expm1

from dcp_lang.stats.estimate import natural_log, upper_estimate
from dcp_lang.stats.exact import is_inner, lower_tail_at_most, power_at_most, upper_tail_at_most
from dcp_lang.stats.search import least_true


def zero_failure_reaches(n: int, alpha: Fraction, rho: Fraction) -> bool:
    """Whether zero hits in n >= 1 episodes bound p by 1 - alpha**(1/n) <= rho: (1 - rho)**n <= alpha."""
    return power_at_most(1 - rho, n, alpha)


def zero_failure_bound(n: int, alpha: Fraction, places: int = 12) -> Fraction:
    """1 - alpha**(1/n), the upper bound on p after zero hits in n >= 1 episodes, rounded up."""
    scale = 10**places
    guess = round(-scale * expm1(natural_log(alpha) / n))
    units = least_true(lambda m: zero_failure_reaches(n, alpha, Fraction(m, scale)), 0, scale, guess)
    return Fraction(units, scale)


def recall_reaches(successes: int, n: int, alpha: Fraction, minimum: Fraction) -> bool:
    """Whether the lower Clopper-Pearson bound of successes/n is >= minimum.

    That is Pr(Bin(n, minimum) >= successes) <= alpha. The bound of zero successes is 0.
    """
    return upper_tail_at_most(n, successes, minimum, alpha) if is_inner(minimum) else minimum <= 0


def ceiling_reaches(successes: int, n: int, alpha: Fraction, maximum: Fraction) -> bool:
    """Whether the upper Clopper-Pearson bound of successes/n is <= maximum.

    That is Pr(Bin(n, maximum) <= successes) <= alpha. The bound of n successes is 1.
    """
    return lower_tail_at_most(n, successes, maximum, alpha) if is_inner(maximum) else maximum >= 1


def clopper_pearson_upper(x: int, n: int, alpha: Fraction, places: int = 12) -> Fraction:
    """The upper one-sided Clopper-Pearson bound of x successes in n, in [x/n, 1], rounded up."""
    scale = 10**places
    guess = round(scale * upper_estimate(x, n, alpha))
    units = least_true(lambda m: ceiling_reaches(x, n, alpha, Fraction(m, scale)), 0, scale, guess)
    return Fraction(units, scale)


def clopper_pearson_lower(x: int, n: int, alpha: Fraction, places: int = 12) -> Fraction:
    """The lower one-sided Clopper-Pearson bound of x successes in n, in [0, x/n], rounded down."""
    return 1 - clopper_pearson_upper(n - x, n, alpha, places)
