"""Conditions on one unknown that are not linear: the right verdicts, SymPy as a peer, and laws at many points."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from conditions import joined
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy_solver import solve_symbolic

from dcp_lang.sema.polynomial import Roots, coprime, plus, sign_at, times
from dcp_lang.sema.prove import DEFERRED, PROVED, REFUTED, decide
from dcp_lang.sema.residual import as_term
from dcp_lang.sema.terms import COMPARISONS, Op, Ref, Term, number
from dcp_lang.sema.truth import UndefinedError, holds
from dcp_lang.sema.univariate import solve, truths_of

X = Ref("x", None)
LINE = [Fraction(k, 60) for k in range(61)]
SQUARE = Op("*", (X, X))
CUBE = Op("*", (SQUARE, X))


def minus(a: Term, b: Term | str) -> Op:
    return Op("-", (a, number(b) if isinstance(b, str) else b))


def cubic(most: str) -> Op:
    """`x³ - 3x/10 <= most`: the left side is least at x = 1/√10, where it is -1/(5√10) = -0.06324…"""
    return Op("<=", (minus(CUBE, Op("*", (number("0.3"), X))), number(most)))


@pytest.mark.parametrize(
    ("term", "status"),
    [
        # Three real roots that only complex numbers express in radicals.
        (cubic("-0.01"), DEFERRED),
        (cubic("-0.0632"), DEFERRED),
        (cubic("-0.0633"), REFUTED),
        (cubic("0.7"), PROVED),  # at x = 1 it is 0.7
        (cubic("0.699"), DEFERRED),
        # A double root touches 0 from one side.
        (Op(">=", (Op("*", (minus(X, "0.3"), minus(X, "0.3"))), number(0))), PROVED),
        (Op(">", (Op("*", (minus(X, "0.3"), minus(X, "0.3"))), number(0))), DEFERRED),
        (Op("==", (SQUARE, number("0.5"))), DEFERRED),
        (Op("!=", (SQUARE, number("0.5"))), DEFERRED),
        (Op("==", (SQUARE, number(2))), REFUTED),
        (Op("<=", (SQUARE, SQUARE)), PROVED),  # a difference that is 0 everywhere
        (Op("<", (SQUARE, SQUARE)), REFUTED),
        # Roots at the very ends: x² = x at 0 and at 1.
        (Op("<=", (SQUARE, X)), PROVED),
        (Op("<", (SQUARE, X)), DEFERRED),
        # Two differences with a common root 1/2: they are 0 together.
        (Op("or", (Op("!=", (Op("*", (number(2), SQUARE)), X)), Op("<=", (SQUARE, number("0.25"))))), PROVED),
        (Op("and", (Op(">", (SQUARE, number("0.25"))), Op("<=", (CUBE, number("0.125"))))), REFUTED),
        (Op("not", (Op("<", (CUBE, number(0))),)), PROVED),
        # Divisors that are negative and never 0 on the interval.
        (Op("<=", (Op("/", (X, minus(X, "2"))), number(0))), PROVED),
        (Op("<", (Op("/", (number(1), minus(SQUARE, "2"))), number(-1))), REFUTED),
    ],
)
def test_verdicts(term: Term, status: str) -> None:
    assert decide(term).status == status


@pytest.mark.parametrize("divisor", [X, minus(X, "0.5"), minus(X, "1"), minus(X, X), minus(SQUARE, "0.5")])
def test_a_divisor_that_may_be_0_leaves_a_condition_undecided(divisor: Term) -> None:
    """Also where it would cancel: 0/0 is no number."""
    term = Op("<=", (Op("/", (divisor, divisor)), number(1)))
    assert decide(term).note == "not decided: a divisor may be 0"
    assert solve(term, X) is None


numbers = st.fractions(-2, 2, max_denominator=6).map(number)
factors = st.builds(lambda op, a: Op(op, (X, a)), st.sampled_from("+-"), numbers)
sides = st.one_of(
    factors,
    st.builds(lambda a, b: Op("*", (a, b)), factors, factors),
    st.builds(lambda a, b: Op("/", (a, b)), factors, factors),
    st.builds(lambda a, b, c: Op("-", (Op("*", (a, Op("*", (b, b)))), c)), factors, factors, factors),
)
comparisons = st.builds(lambda op, a, b: Op(op, (a, b)), st.sampled_from(COMPARISONS), sides, numbers)
conditions = joined(comparisons)


@given(conditions)
@settings(max_examples=200, deadline=None)
def test_the_truth_at_a_point_is_among_the_truths_and_as_the_solution_says(term: Term) -> None:
    with suppress(UndefinedError):
        truths = truths_of(term)
        at = [holds(term, {"x": value}) for value in LINE]
        assert truths >= set(at)
        found = solve(term, X)
        if found is not None:
            rest = as_term(found, X)
            assert [holds(rest, {"x": value}) for value in LINE] == at


@given(st.lists(st.fractions(0, 1, max_denominator=60), min_size=1, max_size=5), st.sampled_from("<>"))
@settings(max_examples=100, deadline=None)
def test_rational_roots_are_found_exactly(roots: list[Fraction], op: str) -> None:
    """The product of (x - root) is 0 at the roots, each counted once, and its sign changes at odd ones."""
    product: Term = number(1)
    for root in roots:
        product = Op("*", (product, Op("-", (X, number(root)))))
    found = solve(Op(op + "=", (product, number(0))), X) or []
    rest = as_term(found, X)
    points = [*LINE, *roots]
    assert [holds(rest, {"x": v}) for v in points] == [
        holds(Op(op + "=", (product, number(0))), {"x": v}) for v in points
    ]


@pytest.mark.parametrize(
    "term",
    [
        Op("<", (SQUARE, number("0.25"))),
        Op(">", (Op("*", (X, minus(number(1), X))), number("0.1875"))),
        Op("!=", (SQUARE, number("0.25"))),
        Op("or", (Op("<", (SQUARE, number("0.04"))), Op(">=", (SQUARE, number("0.64"))))),
        Op("and", (Op("<", (SQUARE, number("0.64"))), Op(">=", (SQUARE, number("0.04"))))),
        Op("<=", (Op("/", (X, Op("+", (X, number(1))))), number("0.25"))),
        Op(">", (SQUARE, number("0.5"))),  # in no rational numbers
    ],
)
def test_sympy_solves_alike(term: Term) -> None:
    assert solve(term, X) == solve_symbolic(term, X)


def test_polynomials() -> None:
    """(x - 1)(x + 2) = x² + x - 2; (x - 1)²(x + 2) has the same roots; common ones are set apart."""
    first, second = (-1, 1), (2, 1)
    product = times(first, second)
    assert product == (-2, 1, 1)
    assert plus(product, (2, -1, -1)) == ()
    assert [sign_at(product, Fraction(k)) for k in (-3, -2, 0, 1, 2)] == [1, 0, -1, 0, 1]
    assert sorted(coprime([times(first, product), product])) == [product]
    parts = coprime([times(first, product), first])
    assert sorted(parts) == sorted([first, second])
    roots = Roots(product)
    assert roots.count(Fraction(-2), Fraction(1)) == 1  # open below, closed above
    assert [roots.rational(r) for r in roots.isolated(Fraction(-3), Fraction(5))] == [-2, 1]
    surd = Roots((-2, 0, 1))
    assert surd.rational(next(surd.isolated(Fraction(0), Fraction(2)))) is None
