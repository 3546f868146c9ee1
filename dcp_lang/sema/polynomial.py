"""Polynomials in one unknown with whole coefficients, and their real roots by Sturm's theorem: exact, without floats.

A polynomial is the tuple of its coefficients, the constant first and the last one not 0; the empty tuple is 0.
Reference: H. Cohen, A Course in Computational Algebraic Number Theory (1993), sections 3.2 and 4.1.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import gcd

from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

Polynomial: TypeAlias = "tuple[int, ...]"
#: An interval, open below and closed above, that holds exactly one root of a polynomial.
Root: TypeAlias = "tuple[Fraction, Fraction]"

ONE: Polynomial = (1,)


def constant(value: int) -> Polynomial:
    """A number."""
    return (value,) if value else ()


def plus(a: Polynomial, b: Polynomial) -> Polynomial:
    """`a + b`."""
    if len(a) < len(b):
        a, b = b, a
    return _trimmed([*map(sum, zip(a, b, strict=False)), *a[len(b) :]])


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    """`a · b`."""
    product = [0] * max(len(a) + len(b) - 1, 0)
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            product[i + j] += left * right
    return _trimmed(product)


def sign_at(a: Polynomial, point: Fraction) -> int:
    """The sign of a polynomial at a point: -1, 0 or 1."""
    above, under = point.as_integer_ratio()
    total, scale = 0, 1
    for c in reversed(a):
        total = total * above + c * scale
        scale *= under
    return (total > 0) - (total < 0)


def divides(a: Polynomial, b: Polynomial) -> bool:
    """Whether `a` divides `b`, neither of which is 0, in rational numbers."""
    return not _remainder(b, a)


def coprime(polynomials: Iterable[Polynomial]) -> list[Polynomial]:
    """Polynomials without a common root that have all the roots of some that are not 0, each once."""
    found: list[Polynomial] = []
    for new in polynomials:
        rest = _squarefree(new)
        parts = []
        for known in found:
            common = _common(known, rest)
            rest = _quotient(rest, common)
            parts += [common, _quotient(known, common)]
        found = [part for part in (*parts, rest) if len(part) > 1]
    return found


class Roots:
    """The real roots of a polynomial that has each of them once."""

    def __init__(self, a: Polynomial) -> None:
        self.polynomial = a
        chain = [a, _derivative(a)]
        while chain[-1]:
            chain.append(tuple([-c for c in _remainder(*chain[-2:])]))
        self._chain = chain[:-1]

    def count(self, low: Fraction, high: Fraction) -> int:
        """How many are greater than `low` and at most `high`."""
        return self._changes(low) - self._changes(high)

    def isolated(self, low: Fraction, high: Fraction) -> Iterator[Root]:
        """An interval around each that is greater than `low` and at most `high`."""
        parts = [(low, high, self._changes(low), self._changes(high))]
        while parts:
            low, high, below, above = parts.pop()
            if below - above == 1:
                yield low, high
            elif below > above:
                middle = (low + high) / 2
                changes = self._changes(middle)
                parts += [(middle, high, changes, above), (low, middle, below, changes)]

    def halved(self, root: Root) -> Root:
        """The half of an interval that holds its root."""
        low, high = root
        middle = (low + high) / 2
        return (low, middle) if self.count(low, middle) else (middle, high)

    def rational(self, root: Root) -> Fraction | None:
        """The root in an interval, where it is rational: its denominator then divides the leading coefficient."""
        leading = abs(self.polynomial[-1])
        while (root[1] - root[0]) * leading >= 1:
            root = self.halved(root)
        value = Fraction(root[1] * leading // 1, leading)
        return value if value > root[0] and not sign_at(self.polynomial, value) else None

    def _changes(self, point: Fraction) -> int:
        """How often the sign changes along Sturm's chain at a point."""
        signs = [sign for a in self._chain if (sign := sign_at(a, point))]
        return sum([a != b for a, b in pairwise(signs)])


def _squarefree(a: Polynomial) -> Polynomial:
    """A polynomial with the same roots, each once."""
    return _quotient(_primitive(a), _common(a, _derivative(a)))


def _common(a: Polynomial, b: Polynomial) -> Polynomial:
    """The greatest common divisor, primitive, the last coefficient positive."""
    while b:
        a, b = b, _remainder(a, b)
    found = _primitive(a)
    return found if found[-1] > 0 else tuple([-c for c in found])


def _trimmed(coefficients: list[int]) -> Polynomial:
    while coefficients and not coefficients[-1]:
        coefficients.pop()
    return tuple(coefficients)


def _derivative(a: Polynomial) -> Polynomial:
    return tuple([power * c for power, c in enumerate(a)][1:])


def _primitive(a: Polynomial) -> Polynomial:
    """Without what divides all coefficients."""
    common = gcd(*a)
    return tuple([c // common for c in a])


def _remainder(a: Polynomial, b: Polynomial) -> Polynomial:
    """A positive multiple of the remainder of a / b."""
    rest, leading = list(a), abs(b[-1])
    while len(rest) >= len(b):
        factor = rest[-1] if b[-1] > 0 else -rest[-1]
        shift = len(rest) - len(b)
        rest = [leading * c for c in rest]
        for at, c in enumerate(b):
            rest[shift + at] -= factor * c
        rest = list(_trimmed(rest))
    return _primitive(tuple(rest)) if rest else ()


def _quotient(a: Polynomial, b: Polynomial) -> Polynomial:
    """a / b, of primitive polynomials of which b divides a."""
    rest, found = list(a), []
    while len(rest) >= len(b):
        factor = rest[-1] // b[-1]
        found.append(factor)
        shift = len(rest) - len(b)
        for at, c in enumerate(b):
            rest[shift + at] -= factor * c
        rest.pop()
    return tuple(reversed(found))
