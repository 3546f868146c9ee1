"""Nodes behave as named tuples do."""

from __future__ import annotations

import pickle

import pytest

from dcp_lang.source import Span
from dcp_lang.syntax import ast

WORD = ast.Word("delta", "δ", Span(0, 1))


def test_fields_by_position_and_by_name() -> None:
    assert (
        ast.Word(name="delta", text="δ", span=Span(0, 1)) == ast.Word("delta", "δ", span=Span(0, 1)) == WORD
    )
    assert (WORD.name, WORD.text, WORD.span) == tuple(WORD) == ("delta", "δ", Span(0, 1))
    assert repr(WORD) == "Word(name='delta', text='δ', span=Span(start=0, end=1))"


@pytest.mark.parametrize("fields", [{}, {"name": "a"}, {"name": "a", "text": "a", "span": None, "more": 1}])
def test_all_fields_and_no_others(fields: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="has the fields name, text, span"):
        ast.Word(**fields)  # type: ignore[arg-type]


def test_nodes_do_not_change() -> None:
    with pytest.raises(AttributeError):
        WORD.name = "x"  # type: ignore[misc]
    assert WORD._replace(name="x") == ast.Word("x", "δ", Span(0, 1))
    with pytest.raises(TypeError):
        WORD._replace(other=1)
    assert pickle.loads(pickle.dumps(WORD)) == WORD


def test_nodes_match_by_position() -> None:
    match WORD:
        case ast.Word(name, text):
            assert (name, text) == ("delta", "δ")
