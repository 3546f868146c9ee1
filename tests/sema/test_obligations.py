"""Obligations: the documented evaluator agrees with the prover on the trees that the frozen JSON carries."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from bases import base, compilation
from hypothesis import given, settings
from hypothesis import strategies as st
from literate import patched

from dcp_lang.sema.terms import Items, Op, Ref, Sym, Term, number, references, term_json, term_text
from dcp_lang.sema.truth import holds
from dcp_lang.verify.obligations import evaluate, known_value

DOCUMENT = (Path(__file__).parents[2] / "docs" / "obligations.md").read_text(encoding="utf-8")

X, B = Ref("x", None), Ref("score(b)", None)
known = [
    Ref("delta_min", number("0.5")),
    Ref("cost", number("2240", "USD")),
    Ref("grade", Sym("core")),
    Ref("preserves", Items(("timing", "schema"))),
]
numbers = st.recursive(
    st.sampled_from([X, B, known[0], number("1/7"), number(-2)]),
    lambda parts: st.builds(lambda op, a, b: Op(op, (a, b)), st.sampled_from(["+", "-", "*"]), parts, parts),
    max_leaves=4,
)
atoms = st.builds(
    lambda op, a, b: Op(op, (a, b)), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), numbers, numbers
) | st.sampled_from(
    [
        Op("==", (known[2], Sym("core"))),
        Op("in", (known[2], Items(("evidence",)))),
        Op("contains", (known[3], Sym("schema"))),
        Op("<=", (known[1], number("2500", "USD"))),
    ]
)
conditions = st.recursive(
    atoms,
    lambda parts: (
        st.builds(lambda op, a: Op(op, tuple(a)), st.sampled_from(["and", "or"]), st.lists(parts, min_size=1))
        | parts.map(lambda a: Op("not", (a,)))
    ),
    max_leaves=4,
)
points = st.fractions(0, 1, max_denominator=50)


@given(conditions, points, points)
@settings(max_examples=150, deadline=None)
def test_the_evaluator_agrees_with_the_prover(term: Term, x: Fraction, b: Fraction) -> None:
    values = {r.name: known_value(term_text(r.value)) for r in references(term) if r.value is not None}
    tree = json.loads(json.dumps(term_json(term)))
    assert evaluate(tree, values | {"x": x, "score(b)": b}) == holds(term, {"x": x, "score(b)": b})


def test_the_documents_own_obligation_is_what_the_compiler_makes_of_it() -> None:
    obligation = json.loads(re.findall(r"^```json\n(.*?)^```$", DOCUMENT, re.M | re.S)[0])
    text = patched(
        base("evidence"),
        """\
- population = exhaustive(7 units)
+ population = sampled(100_000 units)
- lattice    = 1/7
- score    = 0.25
+ score    = 0.5
- δ_min      = 0.5
+ δ_min      = 0.4
""",
    )
    analysis = compilation(text).analysis
    assert analysis is not None
    (condition,) = (c for c in analysis.conditions if c.is_obligation)
    residual = condition.residual
    assert residual is not None and term_text(residual) == obligation["residual"]
    assert term_json(condition.term) == obligation["expression"]
    assert (condition.code, condition.text) == (obligation["code"], obligation["condition"])


def test_the_documents_program_says_what_its_comments_say() -> None:
    obligation = json.loads(re.findall(r"^```json\n(.*?)^```$", DOCUMENT, re.M | re.S)[0])
    (program,) = re.findall(r"^```python\n(.*?)^```$", DOCUMENT, re.M | re.S)
    setup, *claims = re.split(r"\n(?=evaluate\()", program)
    scope = {"obligation": obligation}
    exec(setup, scope)
    assert [str(eval(c.partition("#")[0], scope)) for c in claims] == [
        c.split("# ")[1].split(":")[0].strip() for c in claims
    ]


def test_an_exhaustive_population_entails_the_recovery_line() -> None:
    analysis = compilation(base("evidence")).analysis
    assert analysis is not None
    (condition,) = (c for c in analysis.conditions if c.is_obligation)
    assert (condition.verdict.status, condition.verdict.gate) == ("entailed", "outcome")
    assert condition.verdict.margin == Fraction("0.495")
    assert condition.evidence == "0.005 < x - 0.25 wherever x - 0.25 >= 0.5 (gate outcome)"


@pytest.mark.parametrize(
    ("condition", "status", "evidence"),
    [
        ("ρ <= 5%", "proved", "0.05 <= 0.05"),
        ("x >= 0.9", "deferred", "x >= 0.9"),
        ("x > score(b)", "entailed", "x > 0.25 wherever x - 0.25 >= 0.5 (gate outcome)"),
        ("x <= 1", "proved", "x <= 1: 1 - x is at least 0"),
        ("x * x > 0.5", "deferred", "x * x > 0.5"),
        ("1 / x < 2", "deferred", "not decided: a divisor may be 0"),
        ("grade == evidence", "proved", "evidence == evidence"),
        ("subject != human_agent", "proved", "autonomous_agent != human_agent"),
    ],
)
def test_evidence_stands_alone(condition: str, status: str, evidence: str) -> None:
    text = patched(base("evidence"), f"- policy challenger {{\n+ require {condition}\n+ policy challenger {{")
    analysis = compilation(text).analysis
    assert analysis is not None
    (found,) = (c for c in analysis.conditions if c.origin == "require")
    assert (found.verdict.status, found.evidence) == (status, evidence)
