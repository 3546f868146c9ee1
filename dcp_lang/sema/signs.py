"""The truth of a condition at many points, by the signs of the forms that bound its cells.

In whole numbers: fractions would be made equal in name at every point. Only what is no single comparison loads this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import lcm

from dcp_lang.sema.cells import Point
from dcp_lang.sema.linear import Linear
from dcp_lang.sema.terms import COMPARISONS, Op, Term
from dcp_lang.sema.truth import holds, is_numeric, stands


def truths(term: Term, forms: Iterable[Linear], points: Iterable[Point]) -> Iterator[bool]:
    """The truth of a condition at each point; its forms are those of `boundaries`."""
    signs = [sign(form) for form in forms]
    return (truth(term, iter([at(point) for at in signs])) for point in points)


def truth(term: Term, signs: Iterator[int]) -> bool:
    """The truth of a condition by the sign of each of its differences, in the order of `boundaries`."""
    match term:
        case Op("and" | "or" | "not", args):
            parts = [truth(a, signs) for a in args]  # all of them, for each takes its own signs
            return all(parts) if term.op == "and" else any(parts) if term.op == "or" else not parts[0]
        case Op(op, (a, _)) if op in COMPARISONS and is_numeric(a):
            return stands(op, next(signs))
        case _:
            return holds(term, {})


def sign(form: Linear) -> Callable[[Mapping[str, Fraction]], int]:
    """A number with the sign of a form, at a point that names every unknown."""
    scale = lcm(form.constant.denominator, *(c.denominator for _, c in form.coefficients))
    constant = _scaled(form.constant, scale)
    terms = [(ref.name, _scaled(c, scale)) for ref, c in form.coefficients]

    def at(point: Mapping[str, Fraction]) -> int:
        total, below = constant, 1
        for name, slope in terms:
            above, under = point[name].as_integer_ratio()
            total = total * under + slope * above * below
            below *= under
        return total

    return at


def _scaled(value: Fraction, scale: int) -> int:
    """The value times a multiple of its denominator."""
    return value.numerator * (scale // value.denominator)
