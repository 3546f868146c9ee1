"""Linear forms over the unknowns, on exact rationals."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from dcp_lang.record import Record
from dcp_lang.sema.terms import ARITHMETIC, Num, Op, Ref, Term

_ZERO, _ONE = Fraction(0), Fraction(1)


class Linear(Record):
    """`constant + Σ coefficient · unknown`; no coefficient is zero."""

    constant: Fraction
    coefficients: tuple[tuple[Ref, Fraction], ...] = ()

    def minimum(self, fixed: Mapping[str, Fraction] | None = None) -> Fraction:
        """The least value over the box of the unknowns, some of which may be fixed by name."""
        least = self.constant
        for ref, c in self.coefficients:
            least += c * (fixed[ref.name] if fixed and ref.name in fixed else ref.low if c > 0 else ref.high)
        return least

    def maximum(self) -> Fraction:
        """The greatest value over the box of the unknowns."""
        most = self.constant
        for ref, c in self.coefficients:
            most += c * (ref.high if c > 0 else ref.low)
        return most

    def minimum_where(self, guard: Linear) -> Fraction | None:
        """The least value over the part of the box where `guard` is 0 or more; None where there is none.

        By linear programming duality it is the greatest, over prices that are not negative, of the least values of
        `self - price · guard`; that price is 0, or one at which an unknown drops out.
        """
        if guard.maximum() < 0:
            return None
        own = dict(self.coefficients)
        prices = {own.get(ref, _ZERO) / slope for ref, slope in guard.coefficients}
        priced = [self.plus(guard.scaled(-price)) for price in prices if price > 0]
        return max(form.minimum() for form in (self, *priced))

    def at(self, point: dict[str, Fraction]) -> Fraction:
        """The value at a point that names every unknown."""
        return self.constant + sum((c * point[r.name] for r, c in self.coefficients), _ZERO)

    def plus(self, other: Linear) -> Linear:
        """`self + other`."""
        constant = self.constant + other.constant
        if not self.coefficients or not other.coefficients:
            return Linear(constant, self.coefficients or other.coefficients)
        sums = dict(self.coefficients)
        for ref, c in other.coefficients:
            sums[ref] = sums.get(ref, _ZERO) + c
        return Linear(constant, tuple((r, c) for r, c in sums.items() if c))

    def negated(self) -> Linear:
        """`-self`."""
        return Linear(-self.constant, tuple((r, -c) for r, c in self.coefficients))

    def scaled(self, factor: Fraction) -> Linear:
        """`factor · self`."""
        rest = tuple((r, factor * c) for r, c in self.coefficients) if factor else ()
        return Linear(factor * self.constant, rest)


def linear(term: Term) -> Linear | None:
    """A numeric term as a linear form, or None when it is not one."""
    if type(term) is Ref:
        if term.value is None:
            return Linear(_ZERO, ((term, _ONE),))
        term = term.value
    if type(term) is Num:
        return Linear(term.value)
    return _combined(term.op, term.args) if type(term) is Op and term.op in ARITHMETIC else None


def _combined(op: str, args: tuple[Term, ...]) -> Linear | None:
    result = linear(args[0])
    if op == "-" and len(args) == 1:
        return result and result.negated()
    for arg in args[1:]:
        other = linear(arg)
        result = _pair(op, result, other) if result and other else None
    return result


def _pair(op: str, a: Linear, b: Linear) -> Linear | None:
    if op == "+":
        return a.plus(b)
    if op == "-":
        return a.plus(b.negated())
    if op == "*" and not (a.coefficients and b.coefficients):
        return b.scaled(a.constant) if b.coefficients else a.scaled(b.constant)
    return a.scaled(1 / b.constant) if op == "/" and b.constant and not b.coefficients else None
