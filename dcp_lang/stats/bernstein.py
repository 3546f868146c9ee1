"""The empirical Bernstein half-width sqrt(2 V ln(4/alpha)/n) + 7 w ln(4/alpha)/(3(n-1)) on rationals.

Two-sided interval for the mean of n independent values in a range of width w with sample variance V (n - 1 in
the denominator), Maurer and Pontil 2009, Theorem 4, with alpha/2 on each side (paper, Gate 1). w = 2 for
paired differences of scores. The half-width grows with ln(4/alpha), which is transcendental for rational
alpha < 4 (Lindemann), so it never equals a rational target and refining the logarithm always decides.
"""

from fractions import Fraction
from math import ceil, sqrt

from dcp_lang.stats.estimate import natural_log
from dcp_lang.stats.search import least_true


def half_width_within(n: int, variance: Fraction, alpha: Fraction, width: Fraction, target: Fraction) -> bool:
    """Whether the half-width of n >= 2 values is <= target, exactly; variance >= 0, width > 0."""
    bits = 64
    while True:
        low, high = log_enclosure(4 / alpha, bits)
        if _within(n, variance, high, width, target):
            return True
        if not _within(n, variance, low, width, target):
            return False
        bits *= 2


def _within(n: int, variance: Fraction, log_term: Fraction, width: Fraction, target: Fraction) -> bool:
    """The inequality for a given ln(4/alpha), squared: no square root remains."""
    slack = target - 7 * width * log_term / (3 * (n - 1))
    return slack >= 0 and 2 * variance * log_term <= n * slack * slack


def half_width(
    n: int, variance: Fraction, alpha: Fraction, width: Fraction = Fraction(2), places: int = 12
) -> Fraction:
    """The half-width of n >= 2 values, rounded up at `places` decimals.

    Not clipped to the range of the values.
    """
    scale = 10**places
    guess = ceil(scale * _approximate(n, variance, alpha, width))
    ceiling = 2 * guess + scale
    units = least_true(
        lambda m: half_width_within(n, variance, alpha, width, Fraction(m, scale)), 0, ceiling, guess
    )
    return Fraction(units, scale)


def _approximate(n: float, variance: Fraction, alpha: Fraction, width: Fraction) -> float:
    log_term = natural_log(4 / alpha)
    return sqrt(2 * float(variance) * log_term / n) + 7 * float(width) * log_term / (3 * (n - 1))


def least_units_guess(variance: Fraction, alpha: Fraction, width: Fraction, target: Fraction) -> int:
    """A float estimate of the least n: the root of the quadratic that n - 1 = n would give."""
    log_term, goal = natural_log(4 / alpha), float(target)
    a, b = sqrt(2 * float(variance) * log_term), 7 * float(width) * log_term / 3
    root = (a + sqrt(a * a + 4 * goal * b)) / (2 * goal) if goal > 0 else 0.0
    return ceil(root * root) + 1


def log_enclosure(value: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Rational (low, high) around ln(value), value >= 1, within about 2**-bits * (1 + log2(value))."""
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    mantissa = value / (Fraction(2) ** shift)
    low, high = _atanh_doubled((mantissa - 1) / (mantissa + 1), bits)
    two_low, two_high = _atanh_doubled(Fraction(1, 3), bits)
    return low + shift * two_low, high + shift * two_high


def _atanh_doubled(z: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """2 atanh(z) = ln((1+z)/(1-z)) for |z| <= 1/3: partial sums of z**k/k.

    The rest is below the last term / 8.
    """
    scale = 1 << (bits + 12)
    top, bottom = z.numerator * z.numerator, z.denominator * z.denominator
    magnitude = abs(z.numerator) * scale // z.denominator
    total, k = 0, 1
    while magnitude:
        total += magnitude // k
        magnitude = magnitude * top // bottom
        k += 2
    # Each of the k/2 rounded-down terms loses less than 3 units, and the dropped rest less than 2.
    low, high = Fraction(2 * total, scale), Fraction(2 * (total + 2 * k + 2), scale)
    return (low, high) if z >= 0 else (-high, -low)
