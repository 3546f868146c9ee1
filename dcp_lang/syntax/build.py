"""Reductions to nodes: one method per builder that the grammar names, called with the values of its symbols.

A node's span runs from its first to its last character; an expression in
parentheses takes the span of the parentheses, so that spans of neighbours never overlap.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dcp_lang.record import TYPE_CHECKING
from dcp_lang.source import Span
from dcp_lang.syntax import ast, tables
from dcp_lang.syntax.lexer import Token
from dcp_lang.syntax.strings import string_value

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, TypeAlias

_GREEK = {"δ": "delta", "ε": "epsilon", "ρ": "rho", "α": "alpha", "μ": "mu"}
_TO_ASCII = str.maketrans(_GREEK)

Values: TypeAlias = "list[Any]"

#: Makes a named tuple in half the time of its class: what nearly every line has is most of what a check builds.
_new = tuple.__new__


def ascii_name(word: str) -> str:
    """The ASCII spelling of an identifier: `delta_min` for `δ_min`."""
    return word if word.isascii() else word.translate(_TO_ASCII)


@lru_cache(maxsize=1024)
def exact_value(text: str) -> Fraction:
    """The rational that a number names, exactly: 1/20 for `5%`, 200000 for `200_000`."""
    digits = text.replace("_", "")
    percent = digits.endswith("%")
    whole, _, fraction = digits.removesuffix("%").partition(".")
    return Fraction(int(whole + fraction), 10 ** (len(fraction) + 2 * percent))


def _span(start: int, end: int) -> Span:
    return _new(Span, (start, end))


class Body(tuple["Any", ...]):
    """The statements of a body while they are on the parser's stack, where a plain tuple is a token."""


class Builder:
    """Builds the nodes of one source text."""

    #: What each rule of the grammar makes: nonterminal, size, builder.
    rules: ClassVar[list[tuple[int, int, Callable[[Builder, Values], Any] | None]]]

    def __init__(self, text: str) -> None:
        self._source = text

    def spelled(self, token: Token) -> str:
        """The characters of a token."""
        return self._source[token[1] : token[2]]

    def word(self, token: Token) -> ast.Word:
        """The identifier at a token."""
        text = self.spelled(token)
        name = text if text.isascii() else ascii_name(text)
        return _new(ast.Word, (name, text, _new(Span, token[1:])))

    def item(self, value: Any) -> Any:
        """A node as it is, a bare token as the word it spells."""
        return self.word(value) if type(value) is tuple else value

    def span(self, values: Values) -> Span:
        """From the first symbol of a rule, a token, to its last, a node."""
        return _span(values[0][1], values[-1].span.end)

    # Sequences: lists grow in place, so that a sequence of n items costs n.

    def first(self, values: Values) -> Any:
        return [self.item(values[0])]

    def more(self, values: Values) -> Any:
        values[0].append(self.item(values[1]))
        return values[0]

    def more_after(self, values: Values) -> Any:
        values[0].append(self.item(values[2]))
        return values[0]

    # Statements

    def file(self, values: Values) -> Any:
        return tuple(values[0])

    def body(self, values: Values) -> Any:
        return next((Body(value) for value in values if type(value) is list), Body())

    def field(self, values: Values) -> Any:
        head, _, value = values
        return _new(ast.Field, (tuple(head), value, _span(head[0].span.start, value.span.end)))

    def block(self, values: Values) -> Any:
        head, _, body, close = values
        head_span = _span(head[0].span.start, head[-1].span.end)
        return ast.Block(tuple(head), None, tuple(body), _span(head_span.start, close[2]), head_span)

    def tagged_block(self, values: Values) -> Any:
        head, _, tag, _, body, close = values
        head_span = _span(head[0].span.start, tag[2])
        return ast.Block(
            tuple(head), self.word(tag), tuple(body), _span(head_span.start, close[2]), head_span
        )

    def prose(self, values: Values) -> Any:
        return ast.Prose(values[0], values[0].span)

    def edition(self, values: Values) -> Any:
        return ast.Edition(values[1], self.span(values))

    def use(self, values: Values) -> Any:
        return ast.Use(values[1], self.span(values))

    def require(self, values: Values) -> Any:
        return ast.Require(values[1], None, None, self.span(values))

    def require_when(self, values: Values) -> Any:
        return ast.Require(values[1], values[3], None, self.span(values))

    def require_else(self, values: Values) -> Any:
        return ast.Require(values[1], None, values[3], self.span(values))

    def require_when_else(self, values: Values) -> Any:
        return ast.Require(values[1], values[3], values[5], self.span(values))

    def allow(self, values: Values) -> Any:
        return ast.Allow(self.word(values[1]), values[3], self.span(values))

    def default(self, values: Values) -> Any:
        return ast.Default(values[1], values[3], self.span(values))

    # Expressions

    def record(self, values: Values) -> Any:
        return ast.Record(tuple(values[1]), _span(values[0][1], values[2][2]))

    def binary(self, values: Values) -> Any:
        left, operator, right = values
        return ast.Binary(self.spelled(operator), left, right, _span(left.span.start, right.span.end))

    def unary(self, values: Values) -> Any:
        operator, operand = values
        return ast.Unary(self.spelled(operator), operand, _span(operator[1], operand.span.end))

    def compare(self, values: Values) -> Any:
        first, operator, right = values
        return ast.Comparison(
            first, ((self.spelled(operator), right),), _span(first.span.start, right.span.end)
        )

    def compare_more(self, values: Values) -> Any:
        chain, operator, right = values
        steps = (*chain.rest, (self.spelled(operator), right))
        return ast.Comparison(chain.first, steps, _span(chain.span.start, right.span.end))

    def broken(self, values: Values) -> Any:
        return ast.Broken(_span(values[0][1], values[0][2]))

    def auto(self, values: Values) -> Any:
        return ast.Auto(_span(values[0][1], values[0][2]))

    def group(self, values: Values) -> Any:
        opening, node, closing = values
        return _new(node.__class__, (*node[:-1], _span(opening[1], closing[2])))  # the last field is the span

    def number(self, values: Values) -> Any:
        text = self.spelled(values[0])
        return _new(ast.Number, (exact_value(text), text, _new(Span, values[0][1:])))

    def quantity(self, values: Values) -> Any:
        number, unit = values[0], self.word(values[1])
        return ast.Quantity(number, unit, _span(number.span.start, unit.span.end))

    def text(self, values: Values) -> Any:
        raw = self.spelled(values[0])
        return _new(ast.Text, (string_value(raw), raw, _new(Span, values[0][1:])))

    def name(self, values: Values) -> Any:
        parts = values[0]
        return _new(ast.Name, (tuple(parts), _span(parts[0].span.start, parts[-1].span.end)))

    def bare_call(self, values: Values) -> Any:
        return ast.Call(self.word(values[0]), (), _span(values[0][1], values[2][2]))

    def call(self, values: Values) -> Any:
        return ast.Call(self.word(values[0]), tuple(values[2]), _span(values[0][1], values[-1][2]))

    def argument(self, values: Values) -> Any:
        return ast.Argument(None, values[0], values[0].span)

    def named_argument(self, values: Values) -> Any:
        word, value = self.word(values[0]), values[2]
        return ast.Argument(word, value, _span(word.span.start, value.span.end))

    def empty_list(self, values: Values) -> Any:
        return ast.ListExpr((), _span(values[0][1], values[1][2]))

    def list(self, values: Values) -> Any:
        return ast.ListExpr(tuple(values[1]), _span(values[0][1], values[-1][2]))


Builder.rules = [(lhs, size, getattr(Builder, name) if name else None) for lhs, size, name in tables.RULES]
