"""The TextMate grammar beside the compiler's own lexer, in VS Code's engine (vscode-textmate with Oniguruma).

Where that is missing, in the tests' small one, which is held to it where it is not.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import textmate
from colours import seen
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax_programs import programs
from textmate import Part

ROOT = Path(__file__).resolve().parents[2]
VSCODE = ROOT / "editors" / "vscode"
EXAMPLES = [p.read_text(encoding="utf-8") for p in sorted(ROOT.glob("*/*/registration.dcp"))]
NODE = shutil.which("node")

SCOPES = {
    "comment": "comment.",
    "string": "string.",
    "number": "constant.numeric.",
    "unit": "keyword.other.unit.",
    "keyword": "keyword.",
}
HAS_ENGINE = NODE is not None and (VSCODE / "node_modules" / "vscode-oniguruma").is_dir()
GRAMMAR = json.loads((VSCODE / "syntaxes" / "dcp.tmLanguage.json").read_text(encoding="utf-8"))


def coloured(texts: list[str]) -> list[list[list[Part]]]:
    """The parts of each line of each text, blanks left out."""
    return by_vscode(texts) if HAS_ENGINE else [textmate.coloured(GRAMMAR, text) for text in texts]


def by_vscode(texts: list[str]) -> list[list[list[Part]]]:
    script, owner = Path(__file__).with_name("textmate.cjs"), VSCODE / "package.json"
    command = [str(NODE), str(script), str(owner), str(VSCODE / "syntaxes" / "dcp.tmLanguage.json")]
    done = subprocess.run(
        command, input=json.dumps(texts), capture_output=True, text=True, timeout=60, check=True
    )
    return [[[(part, scope) for part, scope in line] for line in text] for text in json.loads(done.stdout)]


def parts(line: str) -> list[Part]:
    return [(part.strip(), scope.removesuffix(".dcp")) for part, scope in coloured([line])[0][0]]


def scopes(text: str, lines: list[list[Part]]) -> list[str]:
    """The scope of every character that is no blank, by its offset; blanks have none."""
    found = [""] * len(text)
    start = 0
    for line, row in zip(text.split("\n"), lines, strict=True):
        at = start
        for part, scope in row:
            at = text.index(part, at)
            found[at : at + len(part)] = [scope] * len(part)
            at += len(part)
        start += len(line) + 1
    return found


def differences(texts: list[str]) -> list[tuple[str, str, str]]:
    """What the engine colours otherwise than the compiler reads it."""
    found = []
    for text, lines in zip(texts, coloured(texts), strict=True):
        by_offset = scopes(text, lines)
        for start, end, kind in seen(text):
            scope = SCOPES[kind]
            marks = [by_offset[i] for i in range(start, end) if not text[i].isspace()]
            if not all(m.startswith((scope, "constant.character.escape.")) for m in marks):
                found.append((text[start:end], scope, ", ".join(sorted(set(marks)))))
    return found


def test_the_examples_are_coloured_as_the_compiler_reads_them() -> None:
    assert len(EXAMPLES) >= 6
    assert differences(EXAMPLES) == []


@settings(max_examples=8, deadline=None)
@given(st.lists(programs(), min_size=8, max_size=12))
def test_any_program_is_coloured_as_the_compiler_reads_it(texts: list[str]) -> None:
    assert differences(texts) == []


@pytest.mark.skipif(
    not HAS_ENGINE, reason="no VS Code engine: install Node.js, then: cd editors/vscode && npm ci"
)
@settings(max_examples=8, deadline=None)
@given(st.lists(programs(), min_size=8, max_size=12))
def test_the_small_engine_colours_as_vscode_does(texts: list[str]) -> None:
    for text, theirs in zip([*texts, *EXAMPLES], by_vscode([*texts, *EXAMPLES]), strict=True):
        assert scopes(text, textmate.coloured(GRAMMAR, text)) == scopes(text, theirs)


def test_every_character_of_the_examples_has_a_colour() -> None:
    plain = {p for text in coloured(EXAMPLES) for line in text for p, scope in line if scope == "source.dcp"}
    assert plain == set()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("dcp 1", [("dcp", "keyword.control"), ("1", "constant.numeric")]),
        (
            "registration a_1 : core {",
            [
                ("registration", "storage.type.block"),
                ("a_1", "entity.name.section"),
                (":", "punctuation.separator"),
                ("core", "storage.modifier"),
                ("{", "punctuation.bracket"),
            ],
        ),
        (
            "  δ_min = 0.5_1%  # the least",
            [
                ("δ_min", "variable.other.property"),
                ("=", "keyword.operator"),
                ("0.5_1%", "constant.numeric"),
                ("# the least", "comment.line.number-sign"),
            ],
        ),
        (
            "errors 5% = auto",
            [
                ("errors", "storage.type.block"),
                ("5%", "constant.numeric"),
                ("=", "keyword.operator"),
                ("auto", "keyword.control"),
            ],
        ),
        (
            'given workspace = file("w/")',
            [
                ("given", "storage.modifier"),
                ("workspace", "variable.other.property"),
                ("=", "keyword.operator"),
                ("file", "entity.name.function"),
                ("(", "punctuation.bracket"),
                ('"', "string.quoted.double"),
                ("w/", "string.quoted.double"),
                ('"', "string.quoted.double"),
                (")", "punctuation.bracket"),
            ],
        ),
        (
            "time = 30 min, cost = 2 * 10 USD",
            [
                ("time", "variable.other.property"),
                ("=", "keyword.operator"),
                ("30", "constant.numeric"),
                ("min", "keyword.other.unit"),
                (",", "punctuation.separator"),
                ("cost", "variable.other.property"),
                ("=", "keyword.operator"),
                ("2", "constant.numeric"),
                ("*", "keyword.operator"),
                ("10", "constant.numeric"),
                ("USD", "keyword.other.unit"),
            ],
        ),
        (
            "require thresholds.ρ <= 5% when x in [1]",
            [
                ("require", "keyword.control"),
                ("thresholds", "variable.other"),
                (".", "punctuation.separator"),
                ("ρ", "variable.other"),
                ("<=", "keyword.operator"),
                ("5%", "constant.numeric"),
                ("when", "keyword.control"),
                ("x", "variable.other"),
                ("in", "keyword.operator.word"),
                ("[", "punctuation.bracket"),
                ("1", "constant.numeric"),
                ("]", "punctuation.bracket"),
            ],
        ),
        (
            "allow W501 because",
            [("allow", "keyword.control"), ("W501", "constant.other.code"), ("because", "keyword.control")],
        ),
    ],
)
def test_words_are_told_apart(line: str, expected: list[Part]) -> None:
    assert parts(line) == expected


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('a = """one\n# two "quoted" {\n"""\n', "b"),
        ('a = """ends \\""" not here\n"""\n', "b"),
        ('a = "not closed\n', "b"),
        ('a = "a \\" b"\n', "b"),
        ('a = ""\n', "b"),
        ('a = """"""\n', "b"),
        ('a = "\\\\"\n', "b"),
    ],
)
def test_a_text_ends_where_it_ends(text: str, rest: str) -> None:
    (lines,) = coloured([text + rest + " = 1"])
    assert lines[-1][0] == (rest, "variable.other.property.dcp")
    inner = [scope for line in lines[:-2] for part, scope in line if "#" in part or "two" in part]
    assert set(inner) <= {"string.quoted.triple.dcp"}
