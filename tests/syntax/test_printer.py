"""The canonical layout: fixed examples, and the laws on programs made from the grammar."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given, settings
from syntax_programs import programs
from syntax_reading import read, sound, value

from dcp_lang.syntax import ast
from dcp_lang.syntax.printer import format_file, same_tree
from dcp_lang.syntax.spelling import expression_text, statement_text


def formatted(text: str, *, ascii: bool = False) -> str:
    result = read(text)
    assert not result.found
    return format_file(result.file, result.source, ascii=ascii)


@settings(max_examples=100, deadline=None)
@given(programs())
def test_formatting_keeps_the_tree_and_every_comment(text: str) -> None:
    result = read(text)
    assert [c for c in result.codes if c != "E006"] == []
    again = read(format_file(result.file, result.source))
    assert same_tree(result.file, again.file)
    assert [c.text.rstrip() for c in result.file.comments] == [c.text for c in again.file.comments]


@settings(max_examples=100, deadline=None)
@given(programs())
def test_formatting_twice_changes_nothing(text: str) -> None:
    once = read(format_file(read(text).file, read(text).source))
    assert format_file(once.file, once.source) == once.source.text


@settings(max_examples=50, deadline=None)
@given(programs())
def test_ascii_spelling_names_the_same_things(text: str) -> None:
    result = read(text)
    again = read(format_file(result.file, result.source, ascii=True))
    assert same_tree(result.file, again.file)
    code = "\n".join(statement_text(s, ascii=True) for s in again.file.statements)
    assert not set(code) & set("δερ")


@settings(max_examples=50, deadline=None)
@given(programs())
def test_one_line_spellings_read_as_the_same_statement(text: str) -> None:
    for statement in read(text).file.statements:
        line = statement_text(statement)
        assert "\n" not in line
        (again,) = sound(line).statements
        assert statement_text(again) == line


CASES = {
    "blanks around signs": ("a=1+2*3 , b  =  f( x,y = 2 )", "a = 1 + 2 * 3\nb = f(x, y = 2)\n"),
    "one statement per line": ("errors 5% {\n a = 1, b = 2 }", "errors 5% {\n  a = 1\n  b = 2\n}\n"),
    "a block on one line stays": ("budget audit   {cost = 1 USD}", "budget audit { cost = 1 USD }\n"),
    "an empty block": ("a {\n\n}", "a {}\n"),
    "at most one blank line": ("a = 1\n\n\n\nb = 2\nc = 3\n\n", "a = 1\n\nb = 2\nc = 3\n"),
    "none at the ends of a block": ("a {\n\n  b = 1\n\n}", "a {\n  b = 1\n}\n"),
    "comments of both kinds": ("# x\na = 1# y\n\n# z", "# x\na = 1  # y\n\n# z\n"),
    "a comment after a brace": ("a { # x\nb = 1\n# y\n}", "a {  # x\n  b = 1\n  # y\n}\n"),
    "a comment breaks a list": ("a = [1, # one\n2]", "a = [\n  1,  # one\n  2,\n]\n"),
    "a comment breaks a record": ("a = { b = 1 # one\n}", "a = {\n  b = 1  # one\n}\n"),
    "a comment in an expression moves before it": ("a = (1 + # x\n2)", "# x\na = 1 + 2\n"),
    "an empty call with a comment": ("a = f( # x\n)", "a = f(  # x\n)\n"),
    "a brace on the next line": ("a\n{\n b = 1\n}", "a {\n  b = 1\n}\n"),
    "blanks after a comment": ("a = 1 # x \t\n", "a = 1  # x\n"),
    "a comment breaks a call": ("a = f(b, # x\nc = 1)", "a = f(\n  b,  # x\n  c = 1,\n)\n"),
    "numbers as written": ("a = 200_000, b = 0.50", "a = 200_000\nb = 0.50\n"),
    "lines of a string": ('a = """\n    x\n  """', 'a = """\n    x\n  """\n'),
    "windows line ends": ("a = 1\r\n\r\nb = 2\r\n", "a = 1\n\nb = 2\n"),
    "keywords": (
        'use  "a/1"\nallow E412 because  "x"\ndefault a . b=1\ndcp  1',
        'use "a/1"\nallow E412 because "x"\ndefault a.b = 1\ndcp 1\n',
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_layout(text: str, expected: str) -> None:
    assert formatted(text) == expected


def test_a_list_of_a_hundred_columns_stays_and_one_more_breaks() -> None:
    line = f'a = ["{"x" * 92}"]\n'
    assert len(line) - 1 == 100
    assert formatted(line) == line
    assert formatted(line.replace("x", "xx", 1)) == f'a = [\n  "{"x" * 93}",\n]\n'


def test_a_long_requirement_continues() -> None:
    name = "a" * 40
    text = f'require {name} < {name} when {name} else "no"'
    expected = f'require {name} < {name}\n  when {name}\n  else "no"\n'
    assert formatted(text) == formatted(expected) == expected


def test_greek_is_kept_or_written_out() -> None:
    text = "δ_min = ε / ρ # δ\nα = μ\n"
    assert formatted(text) == "δ_min = ε / ρ  # δ\nα = μ\n"
    assert formatted(text, ascii=True) == "delta_min = epsilon / rho  # δ\nalpha = mu\n"


@pytest.mark.parametrize(
    "text",
    [
        "(a + b) * c",
        "a - (b - c)",
        "a / (b * c)",
        "-(a + b)",
        "not (a and b)",
        "(a or b) and c",
        "(a < b) < c",
        "a < (b < c)",
        "(a on b) on c",
        "(not a) == b",
        "a < b <= c",
        "a or b and not c == -d * e",
        "f({ a = 1 }, b = [])",
        "10 USD + 30 min",
        "{}",
    ],
)
def test_no_parentheses_but_those_that_are_needed(text: str) -> None:
    assert expression_text(value(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [("((a))", "a"), ("(a * b) + c", "a * b + c"), ("(a < b) and (c)", "a < b and c"), ("- (a)", "-a")],
)
def test_idle_parentheses_go(text: str, expected: str) -> None:
    assert expression_text(value(text)) == expected


def test_same_tree_sees_values_names_order_and_comments() -> None:
    base = sound("a = 1 # x\nδ = 2")
    assert same_tree(base, sound("a = 1 # x  \nδ = 2"))
    assert not same_tree(base, sound("a = b # x\nδ = 2"))
    assert same_tree(base, sound("a =  1 # x\n\ndelta = 2"))
    for other in (
        "a = 1 # y\nδ = 2",
        "a = 2 # x\nδ = 2",
        "b = 1 # x\nδ = 2",
        "δ = 2 # x\na = 1",
        "a = 1.0 # x\nδ = 2",
    ):
        assert not same_tree(base, sound(other))


def test_a_string_of_several_lines_goes_on_one() -> None:
    text = 'x = """\n  a "b" \\\\\n  c"""'
    node = sound(text).statements[0]
    assert isinstance(node, ast.Field) and isinstance(node.value, ast.Text)
    assert node.value.value == 'a "b" \\\nc'
    assert expression_text(node.value) == r'"a \"b\" \\\nc"'
    again = value(expression_text(node.value))
    assert isinstance(again, ast.Text) and again.value == node.value.value


def test_a_whole_file() -> None:
    text = dedent("""\
        dcp 1
        registration a : core {   # kind
          x = [ "one" , "two" ]
          # before
          gate g { n = auto }

          require x == 1   when y   else "z"
        }
        """)
    assert formatted(text) == dedent("""\
        dcp 1
        registration a : core {  # kind
          x = ["one", "two"]
          # before
          gate g { n = auto }

          require x == 1 when y else "z"
        }
        """)
