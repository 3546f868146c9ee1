"""Nodes to text on one line, with no more parentheses than the tree needs."""

from __future__ import annotations

from collections.abc import Iterable

from dcp_lang.syntax import ast

#: How tightly operators bind, from loose to tight. What binds looser than its place demands is parenthesized.
_OR, _AND, _NOT, _COMPARE, _INFIX, _SUM, _PRODUCT, _SIGN, _ATOM = range(9)

#: For each operator of two operands: how tightly it binds, and what its left and right places demand.
_BINARY = {
    "or": (_OR, _OR, _AND),
    "and": (_AND, _AND, _NOT),
    "on": (_INFIX, _SUM, _SUM),
    "within": (_INFIX, _SUM, _SUM),
    "+": (_SUM, _SUM, _PRODUCT),
    "-": (_SUM, _SUM, _PRODUCT),
    "*": (_PRODUCT, _PRODUCT, _SIGN),
    "/": (_PRODUCT, _PRODUCT, _SIGN),
}


def expression_text(expression: ast.Expr, *, ascii: bool = False) -> str:
    """The canonical spelling of an expression on one line: `1 - ε / δ_min`.

    With `ascii` the Greek letters of words are written out: `1 - epsilon / delta_min`.
    """
    return Speller(ascii).expression(expression)


def statement_text(statement: ast.Statement, *, ascii: bool = False) -> str:
    """The canonical spelling of a statement on one line, whatever its layout and comments were."""
    return Speller(ascii).statement(statement)


class Speller:
    """Spells nodes; with `is_ascii` the Greek letters of words are written out.

    Numbers and strings are spelled as they were written, but a string of several lines goes on one.
    """

    def __init__(self, is_ascii: bool = False) -> None:
        self._is_ascii = is_ascii

    def word(self, word: ast.Word) -> str:
        return word.name if self._is_ascii else word.text

    def head(self, items: Iterable[ast.HeadItem]) -> str:
        """`given workspace`, `errors 5%`, `profile "authority/2026"`."""
        return " ".join(self.word(i) if isinstance(i, ast.Word) else self.expression(i) for i in items)

    def expression(self, node: ast.Expr, place: int = _OR) -> str:
        """An expression in a place that demands what binds at least so tightly."""
        if isinstance(node, ast.Binary):
            binds, left, right = _BINARY[node.operator]
            text = f"{self.expression(node.left, left)} {node.operator} {self.expression(node.right, right)}"
        elif isinstance(node, ast.Comparison):
            binds, text = _COMPARE, self._chain(node)
        elif isinstance(node, ast.Unary):
            binds = _NOT if node.operator == "not" else _SIGN
            blank = " " if node.operator == "not" else ""
            text = node.operator + blank + self.expression(node.operand, binds)
        else:
            return self._atom(node)
        return f"({text})" if binds < place else text

    def _chain(self, node: ast.Comparison) -> str:
        steps = [f" {operator} {self.expression(operand, _INFIX)}" for operator, operand in node.rest]
        return self.expression(node.first, _INFIX) + "".join(steps)

    def _atom(self, node: ast.Expr) -> str:
        match node:
            case ast.Number():
                return node.text
            case ast.Quantity():
                return f"{node.number.text} {self.word(node.unit)}"
            case ast.Text():
                return self.text(node)
            case ast.Auto():
                return "auto"
            case ast.Name():
                return ".".join(self.word(part) for part in node.parts)
            case ast.Call():
                return f"{self.word(node.function)}({', '.join(map(self.argument, node.arguments))})"
            case ast.ListExpr():
                return f"[{', '.join(map(self.expression, node.items))}]"
            case ast.Record():
                return self.body(node.body)
            case _:
                return "…"

    def text(self, node: ast.Text) -> str:
        if "\n" not in node.raw:
            return node.raw
        escaped = node.value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + escaped.replace("\n", "\\n") + '"'

    def argument(self, node: ast.Argument) -> str:
        """`at_most = 20 requests`."""
        return (f"{self.word(node.name)} = " if node.name else "") + self.expression(node.value)

    def body(self, body: tuple[ast.Statement, ...]) -> str:
        """`{ pairs = 3, null_pairs = 6 }`."""
        return "{ " + ", ".join(map(self.statement, body)) + " }" if body else "{}"

    def statement(self, node: ast.Statement) -> str:
        """A statement on one line."""
        match node:
            case ast.Block():
                return f"{self.block_head(node)} {self.body(node.body)}"
            case ast.Prose():
                return self.text(node.text)
            case ast.Edition():
                return f"dcp {node.number.text}"
            case ast.Allow():
                return f"allow {self.word(node.code)} because {self.text(node.reason)}"
            case ast.Require():
                return " ".join(self.requirement(node))
            case _:
                prefix, value = self.declaration(node)
                return prefix + self.expression(value)

    def block_head(self, node: ast.Block) -> str:
        """`registration sqlite_web : evidence`."""
        return self.head(node.head) + (f" : {self.word(node.tag)}" if node.tag else "")

    def requirement(self, node: ast.Require) -> list[str]:
        """The condition, the guard and the message, each with its keyword."""
        parts = [f"require {self.expression(node.condition)}"]
        parts += [f"when {self.expression(node.when)}"] if node.when else []
        parts += [f"else {self.text(node.message)}"] if node.message else []
        return parts

    def declaration(self, node: ast.Field | ast.Default | ast.Use) -> tuple[str, ast.Expr]:
        """What stands before the value, and the value."""
        match node:
            case ast.Field():
                return f"{self.head(node.head)} = ", node.value
            case ast.Default():
                return f"default {self.expression(node.path)} = ", node.value
            case ast.Use():
                return "use ", node.target
