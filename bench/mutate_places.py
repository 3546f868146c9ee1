"""What one mutation changes: every place of a module where an operator, a number or a branch can be another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple

_COMPARE = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_BINARY = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult}
_NAMES = {"min": "max", "max": "min", "floor": "ceil", "ceil": "floor", "any": "all", "all": "any"}
#: Operators of the terms that rules make.
_WORDS = {"<=": "<", "<": "<=", ">=": ">", ">": ">=", "==": "<=", "+": "-", "-": "+", "*": "+", "/": "*"}
#: Parts of the tree that decide nothing: types, and how much a cache holds.
_SILENT = {"annotation", "returns", "decorator_list"}


class Place(NamedTuple):
    """A node, the lines whose running shows that it may matter, and whether it runs only in calls."""

    node: ast.AST
    lines: range
    called: bool


class Mutant(NamedTuple):
    """One changed place of a module: what was there, what is, and the whole changed module."""

    lines: range
    called: bool
    before: str
    after: str
    code: CodeType


def mutants(source: str, filename: str) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of the text."""
    tree = ast.parse(source)
    for node, lines, called in _places(tree, range(0), False):
        changes = _changes(node)
        if not changes:
            continue
        before, kept = ast.unparse(node), dict(node.__dict__)
        node.__dict__.update(changes)
        code = compile(ast.fix_missing_locations(tree), filename, "exec")
        yield Mutant(lines, called, before, ast.unparse(node), code)
        node.__dict__.update(kept)


def _places(node: ast.AST, lines: range, called: bool) -> Iterator[Place]:
    yield Place(node, lines, called)
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    body_runs_in_calls = isinstance(node, ast.FunctionDef | ast.Lambda)
    for field, value in ast.iter_fields(node):
        if field in _SILENT:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                at = _lines(child) if _starts_lines(node, child) else lines
                yield from _places(child, at, called or (body_runs_in_calls and field == "body"))


def _starts_lines(parent: ast.AST, child: ast.AST) -> bool:
    """Whether the child is a statement, or the outermost expression of one."""
    return hasattr(child, "lineno") and not isinstance(parent, ast.expr | ast.comprehension | ast.keyword)


def _lines(node: ast.AST) -> range:
    head = node.test if isinstance(node, ast.If | ast.While) else node
    assert isinstance(
        head, ast.expr | ast.stmt | ast.pattern | ast.arg | ast.keyword | ast.excepthandler | ast.alias
    )
    return range(head.lineno, (head.end_lineno or head.lineno) + 1)


def _changes(node: ast.AST) -> dict[str, object]:
    """The attributes of the node that make the mutant; none where it has no mutant."""
    match node:
        case ast.Compare(ops=[first, *rest]) if type(first) in _COMPARE:
            return {"ops": [_COMPARE[type(first)](), *rest]}
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _BINARY:
            return {"op": _BINARY[type(op)]()}
        case ast.BoolOp(op=op):
            return {"op": ast.Or() if isinstance(op, ast.And) else ast.And()}
        case ast.IfExp(body=body, orelse=orelse):
            return {"body": orelse, "orelse": body}
        case ast.Call(func=ast.Name(id=name)) if name in _NAMES:
            return {"func": ast.Name(_NAMES[name], ast.Load())}
        case ast.Expr(value=ast.Call()):
            return {"value": ast.Constant(None)}
        case ast.Constant(value=value):
            return _another(value)
        case _:
            return _opposite(node)


def _another(value: object) -> dict[str, object]:
    match value:
        case bool():
            return {"value": not value}
        case int():
            return {"value": value + 1}
        case str() if value in _WORDS:
            return {"value": _WORDS[value]}
        case _:
            return {}


def _opposite(node: ast.AST) -> dict[str, object]:
    """The other branch, where a condition is no comparison, which has its own mutants."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return {}
        case ast.If(test=ast.Call() | ast.Name() | ast.Attribute() as test):
            return {"test": ast.UnaryOp(ast.Not(), test)}
        case ast.comprehension(ifs=[ast.Call() | ast.Name() | ast.Attribute() as test, *rest]):
            return {"ifs": [ast.UnaryOp(ast.Not(), test), *rest]}
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return {"operand": ast.UnaryOp(ast.Not(), operand)}
        case ast.UnaryOp(op=ast.USub()):
            return {"op": ast.UAdd()}
        case _:
            return {}
