"""Runs the LALR tables over tokens with an explicit stack."""

from __future__ import annotations

from typing import Any

from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import ast, tables
from dcp_lang.syntax.build import Builder
from dcp_lang.syntax.lexer import Token, lay_out, lex


class Unexpected(Exception):
    """A token that no rule allows where it stands."""

    def __init__(self, token: Token) -> None:
        super().__init__(token)
        self.token = token


def run(tokens: list[Token], end: int, builder: Builder) -> Any:
    rules = [(lhs, size, getattr(builder, name) if name else None) for lhs, size, name in tables.RULES]
    states = [0]
    values: list[Any] = []
    for token in [*tokens, (tables.END, end, end)]:
        kind = token[0]
        while True:
            action = tables.ACTIONS[states[-1]].get(kind)
            if action is None:
                raise Unexpected(token)
            if action >= 0:
                break
            lhs, size, build = rules[-1 - action]
            if size != 1:
                cut = len(values) - size
                below = values[cut:]
                del values[cut:], states[cut + 1 :]
                values.append(build(below) if build else below[0])
            else:
                states.pop()
                if build:
                    values[-1] = build(values[-1:])
            states.append(tables.GOTOS[states[-1]][lhs])
        states.append(action)
        values.append(token)
    return values[0]


def parse(source: SourceFile, sink: Sink) -> ast.File:
    """The tree of a source text; every fault goes to the sink."""
    text = source.text

    def unread(position: int) -> tuple[Token | None, int]:
        span = Span(position, position + 1)
        sink.add(Diagnostic("E001", "unexpected-character", "error", "unexpected character", source, span))
        return None, position + 1

    lexed = lex(text, unread)
    try:
        body = run(lay_out(lexed.tokens), len(text), Builder(text))
    except Unexpected as fault:
        _, start, end = fault.token
        sink.add(
            Diagnostic("E002", "unexpected-token", "error", "unexpected token", source, Span(start, end))
        )
        body = ()
    return ast.File(body, tuple(lexed.comments), Span(0, len(text)))
