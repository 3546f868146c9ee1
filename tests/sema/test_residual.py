"""Residuals are equivalent to their conditions, and SymPy agrees with our own solver."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conditions import joined
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy_solver import solve_symbolic

from dcp_lang.sema.residual import as_term, residual
from dcp_lang.sema.symbolic import formula
from dcp_lang.sema.terms import Items, Num, Op, Ref, Sym, Term, number, term_text
from dcp_lang.sema.truth import holds

X, B = Ref("x", None), Ref("score(b)", None)
LINE = [Fraction(k, 64) for k in range(65)]

fractions = st.fractions(-2, 2, max_denominator=16).map(number)
linear = st.builds(lambda a, c: Op("+", (Op("*", (a, X)), c)), fractions, fractions)
comparisons = st.builds(
    lambda op, a, c: Op(op, (a, c)), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), linear, fractions
)
conditions = joined(comparisons)


@given(conditions)
@settings(max_examples=100, deadline=None)
def test_the_residual_of_a_condition_on_one_unknown_is_equivalent_to_it(term: Term) -> None:
    rest = residual(term)
    marks = {m for m in _constants(rest) if 0 <= m <= 1} if rest else set()
    points = [{"x": v} for v in (*LINE, *marks)]
    assert rest is not None or len({holds(term, p) for p in points}) == 1
    assert rest is None or all(holds(rest, p) == holds(term, p) for p in points)


def _constants(term: Term) -> list[Fraction]:
    match term:
        case Num(value):
            return [value]
        case Op(_, args):
            return [c for a in args for c in _constants(a)]
        case _:
            return []


@given(conditions)
@settings(max_examples=15, deadline=None)
def test_sympy_solves_linear_conditions_alike(term: Term) -> None:
    ours, theirs = residual(term), solve_symbolic(term, X)
    if ours is not None and theirs is not None:
        assert ours == as_term(theirs, X)


half, gain = number("0.5"), Op("-", (X, B))


@pytest.mark.parametrize(
    ("term", "solved"),
    [
        (Op("<", (Ref("epsilon", number("0.005")), Op("-", (X, half)))), "x > 0.505"),
        (Op("<", (Ref("epsilon", number("0.005")), gain)), "x > score(b) + 0.005"),
        (Op(">=", (Op("*", (number(3), gain)), number(1))), "x >= score(b) + 1/3"),
        (Op("<=", (B, half)), "score(b) <= 0.5"),
        (Op("and", (Op("==", (Sym("a"), Sym("a"))), Op(">", (X, half)))), "x > 0.5"),
        (Op("or", (Op("<", (X, number("0.2"))), Op(">=", (X, number("0.8"))))), "x < 0.2 or x >= 0.8"),
        (Op("!=", (X, half)), "x < 0.5 or x > 0.5"),
        (Op("==", (Op("*", (number(2), X)), number(1))), "x == 0.5"),
        (Op("<", (Op("*", (X, X)), number("0.25"))), "x < 0.5"),
        (Op(">", (Op("*", (X, Op("-", (number(1), X)))), number("0.1875"))), "x > 0.25 and x < 0.75"),
        (Op(">=", (X, number(1))), "x == 1"),
        (Op(">", (X, number(0))), "x > 0"),
    ],
)
def test_residuals_read_as_one_would_write_them(term: Term, solved: str) -> None:
    rest = residual(term)
    assert rest is not None and term_text(rest) == solved


@pytest.mark.parametrize(
    "term",
    [
        Op("<", (number(1), number(2))),  # nothing is unknown
        Op(">", (Op("*", (X, X)), number("0.5"))),  # the end is no rational
        Op("<", (Op("*", (X, B)), half)),  # not linear in two unknowns
    ],
)
def test_what_cannot_be_solved_in_rationals_has_no_residual(term: Term) -> None:
    assert residual(term) is None


# Formulas


@pytest.mark.parametrize(
    ("term", "text", "latex"),
    [
        (
            Op("<", (Ref("epsilon", half), gain)),
            "epsilon < x - score(b)",
            r"\varepsilon < x - \mathrm{score}(b)",
        ),
        (
            Op("<=", (Ref("delta_sham", half), Op("/", (Ref("delta_evidence", half), number(2))))),
            "delta_sham <= delta_evidence / 2",
            r"\delta_{\mathrm{sham}} \leq \frac{\delta_{\mathrm{evidence}}}{2}",
        ),
        (
            Op(
                "and",
                (Op("<=", (number(0), Ref("rho", half))), Op("not", (Op("==", (Sym("a"), Sym("b_c"))),))),
            ),
            "0 <= rho and not a == b_c",
            r"0 \leq \rho \wedge \text{a} \neq \text{b\_c}",  # SymPy's reading of a negated equation
        ),
        (
            Op("contains", (Items(("length", "timing")), Sym("length"))),
            "[length, timing] contains length",
            r"\text{length} \in \left\{\text{length}, \text{timing}\right\}",
        ),
    ],
)
def test_formulas_keep_the_order_in_which_they_are_written(term: Term, text: str, latex: str) -> None:
    assert formula(term, "text") == text
    assert formula(term, "latex") == latex


def test_mathml_is_well_formed_and_escapes_what_users_write() -> None:
    from xml.etree import ElementTree

    hostile = Sym("<script>alert('&')</script>")
    markup = formula(
        Op("and", (Op("<", (Ref("epsilon", half), gain)), Op("==", (hostile, Sym("b"))))), "mathml"
    )
    tree = ElementTree.fromstring(f"<math>{markup}</math>")
    assert tree.find(".//script") is None
    assert "".join(tree.itertext()).startswith("ε<x-score(b)∧")


def test_there_are_three_forms() -> None:
    with pytest.raises(KeyError):
        formula(X, "word")
