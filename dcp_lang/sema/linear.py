"""Linear forms over the unknowns, on exact rationals.

Most coefficients and ends of intervals are 0, 1 and -1, and the same objects: that is asked first, for arithmetic on
fractions takes long.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.sema.terms import ONE, ZERO, Num, Op, Ref, Term

if TYPE_CHECKING:
    from typing import TypeAlias

_MINUS_ONE = -ONE

#: A coefficient and its unknown, or a constant and none.
Summand: TypeAlias = "tuple[Ref | None, Fraction]"


class Linear(Record):
    """`constant + Σ coefficient · unknown`; no coefficient is zero."""

    constant: Fraction
    coefficients: tuple[tuple[Ref, Fraction], ...] = ()

    def minimum(self, fixed: Mapping[str, Fraction] | None = None) -> Fraction:
        """The least value over the box of the unknowns, some of which may be fixed by name."""
        fixed = fixed or {}
        return self._with(
            [fixed.get(r.name, r.low if c.numerator > 0 else r.high) for r, c in self.coefficients]
        )

    def maximum(self) -> Fraction:
        """The greatest value over the box of the unknowns."""
        return self._with([r.high if c.numerator > 0 else r.low for r, c in self.coefficients])

    def _with(self, values: list[Fraction]) -> Fraction:
        """The value where the unknowns have these."""
        total = self.constant
        for (_, c), value in zip(self.coefficients, values, strict=True):
            if value is not ZERO:
                total += c if value is ONE else c * value
        return total

    def minimum_where(self, guard: Linear) -> Fraction | None:
        """The least value over the part of the box where `guard` is 0 or more; None where there is none.

        By linear programming duality it is the greatest, over prices that are not negative, of the least values of
        `self - price · guard`; that price is 0, or one at which an unknown drops out.
        """
        if guard.maximum().numerator < 0:
            return None
        own = {ref.name: c for ref, c in self.coefficients}
        prices = [_quotient(own[ref.name], slope) for ref, slope in guard.coefficients if ref.name in own]
        least = [self.minimum()]
        for place, price in enumerate(prices):
            if price.numerator > 0 and price not in prices[:place]:
                least.append(self.less(guard, price).minimum())
        return max(least)

    def less(self, other: Linear, times: Fraction = ONE) -> Linear:
        """`self - times · other`."""
        taken = other if times is ONE else other.scaled(times)
        sums = {ref.name: (ref, c) for ref, c in self.coefficients}
        for ref, c in taken.coefficients:
            own = sums[ref.name][1] if ref.name in sums else ZERO
            sums[ref.name] = ref, ZERO if own is c else own - c
        return Linear(self.constant - taken.constant, tuple([pair for pair in sums.values() if pair[1]]))

    def scaled(self, factor: Fraction) -> Linear:
        """`factor · self`."""
        rest = tuple([(ref, factor * c) for ref, c in self.coefficients]) if factor else ()
        return Linear(factor * self.constant, rest)


def _quotient(a: Fraction, b: Fraction) -> Fraction:
    return ONE if a is b else a / b


def linear(term: Term) -> Linear | None:
    """A numeric term as a linear form, or None when it is not one."""
    found = _summands(term, True)
    return None if found is None else _sum(found)


def _sum(summands: list[Summand]) -> Linear:
    constant, sums = ZERO, dict[str, tuple[Ref, Fraction]]()
    for ref, c in summands:
        if ref is None:
            constant = constant + c if constant else c
        else:
            sums[ref.name] = (ref, sums[ref.name][1] + c if ref.name in sums else c)
    return Linear(constant, tuple([pair for pair in sums.values() if pair[1]]))


def _summands(term: Term, plus: bool) -> list[Summand] | None:
    """What a term adds up, or takes away; None when it is not linear."""
    if type(term) is Ref:
        if term.value is None:
            return [(term, ONE if plus else _MINUS_ONE)]
        term = term.value
    if type(term) is Num:
        return [(None, term.value if plus else -term.value)]
    if type(term) is not Op:
        return None
    op, args = term
    if op in ("*", "/"):
        form = _product(op, args)
        if form is None:
            return None
        form = form if plus else form.scaled(_MINUS_ONE)
        return [(None, form.constant), *form.coefficients]
    return _of_all(args, plus, op == "-") if op in ("+", "-") else None


def _of_all(args: tuple[Term, ...], plus: bool, is_difference: bool) -> list[Summand] | None:
    """The summands of a sum, or of a difference: all but its first are taken away, and a single one is."""
    found: list[Summand] = []
    for place, arg in enumerate(args):
        parts = _summands(arg, plus != (is_difference and (place > 0 or len(args) == 1)))
        if parts is None:
            return None
        found += parts
    return found


def _product(op: str, args: tuple[Term, ...]) -> Linear | None:
    """A product of which one factor at most has unknowns, or a quotient whose divisors have none."""
    result = linear(args[0])
    for arg in args[1:]:
        other = linear(arg)
        if result is None or other is None:
            return None
        if op == "*" and not result.coefficients:
            result, other = other, result
        if other.coefficients or (op == "/" and not other.constant):
            return None
        result = result.scaled(other.constant if op == "*" else 1 / other.constant)
    return result
