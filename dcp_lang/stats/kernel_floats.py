"""The verdicts of the audit kernel's own float formulas (dcp-audit 0.4.2), without its dependencies.

The kernel decides in doubles. A registration is only useful when the exact rule and the kernel agree, so each
planned outcome is checked against both. Plain arithmetic is repeated operation for operation. The kernel
takes Clopper-Pearson limits from SciPy, whose error is far below `TOLERANCE`: those verdicts are proved by
exact decisions at the threshold plus and minus `TOLERANCE`, and are None ("not determinable without the
kernel") when the two differ.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from dcp_lang.stats.bounds import recall_reaches
from dcp_lang.stats.paired import Count, separating_point
from dcp_lang.stats.search import least_true

#: Absolute error allowed to the kernel's float limits; the largest seen up to n = 10**6 is below 1e-11.
TOLERANCE = Fraction(1, 10**9)


def zero_hit_verdict(n: int, alpha: Fraction, rho: Fraction) -> bool:
    """The kernel's `1 - alpha ** (1 / n) <= rho` in doubles; n >= 1, 0 < alpha < 1."""
    root: float = float(alpha) ** (1.0 / n)
    return 1.0 - root <= float(rho)


@lru_cache(maxsize=64)
def recall_verdict(successes: int, n: int, alpha: Fraction, minimum: Fraction) -> bool | None:
    """Whether the kernel finds the recall lower bound >= minimum; None inside its rounding error."""
    tail = Fraction(float(alpha))
    return _settled(minimum, lambda threshold: recall_reaches(successes, n, tail, threshold))


@lru_cache(maxsize=64)
def feedback_verdict(n10: int, n01: int, n: int, alpha: Fraction, margin: Fraction) -> bool | None:
    """Whether the kernel finds the lower paired limit >= margin; None inside its rounding error.

    The kernel recovers alpha as 1 - (1 - alpha) and an upper tail as 1 - (1 - alpha/4); both losses are
    repeated here.
    """
    tail = (1.0 - (1.0 - float(alpha))) / 4.0
    first, second = Count(n10, n, Fraction(tail)), Count(n01, n, Fraction(1.0 - (1.0 - tail)))
    return _settled(margin, lambda threshold: separating_point(first, second, threshold) is not None)


def null_verdict(n10: int, n01: int, n: int, alpha: Fraction, band: Fraction) -> bool | None:
    """Whether the kernel finds the paired interval inside [-band, +band]; None inside its rounding error."""
    sides = (feedback_verdict(n10, n01, n, alpha, -band), feedback_verdict(n01, n10, n, alpha, -band))
    return False if False in sides else None if None in sides else True


@lru_cache(maxsize=64)
def half_width_verdict(
    n: int, variance: Fraction, alpha: Fraction, width: Fraction, target: Fraction
) -> bool | None:
    """Whether the kernel's empirical Bernstein half-width is <= target; None inside its rounding error."""
    from dcp_lang.stats.bernstein import half_width_within  # only for continuous scores

    spent = Fraction(1.0 - (1.0 - float(alpha)))
    if spent == 0:
        return False
    return _settled(-target, lambda threshold: half_width_within(n, variance, spent, width, -threshold))


def _settled(threshold: Fraction, reaches: Callable[[Fraction], bool]) -> bool | None:
    """The verdict common to both ends of the rounding error; a greater threshold is the harder one."""
    if reaches(threshold + TOLERANCE):
        return True
    return None if reaches(threshold - TOLERANCE) else False


def kappa_for(epsilon: Fraction, delta_min: Fraction) -> float | None:
    """The least double kappa in [0, 1) with epsilon <= kappa * delta_min < delta_min in doubles.

    The kernel has no field for epsilon and computes kappa * delta_min; the nearest kappa can give a product
    one step too small, which turns a challenger exactly on the recovery line into a miss. Rounding up is the
    safe direction. Decimals are compared as the doubles nearest to them, since the kernel's scores are such
    doubles too. None: no such kappa.
    """
    if not 0 <= epsilon < delta_min:
        return None
    target, whole = float(epsilon), float(delta_min)

    def reaches(position: int) -> bool:
        return _double(position) * whole >= target

    kappa = _double(least_true(reaches, 0, _position(1.0), _position(float(epsilon / delta_min))))
    return kappa if kappa < 1 and kappa * whole < whole else None


def _position(value: float) -> int:
    """The place of a double >= 0 among all doubles >= 0, in order: its bits, read as a number."""
    bits = memoryview(bytearray(8))
    bits.cast("d")[0] = value
    return bits.cast("Q")[0]


def _double(position: int) -> float:
    """The double at a place; the inverse of `_position`."""
    bits = memoryview(bytearray(8))
    bits.cast("Q")[0] = position
    return bits.cast("d")[0]
