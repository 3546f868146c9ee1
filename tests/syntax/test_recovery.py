"""All faults of a file in one run, once each, and every sound statement kept."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax_reading import read

from dcp_lang.syntax import ast
from dcp_lang.syntax.spelling import expression_text

TWELVE_FAULTS = """\
dcp 1
use "dcp.kernel/2"

registration sqlite_web : evidence {
  id = "unclosed
  title = "sound"
  family = family("x", audits = 1, alpha = 0,05)
  task t {
    score = maximize("…" on [0, 1]
    population = exhaustive(1 unit)
    evaluator = = sealed("sha256:…")
  }
  budget session { turns = 8, cost = 10USD, time = 30 min }
  thresholds {
    δ_min = 1e-1
    ε − 1
    ρ = 5 %%
    recall_min = 0.8
  }
  gate recovery {
    episodes 96
    draws = 'text'
    web = observed_bytes ; best_of = 1
  gate feedback {
    pairs = 30
  }
  require ε < x - score(b)
}
"""


def outline(statements: tuple[Any, ...]) -> list[Any]:
    """Heads, and values where they could be read; blocks as pairs."""
    found: list[Any] = []
    for node in statements:
        head = " ".join(h.name for h in getattr(node, "head", ()) if isinstance(h, ast.Word))
        if isinstance(node, ast.Block):
            found.append((head, outline(node.body)))
        elif isinstance(node, ast.Field):
            found.append(f"{head} = {expression_text(node.value)}")
        else:
            found.append(type(node).__name__)
    return found


def test_twelve_faults_are_twelve_findings() -> None:
    result = read(TWELVE_FAULTS)
    lines = [(d.source.position(d.span.start).line, d.code) for d in result.found]
    assert lines == [
        (5, "E030"),
        (7, "E021"),
        (9, "E040"),
        (11, "E050"),
        (13, "E028"),
        (15, "E020"),
        (16, "E010"),
        (17, "E024"),
        (20, "E041"),
        (21, "E050"),
        (22, "E032"),
        (23, "E015"),
    ]


def test_what_is_sound_is_kept() -> None:
    file = read(TWELVE_FAULTS).file
    assert outline(file.statements) == [
        "Edition",
        "Use",
        (
            "registration sqlite_web",
            [
                "id = …",
                'title = "sound"',
                'family = family("x", audits = 1, alpha = 0.05)',
                (
                    "task t",
                    ['score = maximize("…" on [0, 1])', "population = exhaustive(1 unit)", "evaluator = …"],
                ),
                ("budget session", ["turns = 8", "cost = …", "time = 30 min"]),
                ("thresholds", ["delta_min = 0.1", "epsilon = …", "rho = 5%", "recall_min = 0.8"]),
                ("gate recovery", ["episodes = …", 'draws = "text"', "web = observed_bytes", "best_of = 1"]),
                ("gate feedback", ["pairs = 30"]),
                "Require",
            ],
        ),
    ]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a = = 1\nb = 2", ["a = …", "b = 2"]),
        ("a { b = = 1, c = 2 }\nd = 3", [("a", ["b = …", "c = 2"]), "d = 3"]),
        ("a = f(1 2, c = 3)\nd = 4", ["a = …", "d = 4"]),
        ("a = f({ b = = 1, c = 2 })\nd = 4", ["a = f({ b = …, c = 2 })", "d = 4"]),
        ("a = [1,\n 2 3,\n 4]\nd = 4", ["a = …", "d = 4"]),
        ("a b c\nd = 4", ["a b c = …", "d = 4"]),
        ("a : = {\n b = 1\n}\nd = 4", ["a = …", "d = 4"]),
        ("a 5 : 5 {\n b = 1\n}\nd = 4", [("a", ["b = 1"]), "d = 4"]),
        ("5 a {\n b = 1\n}\nd = 4", ["d = 4"]),
        ("a { b = 1 } c\nd = 4", [("a", ["b = 1"]), "d = 4"]),
        ("a = { b = 1 } c\nd = 4", ["a = { b = 1 }", "d = 4"]),
        ("use\nd = 4", ["d = 4"]),
        ("require a <\nd = 4", ["d = 4"]),
        ("a = 1,, b = 2", ["a = 1", "b = 2"]),
        (", a = 1", ["a = 1"]),
        ("a { , }\nb = 1", [("a", []), "b = 1"]),
        ("a {\n ) b = 1\n}\nc = 1", [("a", ["b = 1"]), "c = 1"]),
        ("a = = 1, b c d e f g h = 2", ["a = …", "b c d e f g h = 2"]),
        ("a = = 1, b c d e f g h i = 2", ["a = …"]),
        ("a; b = 1\nc = 2", ["a = …", "b = 1", "c = 2"]),
        ("a = 5 000\nb = 1", ["a = …", "b = 1"]),
    ],
)
def test_one_faulty_statement_one_finding(text: str, kept: list[Any]) -> None:
    result = read(text)
    assert len(result.found) == 1
    assert outline(result.file.statements) == kept


@pytest.mark.parametrize(
    ("text", "marked", "kept"),
    [
        ("a = f(1,\nb = 2\nc = [1]", [5], ["a = f(1)", "b = 2", "c = [1]"]),
        ("a = f(\nb = 2", [5], ["a = f()", "b = 2"]),
        ("a {\n  b = [1, f(2\n  c = 3\n}", [10], [("a", ["b = [1, f(2)]", "c = 3"])]),
        ("a {\n  b = f(\n    1,\n  c = 3\n}", [11], [("a", ["b = f(1)", "c = 3"])]),
        ("a {\n  b = f(\n    x = 1,\n    y = 2\n}\nz = 1", [11], [("a", ["b = f(x = 1, y = 2)"]), "z = 1"]),
        ("a = f([1, 2)\nb = 1", [6], ["a = f([1, 2])", "b = 1"]),
        ("a = f(g(1)\nb = h(2)", [5], ["a = f(g(1))", "b = h(2)"]),
        (
            "r {\n  a {\n    x = 1\n  b {\n    y = 1\n  }\n}",
            [8],
            [("r", [("a", ["x = 1"]), ("b", ["y = 1"])])],
        ),
        ("r {\n  a { x = 1\n  b { y = 1 }\n}", [8], [("r", [("a", ["x = 1"]), ("b", ["y = 1"])])]),
        ("r {\n  a {\n    x = 1\n}\nb = 1", [8], [("r", [("a", ["x = 1"])]), "b = 1"]),
        ("r {\n  a { x = 1 } }\n  b = 2\n}\nc = 3", [18], [("r", [("a", ["x = 1"]), "b = 2"]), "c = 3"]),
        ("r {\n  a = 1\n}\n}\nc = 3", [14], [("r", ["a = 1"]), "c = 3"]),
        ("a {\n  b = 1", [2], [("a", ["b = 1"])]),
    ],
)
def test_brackets_are_repaired_where_a_reader_would(text: str, marked: list[int], kept: list[Any]) -> None:
    result = read(text)
    assert [d.span.start for d in result.found] == marked
    assert outline(result.file.statements) == kept


@pytest.mark.parametrize(
    "text",
    [
        'a = f("x)\nb = 1',
        'a { b = "x }\nc = 1',
        'a = [1, "x]\nb = 1',
        "a = f(“x)\nb = 1",
        "a = f(0.1.2 3)\nb = 1",
        'a = """x\nb = 1\nc { d = 1 }',
    ],
)
def test_a_fault_within_a_statement_hides_what_follows_from_it(text: str) -> None:
    assert len(read(text).found) == 1


def test_an_unclosed_text_ends_before_the_next_statement() -> None:
    result = read('r {\n  a = """some words,\n  more words\n  b = 1\n  c { d = 1 }\n}')
    assert result.codes == ["E030"]
    assert outline(result.file.statements) == [("r", ["a = …", "b = 1", ("c", ["d = 1"])])]


def test_a_text_that_swallows_the_next_one_is_the_unclosed_one() -> None:
    text = 'r {\n  a = """It\'s text,\n  b = 1  # "c"\n  d = """Don\'t: 5 %% {\n  e"""\n  f { g = 1 }\n}'
    result = read(text)
    assert [(d.code, d.source.position(d.span.start)) for d in result.found] == [("E030", (2, 7))]
    assert outline(result.file.statements) == [
        ("r", ["a = …", "b = 1", 'd = "Don\'t: 5 %% {\\ne"', ("f", ["g = 1"])])
    ]
    assert [c.text for c in result.file.comments] == ['# "c"']


_SOUND = ["a = 1", "b c = [1, 2]", "d { e = 1 }", "require f < 1", 'use "g"']
_FAULTY = ["a = = 1", "a = f(1 2)", "a b", 'a = "x', "a = 1e3", "= 1", "a = [1", "a = 1)", "require", "a ≤ 1"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(_SOUND + _FAULTY), max_size=12))
def test_any_mixture_of_lines(lines: list[str]) -> None:
    """As many findings as faulty lines, on those lines; the sound statements as if they stood alone."""
    result = read("\n".join(lines))
    faulty = [number for number, line in enumerate(lines, 1) if line in _FAULTY]
    found = [d.source.position(d.span.start).line for d in result.found if d.code != "E006"]
    assert found == faulty
    kept = outline(result.file.statements)
    for line in lines:
        if line in _SOUND:
            (alone,) = outline(read(line).file.statements)
            assert alone in kept


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(_SOUND + _FAULTY), max_size=8))
def test_any_mixture_of_lines_in_a_block(lines: list[str]) -> None:
    result = read("r {\n  " + "\n  ".join([*lines, "z = 0"]) + "\n}\nlast = 1")
    faulty = [number for number, line in enumerate(lines, 2) if line in _FAULTY]
    assert [d.source.position(d.span.start).line for d in result.found] == faulty
    block, last = outline(result.file.statements)
    assert block[1][-1] == "z = 0" and last == "last = 1"
