"""Other valid bounds on the same data, for information: the protocol prescribes the paired-binary interval.

They show what its two-sided Bonferroni form costs. Each decision has the form "is the lower limit for p10 -
p01 at least the margin" or "is the interval inside the band"; `alpha` is the error of the whole rule.
"""

from fractions import Fraction

from dcp_lang.stats.bounds import ceiling_reaches, clopper_pearson_lower, recall_reaches
from dcp_lang.stats.paired import Count, separating_point
from dcp_lang.stats.power import region_probability

#: Depth at which the nuisance parameter is given up, in the direction that certifies nothing.
_MAX_DEPTH = 40


def one_sided_paired_reaches(n10: int, n01: int, n: int, alpha: Fraction, margin: Fraction) -> bool:
    """The paired-binary bound as a one-sided one: two tails of alpha/2 instead of alpha/4."""
    return separating_point(Count(n10, n, alpha / 2), Count(n01, n, alpha / 2), margin) is not None


def marginal_reaches(n10: int, n: int, tail: Fraction, margin: Fraction) -> bool:
    """2 pL(n10) - 1 >= margin, valid since p10 - p01 >= 2 p10 - 1; tail is alpha/2 or, one-sided, alpha."""
    return recall_reaches(n10, n, tail, (1 + margin) / 2)


def conditional_reaches(n10: int, n01: int, n: int, alpha: Fraction, margin: Fraction) -> bool:
    """McNemar's conditional bound for discordant pairs times the bound for discordance, alpha/4 each.

    pi (2 psi - 1) with psi = p10 / (p10 + p01) and pi = p10 + p01; margin > 0. Limits are rounded down at 15
    decimals.
    """
    discordant, tail = n10 + n01, alpha / 4
    share = clopper_pearson_lower(n10, discordant, tail, 15) if discordant else Fraction(0)
    return clopper_pearson_lower(discordant, n, tail, 15) * (2 * share - 1) >= margin


def unconditional_reaches(n10: int, n01: int, n: int, tail: Fraction, margin: Fraction) -> bool:
    """The exact unconditional test of T = n10 - n01: the largest Pr(T >= t) with p10 - p01 = margin is <= tail.

    Pr(T >= t) grows with p10 and falls with p01, so on a cell [a, b] of p01 it is at most its value at p10 =
    margin + b, p01 = a, whose sum is at most 1 since a and b are at most (1 - margin)/2. Cells that cannot be
    settled are halved. tail is alpha/2 or, one-sided, alpha.
    """
    least = n10 - n01
    cells = [(Fraction(0), (1 - margin) / 2, 0)]
    while cells:
        low, high, depth = cells.pop()
        if _difference_tail(n, least, margin + high, low) <= tail:
            continue
        middle = (low + high) / 2
        if depth == _MAX_DEPTH or _difference_tail(n, least, margin + middle, middle) > tail:
            return False
        cells += [(low, middle, depth + 1), (middle, high, depth + 1)]
    return True


def _difference_tail(n: int, least: int, p10: Fraction, p01: Fraction) -> Fraction:
    """Pr(n10 - n01 >= least) for the trinomial."""
    rows = [(max(0, least + n01), n - n01) for n01 in range(n + 1)]
    return region_probability(n, rows, p10, p01)


def marginal_within(n10: int, n01: int, n: int, alpha: Fraction, band: Fraction) -> bool:
    """[-pU(n01), pU(n10)] at alpha/2 each inside the band, valid since -p01 <= p10 - p01 <= p10."""
    return ceiling_reaches(max(n10, n01), n, alpha / 2, band)


def discordance_within(n10: int, n01: int, n: int, alpha: Fraction, band: Fraction) -> bool:
    """pU(n10 + n01) at alpha inside the band, valid since |p10 - p01| <= p10 + p01."""
    return ceiling_reaches(n10 + n01, n, alpha, band)


def equivalence_within(n10: int, n01: int, n: int, alpha: Fraction, band: Fraction) -> bool:
    """Two one-sided tests at alpha each on the marginal limits: the error of calling equivalent what is not."""
    return ceiling_reaches(max(n10, n01), n, alpha, band)
