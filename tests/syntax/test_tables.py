"""The tables are those of the grammar, and the driver is Lark's parser in all that it accepts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, Token, UnexpectedInput
from lark.lexer import Lexer
from syntax_programs import grammar, token_kinds

from dcp_lang.syntax import tables
from dcp_lang.syntax.generate import TABLES, load_grammar, tables_text
from dcp_lang.syntax.parser import run

_NUMBERS = {t.name: getattr(tables, t.name) for t in grammar().terminals if hasattr(tables, t.name)}
_NUMBERS |= {"UNIT": tables.UNIT, "BROKEN": tables.BROKEN}


def test_tables_are_up_to_date() -> None:
    assert TABLES.read_text("utf-8") == tables_text(), "run python -m dcp_lang.syntax.generate"


class _Kinds(Lexer):
    """Hands token kinds to Lark's parser as they are."""

    def __init__(self, _: object) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:
        return (Token(kind, "") for kind in data)


_LARK: Lark = load_grammar(lexer=_Kinds)


class _Accept:
    """A builder of nothing."""

    rules = tuple((lhs, size, (lambda *_: None) if name else None) for lhs, size, name in tables.RULES)


class _RefusedError(Exception):
    pass


def _refuse(*_: object) -> int:
    raise _RefusedError


def _lark_accepts(kinds: list[str]) -> bool:
    try:
        _LARK.parse(kinds)  # type: ignore[arg-type]
    except UnexpectedInput:
        return False
    return True


def _driver_accepts(kinds: list[str]) -> bool:
    tokens = [(_NUMBERS[kind], 0, 0) for kind in kinds]
    try:
        run([*tokens, (tables.END, 0, 0)], _Accept(), _refuse)  # type: ignore[arg-type]
    except _RefusedError:
        return False
    return True


@settings(max_examples=80, deadline=None)
@given(token_kinds())
def test_the_driver_accepts_what_the_grammar_derives(kinds: list[str]) -> None:
    assert _lark_accepts(kinds)
    assert _driver_accepts(kinds)


@settings(max_examples=200, deadline=None)
@given(token_kinds(), st.data())
def test_the_driver_refuses_what_lark_refuses(kinds: list[str], data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(kinds)))
        inserted = data.draw(st.lists(st.sampled_from(sorted(_NUMBERS)), max_size=1))
        kinds = kinds[:at] + inserted + kinds[at + data.draw(st.integers(0, 1)) :]
    assert _driver_accepts(kinds) == _lark_accepts(kinds)


@pytest.mark.parametrize(
    "kinds", [[], ["NEWLINE"], ["WORD"], ["WORD", "EQUAL", "BROKEN"], ["EDITION", "NUMBER"]]
)
def test_short_programs(kinds: list[str]) -> None:
    assert _driver_accepts(kinds) == _lark_accepts(kinds)


def test_every_state_names_next_states_and_rules_that_exist() -> None:
    codes = [code for row in tables.ACTIONS for code in row.values()]
    assert max(codes) < len(tables.ACTIONS)
    assert min(codes) >= -len(tables.RULES)
    assert codes.count(0) == 1
