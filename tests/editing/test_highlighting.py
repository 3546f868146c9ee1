"""Highlighters colour by the grammar's words, and lose no character of a text."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from colours import seen
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax_programs import programs

from dcp_lang.language.fields import SECTION_TABLE
from dcp_lang.syntax.generate import load_grammar

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(ROOT.glob("examples/*/registration.dcp"))
WORDS = {
    str(t.pattern.value)
    for t in load_grammar().terminals
    if t.pattern.type == "str" and t.pattern.value.isalpha()
}
pygments = pytest.importorskip("pygments", reason="no Pygments: pip install pygments")


def _generated() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "editors" / "generate.py"))


def test_the_generated_files_are_those_of_this_grammar() -> None:
    stale = [p.name for p, text in _generated()["files"]().items() if p.read_text(encoding="utf-8") != text]
    assert stale == [], "run: python editors/generate.py"


def test_every_keyword_of_the_lark_grammar_is_coloured_by_all() -> None:
    grammar = json.loads((ROOT / "editors/vscode/syntaxes/dcp.tmLanguage.json").read_text(encoding="utf-8"))
    rules = [re.compile(r["match"]) for r in grammar["patterns"] if r.get("name", "").startswith("keyword.")]
    vim = re.findall(r"\w+", (ROOT / "editors/vim/syntax/dcp_words.vim").read_text(encoding="utf-8"))
    from dcp_lang.pygments_lexer import DcpLexer

    assert len(WORDS) > 10
    for word in WORDS:
        assert any(m and m.group() == word for m in (rule.match(word) for rule in rules)), word
        assert word in vim, word
        kind = next(iter(DcpLexer().get_tokens(word)))[0]
        assert kind in pygments.token.Keyword or kind in pygments.token.Operator.Word, word


def test_every_block_has_a_snippet_that_is_a_block() -> None:
    from drawn import compiled

    found = json.loads((ROOT / "editors/vscode/snippets.json").read_text(encoding="utf-8"))
    assert {path.replace(".", " ") for path in SECTION_TABLE if path} <= set(found)
    for snippet in found.values():
        text = "\n".join(snippet["body"]).replace("\\}", "}")
        assert not [d for d in compiled(text).diagnostics if d.code.startswith("E0")], text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_the_lexer_knows_every_character_of_the_examples(path: Path) -> None:
    from dcp_lang.pygments_lexer import DcpLexer

    text = path.read_text(encoding="utf-8")
    tokens = list(DcpLexer(stripnl=False, ensurenl=False).get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    assert [value for kind, value in tokens if kind in pygments.token.Error] == []


def test_the_lexer_tells_words_apart() -> None:
    from pygments.token import Comment, Keyword, Name, Number, Operator, String

    from dcp_lang.pygments_lexer import DcpLexer

    text = 'budget session { cost = 10 USD }  # a\nrequire ε < x - score(b) when "a" in b\nnotes = auto\n'
    kinds = [(v, k) for k, v in DcpLexer().get_tokens(text)]
    for expected in [
        ("budget", Keyword.Declaration),
        ("cost", Name.Attribute),
        ("10", Number),
        ("USD", Keyword.Type),
        ("# a", Comment.Single),
        ("require", Keyword),
        ("ε", Name),
        ("score", Name.Function),
        ('"a"', String.Double),
        ("in", Operator.Word),
        ("notes", Name.Attribute),
        ("auto", Keyword),
    ]:
        assert expected in kinds


@settings(max_examples=60, deadline=None)
@given(st.one_of(programs(), st.sampled_from([p.read_text(encoding="utf-8") for p in EXAMPLES])))
def test_pygments_colours_any_program_as_the_compiler_reads_it(text: str) -> None:
    from pygments.token import Comment, Keyword, Number, Operator, String

    from dcp_lang.pygments_lexer import DcpLexer

    kinds = {
        "comment": (Comment,),
        "string": (String,),
        "number": (Number,),
        "unit": (Keyword.Type,),
        "keyword": (Keyword, Operator.Word),
    }
    text = text.replace("\r\n", "\n")  # as Pygments does
    by_offset = [
        kind for kind, value in DcpLexer(stripnl=False, ensurenl=False).get_tokens(text) for _ in value
    ]
    assert len(by_offset) == len(text)
    for start, end, kind in seen(text):
        found = {by_offset[i] for i in range(start, end) if not text[i].isspace()}
        assert all(any(f in wanted for wanted in kinds[kind]) for f in found), (text[start:end], found)
