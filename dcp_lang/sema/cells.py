"""Sample points: one in every cell of the arrangement that a condition's comparisons cut out of the unknowns'
box.

The truth of a Boolean combination of linear comparisons is constant on each cell (each vertex, open edge and
open face), so its truth at the samples is its truth everywhere: no search, no tolerance, no solver. The
protocol has two unknowns, x and score(b).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

from dcp_lang.record import TYPE_CHECKING
from dcp_lang.sema.linear import Linear, linear
from dcp_lang.sema.terms import COMPARISONS, Op, Ref, Term
from dcp_lang.sema.truth import is_numeric

if TYPE_CHECKING:
    from typing import TypeAlias

Point: TypeAlias = "dict[str, Fraction]"

_ZERO = Fraction(0)
#: Two unknowns and this many comparisons give two thousand samples. More is left undecided.
MAX_COMPARISONS = 8


def boundaries(term: Term) -> list[Linear] | None:
    """The forms whose zeros bound the cells of a condition, or None when one is not linear."""
    match term:
        case Op(op, (a, b)) if op in COMPARISONS and is_numeric(a):
            form = linear(Op("-", (b, a)))
            return None if form is None else [form]
        case Op("and" | "or" | "not", args):
            parts = [boundaries(a) for a in args]
            known = [p for p in parts if p is not None]
            return [f for p in known for f in p] if len(known) == len(parts) else None
        case _:
            return []


def samples(forms: list[Linear], unknown: list[Ref]) -> list[Point] | None:
    """A point of every cell that names every unknown; None for more of either than are handled."""
    # What cancels out (`x - x`) bounds no cell: any value will do.
    anywhere = {ref.name: ref.low for ref in unknown}
    points = _cells(forms)
    return None if points is None else [anywhere | point for point in points]


def _cells(forms: list[Linear]) -> list[Point] | None:
    distinct = dict.fromkeys(forms) if len(forms) > 1 else forms
    lines = [(f.constant, dict(f.coefficients)) for f in distinct if f.coefficients]
    refs = list(dict.fromkeys(r for _, coefficients in lines for r in coefficients))
    if len(refs) > 2 or len(lines) > MAX_COMPARISONS:
        return None
    if not refs:
        return [{}]
    if len(refs) == 1:
        return [{refs[0].name: v} for v in _between(refs[0], [_root(k, c[refs[0]]) for k, c in lines])]
    return _plane(lines, *refs)


def _plane(lines: list[_Line], first: Ref, second: Ref) -> list[Point]:
    """Samples in the plane: over every vertex, and between neighbours, the crossings of the lines."""
    lines = lines + [(-end, {second: Fraction(1)}) for end in (second.low, second.high)]
    crossings = [_crossing(a, b, first, second) for a, b in combinations(lines, 2)]
    upright = [_root(k, c[first]) for k, c in lines if second not in c]
    points = []
    for x in _between(first, [c for c in crossings if c is not None] + upright):
        roots = [_root(k + c.get(first, _ZERO) * x, c[second]) for k, c in lines if second in c]
        points += [{first.name: x, second.name: y} for y in _between(second, roots)]
    return points


_Line: TypeAlias = "tuple[Fraction, dict[Ref, Fraction]]"


def _crossing(a: _Line, b: _Line, first: Ref, second: Ref) -> Fraction | None:
    """The first coordinate at which two lines meet, or None for parallels."""
    (ka, ca), (kb, cb) = a, b
    a1, a2, b1, b2 = (c.get(r, _ZERO) for c in (ca, cb) for r in (first, second))
    determinant = a1 * b2 - a2 * b1
    return (a2 * kb - b2 * ka) / determinant if determinant else None


def _root(constant: Fraction, coefficient: Fraction) -> Fraction:
    return -constant / coefficient


def _between(ref: Ref, roots: list[Fraction]) -> list[Fraction]:
    """The ends of an unknown's interval, the roots inside it, and the middle between each two neighbours."""
    marks = sorted({ref.low, ref.high, *(r for r in roots if ref.low < r < ref.high)})
    return marks + [(a + b) / 2 for a, b in pairwise(marks)]
