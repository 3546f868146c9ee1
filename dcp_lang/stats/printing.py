"""Numbers for people: exact decimals, and bounds rounded so that they never contradict the decision."""

from fractions import Fraction
from math import ceil, floor


def decimal_text(value: Fraction) -> str:
    """The terminating decimal of a rational, or p/q when it has none within 60 places."""
    for places in range(61):
        if 10**places % value.denominator == 0:
            return _fixed(value, places)
    return str(value)


def shown_bound(bound: Fraction, threshold: Fraction, upper: bool, places: int = 4) -> str:
    """A bound rounded for reading, an upper one up and a lower one down, with at least `places` decimals.

    Digits are added until the printed number meets the threshold exactly when the bound does.
    """
    while True:
        scaled = bound * 10**places
        rounded = Fraction(ceil(scaled) if upper else floor(scaled), 10**places)
        if _meets(rounded, threshold, upper) == _meets(bound, threshold, upper):
            return _fixed(rounded, places)
        places += 1


def _meets(bound: Fraction, threshold: Fraction, upper: bool) -> bool:
    return bound <= threshold if upper else bound >= threshold


def _fixed(value: Fraction, places: int) -> str:
    """A multiple of 10**-places with exactly that many decimals."""
    digits = f"{abs(int(value * 10**places)):0{places + 1}d}"
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return "-" + text if value < 0 else text
