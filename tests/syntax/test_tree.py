"""The tree of sound texts: kinds of statements, precedence, spans, names, strings, layout."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from syntax_programs import programs
from syntax_reading import read, sound, value

from dcp_lang.source import Span
from dcp_lang.syntax import ast
from dcp_lang.syntax.strings import string_value


def shape(node: Any) -> str:
    """An expression with all parentheses."""
    match node:
        case ast.Binary():
            return f"({shape(node.left)} {node.operator} {shape(node.right)})"
        case ast.Unary():
            return f"({node.operator} {shape(node.operand)})"
        case ast.Comparison():
            return "(" + shape(node.first) + "".join(f" {op} {shape(e)}" for op, e in node.rest) + ")"
        case ast.Name():
            return node.dotted
        case ast.Number():
            return node.text
        case _:
            return type(node).__name__


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a / b / c", "((a / b) / c)"),
        ("-a * b", "((- a) * b)"),
        ("- - a", "(- (- a))"),
        ("not a == b", "(not (a == b))"),
        ("a or b and not c", "(a or (b and (not c)))"),
        ("0 <= a < b", "(0 <= a < b)"),
        ("(0 <= a) < b", "((0 <= a) < b)"),
        ("a contains b within 10%", "(a contains (b within 10%))"),
        ("a + b on c", "((a + b) on c)"),
        ("a.b.c in d", "(a.b.c in d)"),
        ("a - b\n", "(a - b)"),
    ],
)
def test_precedence(text: str, expected: str) -> None:
    assert shape(value(text)) == expected


def test_statements() -> None:
    file = sound(
        'dcp 1\nuse "p/1"\nregistration r : core {\n "prose"\n errors 5% { a = 1 }\n}\n'
        'require a when b else "c"\nallow E412 because "d"\ndefault e.f = 2\ngiven w = auto'
    )
    kinds = [type(s).__name__ for s in file.statements]
    assert kinds == ["Edition", "Use", "Block", "Require", "Allow", "Default", "Field"]
    block, require, field = file.statements[2], file.statements[3], file.statements[6]
    assert isinstance(block, ast.Block) and block.tag is not None and block.tag.name == "core"
    assert [type(s).__name__ for s in block.body] == ["Prose", "Block"]
    assert isinstance(require, ast.Require) and require.when is not None and require.message is not None
    assert require.message.value == "c"
    assert isinstance(field, ast.Field) and [h.name for h in field.head if isinstance(h, ast.Word)] == [
        "given",
        "w",
    ]
    assert isinstance(field.value, ast.Auto)


@pytest.mark.parametrize(
    "text",
    [
        "require a",
        "require a when b",
        'require a else "c"',
        'require a when b else "c"',
    ],
)
def test_requirement_parts(text: str) -> None:
    (node,) = sound(text).statements
    assert isinstance(node, ast.Require)
    assert (node.when is not None) == ("when" in text)
    assert (node.message is not None) == ("else" in text)
    assert node.span == Span(0, len(text))


def test_ordinary_words() -> None:
    for word in ("dcp", "registration", "profile", "true", "false"):
        (field,) = sound(f"{word} = {word}").statements
        assert isinstance(field, ast.Field) and shape(field.value) == word
    (field,) = sound("dcp = 1").statements
    assert isinstance(field, ast.Field)


def test_quantities_stand_on_one_line() -> None:
    node = value("10 USD")
    assert isinstance(node, ast.Quantity)
    assert (node.number.value, node.unit.name, node.span) == (10, "USD", Span(4, 10))
    assert read("x = [10\nUSD]").codes == ["E050"]
    (field,) = sound("errors 5% a b = 1").statements
    assert isinstance(field, ast.Field)
    assert [type(h).__name__ for h in field.head] == ["Word", "Quantity", "Word"]


def test_line_ends() -> None:
    assert sound("a = f(\n1,\n\n2\n,)\nb = [\n1\n]").statements[1].span == Span(16, 25)
    assert len(sound("x = f({ a = 1\n b = 2 })").statements) == 1
    assert read("x = f({ a = 1 b = 2 })").codes == ["E050"]
    assert len(sound('require a\n  when b\n\n  else "c"\nd = 1').statements) == 2
    assert len(sound("a\n{ b = 1 }").statements) == 1
    assert len(sound("a = 1, b = 2,\nc = 3,\n").statements) == 3


def test_greek_and_ascii_name_one_thing() -> None:
    pairs = {
        "δ_min": "delta_min",
        "ε": "epsilon",
        "ρ": "rho",
        "δ_sham": "delta_sham",
        "α": "alpha",
        "μ": "mu",
    }
    for greek, ascii in pairs.items():
        (field,) = sound(f"{greek} = {ascii}").statements
        assert isinstance(field, ast.Field) and isinstance(field.head[0], ast.Word)
        assert (field.head[0].name, field.head[0].text) == (ascii, greek)
        assert shape(field.value) == ascii


def test_comments_know_their_place() -> None:
    file = sound("# a\nb = 1 # c\n  # d\n{ # e\n}".replace("{", "f {"))
    assert [(c.text, c.trailing) for c in file.comments] == [
        ("# a", False),
        ("# c", True),
        ("# d", False),
        ("# e", True),
    ]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('""', ""),
        (r'"a \"b\" \\ \n \t"', 'a "b" \\ \n \t'),
        ('"""a"""', "a"),
        ('""""a" b"""', '"a" b'),
        ('"""a\n  b"""', "a\nb"),
        ('"""\n  a\n    b\n  """', "a\n  b"),
        ('"""\n    a\n  """', "  a"),
        ('"""\n  a\n\n  b\n"""', "  a\n\n  b"),
        ('"""\r\n  a\r\n  b"""', "a\nb"),
        ('"""\n"""', ""),
        ('"""\n\n"""', ""),
        ('"""  a  """', "  a  "),
    ],
)
def test_strings(raw: str, expected: str) -> None:
    assert string_value(raw) == expected
    node = value(raw)
    assert isinstance(node, ast.Text)
    assert (node.value, node.raw) == (expected, raw)


def test_indenting_a_text_changes_nothing() -> None:
    plain = '"""\na\n  b\n\nc\n"""'
    indented = '"""\n      a\n        b\n\n      c\n      """'
    assert string_value(plain) == string_value(indented) == "a\n  b\n\nc"


def nodes(node: Any) -> list[Any]:
    """All nodes with a span, each before its parts."""
    if not isinstance(node, tuple) or isinstance(node, Span):
        return []
    own = [node] if hasattr(node, "span") else []
    return own + [inner for part in node for inner in nodes(part)]


@settings(max_examples=60, deadline=None)
@given(programs())
def test_spans_nest_and_name_their_text(text: str) -> None:
    file = read(text).file
    for node in nodes(file.statements):
        part = text[node.span.start : node.span.end]
        if isinstance(node, ast.Word):
            assert part == node.text
        elif isinstance(node, ast.Number):
            assert part.strip("() \t\r\n").startswith(node.text) or node.text in part
        elif isinstance(node, ast.Text):
            assert node.raw in part
        assert part and not part[0].isspace() and not part[-1].isspace()
        for inner in nodes(node)[1:]:
            assert node.span.start <= inner.span.start <= inner.span.end <= node.span.end


def test_parentheses_belong_to_the_span() -> None:
    node = value("(a + b) * c")
    assert isinstance(node, ast.Binary)
    assert (node.span, node.left.span) == (Span(4, 15), Span(4, 11))
