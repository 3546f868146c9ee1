"""Linear forms over the unknowns, on exact rationals."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from dcp_lang.record import Record
from dcp_lang.sema.terms import Num, Op, Ref, Term

_ZERO, _MINUS_ONE = Fraction(0), Fraction(-1)


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
        return -self.scaled(_MINUS_ONE).minimum() if self.coefficients else self.constant

    def minimum_where(self, guard: Linear) -> Fraction | None:
        """The least value over the part of the box where `guard` is 0 or more; None where there is none.

        From the corner where this is least, the guard is raised along what costs least: exact for one guard, as
        the continuous knapsack is (Dantzig 1957).
        """
        own, theirs = dict(self.coefficients), dict(guard.coefficients)
        least, room, rises = self.constant, guard.constant, []
        for ref in own | theirs:
            c, g = own.get(ref, _ZERO), theirs.get(ref, _ZERO)
            is_low = c > 0 or (not c and g <= 0)
            end, far = (ref.low, ref.high) if is_low else (ref.high, ref.low)
            least, room, rise = least + c * end, room + g * end, g * (far - end)
            if rise > 0:
                rises.append((c * (far - end) / rise, rise))
        for price, rise in sorted(rises):
            step = min(rise, max(-room, _ZERO))
            least, room = least + price * step, room + step
        return least if room >= 0 else None

    def at(self, point: dict[str, Fraction]) -> Fraction:
        """The value at a point that names every unknown."""
        return self.constant + sum((c * point[r.name] for r, c in self.coefficients), _ZERO)

    def plus(self, other: Linear, factor: Fraction | int = 1) -> Linear:
        """`self + factor · other`."""
        if not other.coefficients:
            return Linear(self.constant + factor * other.constant, self.coefficients)
        sums = dict(self.coefficients)
        for ref, c in other.coefficients:
            sums[ref] = sums.get(ref, _ZERO) + factor * c
        rest = tuple((r, c) for r, c in sums.items() if c)
        return Linear(self.constant + factor * other.constant, rest)

    def scaled(self, factor: Fraction) -> Linear:
        """`factor · self`."""
        rest = tuple((r, factor * c) for r, c in self.coefficients) if factor else ()
        return Linear(factor * self.constant, rest)


def linear(term: Term) -> Linear | None:
    """A numeric term as a linear form, or None when it is not one."""
    match term:
        case Num(value) | Ref(_, Num(value)):
            return Linear(value)
        case Ref(_, None):
            return Linear(_ZERO, ((term, Fraction(1)),))
        case Op("+" | "-" | "*" | "/" as op, args):
            forms = [linear(a) for a in args]
            known = [f for f in forms if f is not None]
            return _combined(op, known) if len(known) == len(forms) else None
        case _:
            return None


def _combined(op: str, forms: list[Linear]) -> Linear | None:
    if op == "-" and len(forms) == 1:
        return forms[0].scaled(_MINUS_ONE)
    result: Linear | None = forms[0]
    for form in forms[1:]:
        result = None if result is None else _pair(op, result, form)
    return result


def _pair(op: str, a: Linear, b: Linear) -> Linear | None:
    match op:
        case "+":
            return a.plus(b)
        case "-":
            return a.plus(b, -1)
        case "*" if not b.coefficients:
            return a.scaled(b.constant)
        case "*" if not a.coefficients:
            return b.scaled(a.constant)
        case "/" if not b.coefficients and b.constant:
            return a.scaled(1 / b.constant)
        case _:
            return None
