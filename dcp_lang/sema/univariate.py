"""Conditions on one unknown that are not linear: decided at one sample of every stretch between roots, and solved.

Every side of a comparison is a quotient of polynomials. The truth of a condition changes only where one of the
differences is 0, so its truth at these places and between them is its truth everywhere. Sizes are capped before
anything is computed, so that nothing hangs.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from dcp_lang.record import TYPE_CHECKING
from dcp_lang.sema.polynomial import ONE, Polynomial, Roots, constant, coprime, divides, plus, sign_at, times
from dcp_lang.sema.residual import Stretch, folded, stretches
from dcp_lang.sema.signs import truth
from dcp_lang.sema.terms import ARITHMETIC, COMPARISONS, Num, Op, Ref, Term, unknowns, with_values
from dcp_lang.sema.truth import UndefinedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from dcp_lang.sema.polynomial import Root

    #: Above and below the line; what is below is positive on the whole interval of the unknown.
    Quotient: TypeAlias = tuple[Polynomial, Polynomial]

#: The budget of one condition: operations, degree in the unknown, digits of a number.
MAX_OPERATIONS, MAX_DEGREE, MAX_DIGITS = 64, 8, 40


def truths_of(term: Term) -> set[bool]:
    """The truth values that a condition takes over its one unknown; none when it is not decided.

    Raises `UndefinedError` when a divisor may be 0.
    """
    rest = folded(with_values(term))
    found = unknowns(rest)
    if len(found) != 1 or not _within_budget(rest):
        return set()
    return set(_Line(rest, found[0]).truths())


def solve(term: Term, unknown: Ref) -> list[Stretch] | None:
    """Where a condition on one unknown holds; None when that is nowhere, or not in rational numbers."""
    try:
        if not _within_budget(term):
            return None
        found = _Line(term, unknown).stretches()
    except UndefinedError:
        return None
    return found or None


class _Cut:
    """One place at which some of the differences of a condition are 0, within an interval that is ever smaller."""

    __slots__ = ("roots", "within")

    def __init__(self, roots: Roots, within: Root) -> None:
        self.roots = roots
        self.within = within

    def narrow(self) -> None:
        """Halve the interval."""
        self.within = self.roots.halved(self.within)


class _Line:
    """A condition on the interval of its unknown, cut where one of its differences is 0."""

    def __init__(self, term: Term, unknown: Ref) -> None:
        self._term = term
        self._low, self._high = unknown.low, unknown.high
        #: What has the sign of b - a, for each comparison `a op b` in order.
        self._differences = [self._quotient(Op("-", (b, a)))[0] for a, b in _compared(term)]
        self._cuts = self._apart(
            [cut for p in coprime(filter(None, self._differences)) for cut in self._cuts_of(p)]
        )

    def truths(self) -> list[bool]:
        """The truth at the lower end, then in turn between two places and at the next one, up to the upper end."""
        found = [self._at(self._low)]
        clear = self._low
        for cut in self._cuts:
            low, high = cut.within
            found += [self._at((clear + low) / 2), self._at(high, cut)]
            clear = high
        return [*found, self._at((clear + self._high) / 2), self._at(self._high)]

    def stretches(self) -> list[Stretch] | None:
        """Where the condition holds; None where an end is no rational number."""
        truths = self.truths()
        found = [(self._low, truths[0])]
        for index, cut in enumerate(self._cuts):
            before, at, after = truths[2 * index + 1 : 2 * index + 4]
            if before == at == after:
                continue
            value = cut.roots.rational(cut.within)
            if value is None:
                return None
            found += [(value, before), (value, at)]
        return stretches([*found, (self._high, truths[-2]), (self._high, truths[-1])])

    def _at(self, point: Fraction, cut: _Cut | None = None) -> bool:
        """The truth at a point; at the cut within whose interval that point is the upper end."""
        zero = cut.roots.polynomial if cut else ()
        return truth(
            self._term,
            iter([0 if d and zero and divides(zero, d) else sign_at(d, point) for d in self._differences]),
        )

    def _cuts_of(self, polynomial: Polynomial) -> list[_Cut]:
        """Those between the ends of the interval."""
        roots = Roots(polynomial)
        found = [_Cut(roots, within) for within in roots.isolated(self._low, self._high)]
        is_end = not sign_at(polynomial, self._high)
        return found[:-1] if is_end else found

    def _apart(self, cuts: list[_Cut]) -> list[_Cut]:
        """Cuts in order, whose intervals touch neither one another nor the ends."""
        while True:
            cuts.sort(key=lambda cut: cut.within)
            ends = [(self._low, self._low), *[cut.within for cut in cuts], (self._high, self._high)]
            touching = {at for at, (a, b) in enumerate(pairwise(ends)) if a[1] >= b[0]}
            if not cuts or not touching:
                return cuts
            for at, cut in enumerate(cuts):
                if touching & {at, at + 1}:
                    cut.narrow()

    # Terms as quotients

    def _quotient(self, term: Term) -> Quotient:
        match term:
            case Num(value):
                return constant(value.numerator), constant(value.denominator)
            case Ref():
                return (0, 1), ONE
            case Op("-", (a,)):
                above, below = self._quotient(a)
                return _negated(above), below
            case Op(op, (first, *rest)) if op in ARITHMETIC:
                result = self._quotient(first)
                for other in rest:
                    result = self._joined(op, result, self._quotient(other))
                return result
        raise TypeError(f"not a number: {term!r}")

    def _joined(self, op: str, a: Quotient, b: Quotient) -> Quotient:
        if op == "*":
            return times(a[0], b[0]), times(a[1], b[1])
        if op == "/":
            above, below = self._positive(b)
            return times(a[0], above), times(a[1], below)
        other = b[0] if op == "+" else _negated(b[0])
        if a[1] == b[1]:
            return plus(a[0], other), a[1]
        return plus(times(a[0], b[1]), times(other, a[1])), times(a[1], b[1])

    def _positive(self, divisor: Quotient) -> Quotient:
        """What to multiply by for a divisor, which must not be 0 anywhere: below the line it is positive."""
        above, below = divisor
        zeros = [Roots(part).count(self._low, self._high) for part in coprime(filter(None, [above]))]
        if any(zeros) or not sign_at(above, self._low):
            raise UndefinedError
        return (below, above) if sign_at(above, self._low) > 0 else (_negated(below), _negated(above))


def _negated(a: Polynomial) -> Polynomial:
    return tuple([-c for c in a])


def _compared(term: Term) -> Iterator[tuple[Term, Term]]:
    """The sides of every comparison, in order."""
    if isinstance(term, Op) and term.op in COMPARISONS:
        a, b = term.args
        yield a, b
    elif isinstance(term, Op):
        for part in term.args:
            yield from _compared(part)


def _within_budget(term: Term) -> bool:
    operations, degree, digits = _size(term)
    return operations <= MAX_OPERATIONS and degree <= MAX_DEGREE and digits <= MAX_DIGITS


def _size(term: Term) -> tuple[int, int, int]:
    """Operations, degree in the unknowns (at most), digits of the longest number."""
    match term:
        case Num(value):
            return 0, 0, len(str(value.numerator)) + len(str(value.denominator))
        case Op(op, args):
            operations, degrees, digits = zip(*map(_size, args), strict=True) if args else ((0,), (0,), (0,))
            degree = sum(degrees) if op in ("*", "/", *COMPARISONS) else max(degrees)
            return 1 + sum(operations), degree, max(digits)
        case _:
            return 0, 1, 0
