"""The canonical layout: two spaces a level, one statement a line, comments kept."""

from __future__ import annotations

from dcp_lang.source import SourceFile
from dcp_lang.syntax import ast

_BINDING = {"or": 1, "and": 2, "not": 3, "on": 4, "within": 4, "+": 5, "-": 5, "*": 6, "/": 6}
_COMPARISON, _UNARY = 4, 7


def expression_text(expr: ast.Expr, *, ascii: bool = False, outer: int = 0) -> str:
    """An expression on one line with the fewest parentheses."""
    match expr:
        case ast.Number(_, text):
            return text
        case ast.Quantity(number, unit):
            return f"{number.text} {unit.text}"
        case ast.Text(_, raw):
            return raw
        case ast.Auto():
            return "auto"
        case ast.Name(parts):
            return ".".join(p.name if ascii else p.text for p in parts)
        case ast.Call(function, arguments):
            return f"{function.text}({', '.join(_argument(a, ascii) for a in arguments)})"
        case ast.ListExpr(items):
            return f"[{', '.join(expression_text(i, ascii=ascii) for i in items)}]"
        case ast.Unary(operator, operand):
            own = _BINDING["not"] if operator == "not" else _UNARY
            text = f"{operator} " if operator == "not" else operator
            return _wrapped(text + expression_text(operand, ascii=ascii, outer=own), own, outer)
        case ast.Binary(operator, left, right):
            own = _BINDING[operator]
            a, b = (expression_text(e, ascii=ascii, outer=o) for e, o in ((left, own), (right, own + 1)))
            return _wrapped(f"{a} {operator} {b}", own, outer)
        case ast.Comparison(first, rest):
            text = expression_text(first, ascii=ascii, outer=_COMPARISON + 1)
            for operator, right in rest:
                text += f" {operator} {expression_text(right, ascii=ascii, outer=_COMPARISON + 1)}"
            return _wrapped(text, _COMPARISON, outer)
        case ast.Record(body):
            return "{ " + ", ".join(_statement(s, ascii) for s in body) + " }"


def _wrapped(text: str, own: int, outer: int) -> str:
    return f"({text})" if own < outer else text


def _argument(argument: ast.Argument, ascii: bool) -> str:
    value = expression_text(argument.value, ascii=ascii)
    return f"{argument.name.text} = {value}" if argument.name else value


def _head(head: tuple[ast.HeadItem, ...], ascii: bool) -> str:
    return " ".join((h.name if ascii else h.text) if isinstance(h, ast.Word) else expression_text(h) for h in head)


def _statement(statement: ast.Statement, ascii: bool) -> str:
    match statement:
        case ast.Field(head, value):
            return f"{_head(head, ascii)} = {expression_text(value, ascii=ascii)}"
        case ast.Prose(text):
            return text.raw
        case ast.Require(condition, when, message):
            text = f"require {expression_text(condition, ascii=ascii)}"
            text += f" when {expression_text(when, ascii=ascii)}" if when else ""
            return text + (f" else {message.raw}" if message else "")
        case ast.Allow(code, reason):
            return f"allow {code.text} because {reason.raw}"
        case ast.Default(path, value):
            return f"default {expression_text(path, ascii=ascii)} = {expression_text(value, ascii=ascii)}"
        case ast.Use(target):
            return f"use {expression_text(target, ascii=ascii)}"
        case ast.Edition(number):
            return f"dcp {number.text}"
        case ast.Block(head, tag, body):
            return "\n".join(_block(statement, ascii))


def _block(block: ast.Block, ascii: bool) -> list[str]:
    tag = f" : {block.tag.text}" if block.tag else ""
    lines = [line for s in block.body for line in _statement(s, ascii).split("\n")]
    return [f"{_head(block.head, ascii)}{tag} {{", *("  " + line for line in lines), "}"]


def format_file(file: ast.File, source: SourceFile, *, ascii: bool = False) -> str:
    """A whole file in canonical layout."""
    return "\n".join(_statement(s, ascii) for s in file.statements) + "\n"
