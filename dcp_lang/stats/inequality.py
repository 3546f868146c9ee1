"""The inequalities that certificates are made of, each true as written and checkable with whole numbers."""

from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from dcp_lang.canonical import number_text
from dcp_lang.stats.bernstein import half_width_within, log_enclosure
from dcp_lang.stats.exact import lower_tail_at_most, upper_tail_at_most
from dcp_lang.stats.paired import Count, settling_point


class Inequality(NamedTuple):
    """A comparison of a power, a binomial tail or a half-width with a bound, true as written.

    kind "power": p**n; "lower-tail": Pr(Bin(n, p) <= k); "upper-tail": Pr(Bin(n, p) >= k); "half-width":
    14 p / (3 (n-1)), where p >= ln(4/alpha) under "<=" and p <= ln(4/alpha) under ">". relation: "<=" or ">".
    """

    kind: str
    n: int
    k: int
    p: Fraction
    relation: str
    bound: Fraction

    @property
    def text(self) -> str:
        """`(19/20)^90 <= 1/100`, `Pr(Bin(22, 151/200) >= 22) <= 1/400`."""
        if self.kind == "power":
            return f"({self.p})^{self.n} {self.relation} {self.bound}"
        if self.kind == "half-width":
            return f"14*{self.p}/(3*{self.n - 1}) {self.relation} {self.bound}"
        sign = "<=" if self.kind == "lower-tail" else ">="
        return f"Pr(Bin({self.n}, {self.p}) {sign} {self.k}) {self.relation} {self.bound}"

    def to_json(self) -> dict[str, str | int]:
        """The machine form; rationals in the one spelling of their value."""
        tail: dict[str, str | int] = {"k": self.k} if self.kind.endswith("tail") else {}
        return {
            "kind": self.kind,
            "text": self.text,
            "n": self.n,
            **tail,
            "p": number_text(self.p),
            "relation": self.relation,
            "bound": number_text(self.bound),
        }


def lower_tail(n: int, k: int, p: Fraction, bound: Fraction) -> Inequality:
    relation = "<=" if lower_tail_at_most(n, k, p, bound) else ">"
    if k == 0:
        return Inequality("power", n, 0, 1 - p, relation, bound)
    return Inequality("lower-tail", n, k, p, relation, bound)


def upper_tail(n: int, k: int, p: Fraction, bound: Fraction) -> Inequality:
    relation = "<=" if upper_tail_at_most(n, k, p, bound) else ">"
    if k == n:
        return Inequality("power", n, 0, p, relation, bound)
    return Inequality("upper-tail", n, k, p, relation, bound)


def separation(
    x: int, y: int, n: int, alpha: Fraction, margin: Fraction
) -> tuple[bool, tuple[Inequality, ...]]:
    """Both tails at the settling point c; a limit that is 0 or 1 whatever the data needs no inequality."""
    tail = alpha / 4
    separates, c = settling_point(Count(x, n, tail), Count(y, n, tail), margin)
    tails = []
    if 0 < margin + c < 1 and x > 0:
        tails.append(upper_tail(n, x, margin + c, tail))
    if 0 < c < 1 and y < n:
        tails.append(lower_tail(n, y, c, tail))
    return separates, tuple(dict.fromkeys(tails))


def inside(n10: int, n01: int, n: int, alpha: Fraction, band: Fraction) -> tuple[Inequality, ...]:
    """The inequalities of both limits, or only those of the limit that is outside."""
    lower = separation(n10, n01, n, alpha, -band)
    upper = separation(n01, n10, n, alpha, -band)
    outside = [tails for separates, tails in (lower, upper) if not separates]
    return outside[0] if outside else tuple(dict.fromkeys(lower[1] + upper[1]))


def zero_variance_half_width(n: int, alpha: Fraction, target: Fraction) -> Inequality:
    """The half-width with the shortest decimal in place of ln(4/alpha) that still decides."""
    passes = half_width_within(n, Fraction(0), alpha, Fraction(2), target)
    bits, places = 64, 4
    while True:
        low, high = log_enclosure(4 / alpha, bits)
        log_term = Fraction(ceil(high * 10**places) if passes else floor(low * 10**places), 10**places)
        if (14 * log_term <= 3 * (n - 1) * target) == passes:
            return Inequality("half-width", n, 0, log_term, "<=" if passes else ">", target)
        bits, places = 2 * bits, places + 4
