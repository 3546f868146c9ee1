"""The prover against brute force: what it says of a condition is so at every point of a grid of rationals."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcp_lang.sema.linear import Linear
from dcp_lang.sema.prove import DEFERRED, ENTAILED, PROVED, REFUTED, Gate, Verdict, decide, evidence, steps
from dcp_lang.sema.rules.requirements import MAX_STEPS
from dcp_lang.sema.terms import Items, Num, Op, Ref, Sym, Term, number
from dcp_lang.sema.truth import UndefinedError, bounded, value_range

X, B = Ref("x", None), Ref("score(b)", None)
#: Vertices of two lines with slopes in {-1, 0, 1} and quarters for constants lie on eighths; a point of every
#: open face then lies on the 48ths.
STEPS = 48
GRID = list(product(range(STEPS + 1), repeat=2))
POINTS = [{"x": Fraction(x, STEPS), "score(b)": Fraction(b, STEPS)} for x, b in GRID[::97]]

Scaled = Callable[[int, int], int]
_SIGNS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def scaled(term: Term) -> Scaled:
    """A sum over the grid as integers, 48 times its value: an evaluation apart from the prover's own."""
    match term:
        case Num(value):
            constant = int(value * STEPS)
            return lambda x, b: constant
        case Ref(name):
            return (lambda x, b: x) if name == "x" else (lambda x, b: b)
        case Op("-", (a,)):
            inner = scaled(a)
            return lambda x, b: -inner(x, b)
        case Op(op, (a, c)):
            left, right, sign = scaled(a), scaled(c), -1 if op == "-" else 1
            return lambda x, b: left(x, b) + sign * right(x, b)
    raise AssertionError(term)


def truth(term: Term) -> Callable[[int, int], bool]:
    """A condition over the grid."""
    match term:
        case Op("and" | "or" as op, args):
            parts, join = [truth(a) for a in args], all if op == "and" else any
            return lambda x, b: join(p(x, b) for p in parts)
        case Op("not", (a,)):
            inner = truth(a)
            return lambda x, b: not inner(x, b)
        case Op(op, (a, c)):
            left, right, sign = scaled(a), scaled(c), _SIGNS[op]
            return lambda x, b: sign(left(x, b), right(x, b))
    raise AssertionError(term)


quarters = st.integers(-6, 6).map(lambda k: number(Fraction(k, 4)))
sums = st.sampled_from([X, B, Op("+", (X, B)), Op("-", (X, B)), Op("-", (B, X)), Op("-", (X,))])
comparisons = st.builds(
    lambda op, a, b: Op(op, (a, b)), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), sums, quarters
)


def _combine(parts: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    pairs = st.builds(lambda op, a, b: Op(op, (a, b)), st.sampled_from(["and", "or"]), parts, parts)
    return pairs | parts.map(lambda a: Op("not", (a,)))


#: At most two comparisons, so that the grid meets every cell.
conditions = comparisons | _combine(comparisons)


@given(conditions)
@settings(max_examples=80, deadline=None)
def test_linear_conditions_are_decided_completely(term: Term) -> None:
    holds = truth(term)
    truths = {holds(x, b) for x, b in GRID}
    expected = {frozenset({True}): PROVED, frozenset({False}): REFUTED}.get(frozenset(truths), DEFERRED)
    assert decide(term).status == expected


@given(conditions, comparisons.filter(lambda t: t.op in ("<=", ">=", "==")))
@settings(max_examples=40, deadline=None)
def test_entailment_is_truth_wherever_the_gate_passes(term: Term, guarantee: Term) -> None:
    verdict = decide(term, (Gate("outcome", guarantee),))
    passes, holds = truth(guarantee), truth(term)
    passing = [p for p in GRID if passes(*p)]
    if verdict.status == ENTAILED:
        assert verdict.gate == "outcome" and passing and all(holds(*p) for p in passing)
    elif verdict.status == DEFERRED:
        assert not passing or not all(holds(*p) for p in passing)


slopes = st.sampled_from([Fraction(k, 2) for k in range(-3, 4)])
boxes = st.tuples(quarters, quarters).map(lambda ends: sorted(end.value for end in ends))


def value(form: Linear, point: dict[str, Fraction]) -> Fraction:
    return form.constant + sum(c * point[ref.name] for ref, c in form.coefficients)


@given(st.lists(st.tuples(slopes, slopes, boxes), max_size=2), slopes, slopes)
@settings(max_examples=300, deadline=None)
def test_the_least_value_beyond_a_guard_lies_at_a_vertex(
    rows: list[Any], own: Fraction, theirs: Fraction
) -> None:
    """A corner of the box, or where the guard's line crosses one of its edges."""
    refs = [Ref(name, None, *box) for name, (_, _, box) in zip("xb", rows, strict=False)]
    form, guard = (
        Linear(constant, tuple((ref, row[i]) for ref, row in zip(refs, rows, strict=True) if row[i]))
        for i, constant in ((0, own), (1, theirs))
    )
    points = [dict(zip("xb", corner, strict=False)) for corner in product(*(box for _, _, box in rows))]
    for ref, slope in guard.coefficients:
        ends = [point | {ref.name: point[ref.name] - value(guard, point) / slope} for point in points]
        points += [point for point in ends if ref.low <= point[ref.name] <= ref.high]
    passing = [value(form, point) for point in points if value(guard, point) >= 0]
    assert form.minimum_where(guard) == min(passing, default=None)


@pytest.mark.parametrize(("op", "status"), [(">=", DEFERRED), ("==", ENTAILED), ("<=", ENTAILED)])
def test_a_gate_bounds_on_its_own_side_alone(op: str, status: str) -> None:
    gate = Gate("outcome", Op(op, (X, number("0.5"))))
    assert decide(Op("<=", (X, number("0.5"))), (gate,)).status == status


products = st.recursive(
    sums | quarters,
    lambda parts: st.builds(
        lambda op, a, b: Op(op, (a, b)), st.sampled_from(["+", "-", "*", "/"]), parts, parts
    ),
    max_leaves=5,
)


@given(products, products)
@settings(max_examples=100, deadline=None)
def test_intervals_hold_every_value(left: Term, right: Term) -> None:
    found = bounded(Op("<", (left, right)))
    try:
        low, high = value_range(left)
    except UndefinedError:
        return
    assert all(low <= _value(left, p) <= high for p in POINTS)
    if found is not None:
        assert all((_value(left, p) < _value(right, p)) == found for p in POINTS)


def _value(term: Term, point: dict[str, Fraction]) -> Fraction:
    match term:
        case Num(value):
            return value
        case Ref(name):
            return point[name]
        case Op("-", (a,)):
            return -_value(a, point)
        case Op(op, (a, b)):
            x, y = _value(a, point), _value(b, point)
            return {"+": x + y, "-": x - y, "*": x * y}[op] if op != "/" else x / y
    raise AssertionError(term)


# The protocol's own conditions


def _line(epsilon: str, baseline: Term, x: Term = X) -> Term:
    return Op("<", (number(epsilon), Op("-", (x, baseline))))


@pytest.mark.parametrize(
    ("term", "status", "margin"),
    [
        (_line("0.005", number("0.5")), DEFERRED, None),
        (_line("0.5", number("0.5")), REFUTED, "0"),  # the greatest gain is exactly ε
        (_line("0.499999999999", number("0.5")), DEFERRED, None),
        (_line("0.005", B), DEFERRED, None),  # sealed
        (_line("1", B), REFUTED, "0"),
        (_line("0.005", number("0.25"), Ref("x", number("0.255"))), REFUTED, "0"),
        (_line("0.005", number("0.25"), Ref("x", number("0.256"))), PROVED, "0.001"),
        (Op(">=", (X, number(0))), PROVED, "0"),
        (Op(">", (X, number(0))), DEFERRED, None),
        (Op("<=", (Op("+", (X, B)), number(2))), PROVED, "0"),
        (Op("<", (X, B)), DEFERRED, None),  # an unknown against an unknown
        (Op("<=", (X, X)), PROVED, "0"),
        (Op("!=", (X, X)), REFUTED, None),
    ],
)  # fmt: skip
def test_boundaries_are_decided_exactly(term: Term, status: str, margin: str | None) -> None:
    assert decide(term) == Verdict(status, None if margin is None else Fraction(margin))


def test_an_exhaustive_gate_entails_the_recovery_line_exactly_when_epsilon_is_below_delta_min() -> None:
    gate = Gate("outcome", Op(">=", (Op("-", (X, B)), Ref("delta_min", number("0.5")))))
    below, equal = _line("0.499999999999", B), _line("0.5", B)
    assert decide(below, (gate,)) == Verdict(ENTAILED, Fraction(1, 10**12), "outcome")
    assert decide(equal, (gate,)).status == DEFERRED
    shown = evidence(below, decide(below, (gate,)), (gate,))
    assert shown == "0.499999999999 < x - score(b) wherever x - score(b) >= 0.5 (gate outcome)"


def test_two_gates_may_entail_together_what_neither_entails_alone() -> None:
    gain = Gate("gain", Op(">=", (Op("-", (X, B)), number("0.5"))))
    floor = Gate("floor", Op(">=", (B, number("0.25"))))
    assert decide(Op(">=", (X, number("0.75"))), (gain, floor)) == Verdict(
        ENTAILED, Fraction(0), "gain and floor"
    )
    assert decide(Op(">", (X, number("0.75"))), (gain, floor)).status == DEFERRED


def test_a_gate_that_nothing_can_pass_entails_nothing() -> None:
    impossible = Gate("outcome", Op(">=", (X, number(2))))
    assert decide(Op(">", (X, number("0.5"))), (impossible,)).status == DEFERRED


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (Op("in", (Ref("grade", Sym("core")), Items(("core", "evidence")))), PROVED),
        (Op("contains", (Items(("timing",)), Sym("length"))), REFUTED),
        (Op("==", (Items(("a", "b")), Items(("b", "a")))), PROVED),
        (Op("or", (Op("==", (Sym("a"), Sym("b"))), Op(">", (X, number(0))))), DEFERRED),
        (Op("and", (Op("==", (Sym("a"), Sym("b"))), Op(">", (X, number(0))))), REFUTED),
        (Op("and", (Op(">", (X, number("0.5"))), Op("<", (X, number("0.5"))))), REFUTED),
        (Op("or", (Op(">", (X, number("0.5"))), Op("<=", (X, number("0.5"))))), PROVED),
    ],
)
def test_words_and_numbers_join_in_one_logic(term: Term, expected: str) -> None:
    assert decide(term).status == expected


@pytest.mark.parametrize(
    ("term", "status", "note"),
    [
        (Op(">=", (Op("*", (X, X)), number(0))), PROVED, ""),  # by intervals
        (
            Op(">=", (Op("*", (Op("-", (X, number("0.5"))), Op("-", (X, number("0.5"))))), number(0))),
            PROVED,
            "",
        ),
        (Op("<", (Op("*", (X, Op("-", (number(1), X)))), number("0.26"))), PROVED, ""),  # by SymPy
        (Op("<", (Op("*", (X, Op("-", (number(1), X)))), number("0.25"))), DEFERRED, ""),
        (Op("<=", (Op("*", (X, Op("-", (number(1), X)))), number("0.25"))), PROVED, ""),
        (Op(">", (Op("*", (X, X)), number(1))), REFUTED, ""),
        (Op(">", (Op("/", (number(1), X)), number("0.5"))), DEFERRED, "not decided: a divisor may be 0"),
        (Op("<", (Op("*", (X, B)), Op("*", (B, X)))), DEFERRED, "not decided: not linear in x and score(b)"),
    ],
)
def test_what_is_not_linear_is_decided_or_says_that_it_is_not(term: Term, status: str, note: str) -> None:
    assert decide(term)[::3] == (status, note)


def test_a_condition_beyond_the_budget_is_left_undecided_at_once() -> None:
    power: Term = X
    for _ in range(12):
        power = Op("*", (power, X))
    term = Op("<", (Op("-", (power, Op("*", (X, X)))), number(0)))
    assert decide(term) == Verdict(DEFERRED, note="not decided: not linear in x")
    many = Op("and", tuple(Op("<", (Op("+", (X, B)), number(Fraction(k, 20)))) for k in range(1, 12)))
    assert decide(many) == Verdict(DEFERRED, note="not decided: too many comparisons in x and score(b)")


def test_ten_thousand_plain_conditions_are_decided_and_dozens_of_operations_by_sympy() -> None:
    """`1 <= ε + 1 < δ_min + 1`, the condition of the benchmark's longest file; then sums of x · x."""
    epsilon, gain, one = Ref("ε", number("0.005")), Ref("δ_min", number("0.5")), number(1)
    raised = Op("+", (epsilon, one))
    plain = Op("and", (Op("<=", (one, raised)), Op("<", (raised, Op("+", (gain, one))))))
    assert 10_000 * steps(plain) <= MAX_STEPS

    square = Op("*", (X, X))
    squares = Op("<=", (Op("+", (square, square)), one))
    assert MAX_STEPS // steps(squares) == 9  # 4 operations each, 37 in all
