"""Types: from a resolved registration to values. Every field is checked against the type of its row.

Fields may refer to each other (`ε = δ_min / 100`); a field is evaluated when it is first needed and a cycle is
reported once. `auto` becomes the value `AUTO`, which the planner replaces.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Protocol

from dcp_lang.canonical import number_text
from dcp_lang.language.fields import DEFAULT, FIELDS, canonical_order, resolve_name
from dcp_lang.language.types import (
    ChoiceType,
    CountType,
    EitherType,
    FieldType,
    ListType,
    MaterialType,
    NumberType,
    Option,
    Parameter,
    QuantityType,
    TextType,
)
from dcp_lang.language.units import dimension_units, find_unit
from dcp_lang.language.values import Amount, Choice, Material, Value
from dcp_lang.sema.evaluate import evaluate
from dcp_lang.sema.faults import Faults, range_help
from dcp_lang.sema.model import Declared, Entry, Resolved
from dcp_lang.source import Span
from dcp_lang.syntax import ast

#: Stands for `auto` until the planner has computed the value.
AUTO_VALUE = Choice("auto")

_SHAPES = {
    "identifier": (r"[A-Za-z0-9][A-Za-z0-9._-]*", "an identifier (letters, digits, `.`, `_`, `-`; no spaces)"),
    "digest": (r"sha256:[0-9a-f]{64}", 'a digest: `"sha256:` and 64 lower-case hex digits'),
    "salt": (r"[0-9a-f]{32}", "128 bits in 32 lower-case hex digits"),
    "name": (r"[A-Za-z_][A-Za-z0-9_-]*", "a name"),
    "line": (r"[^\n]*", "one line"),
}
#: The digest of no bytes at all: never a real commitment.
EMPTY_DIGEST = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
_SEALED = Option("sealed", (Parameter("digest", TextType("digest", 71)), Parameter("at", TextType("line", 200), optional=True)))
_PLACEHOLDER = re.compile(r"\s*(todo|tbd|fixme|xxx|unspecified|placeholder|lorem ipsum|\.\.\.|…)?[\s.!]*", re.IGNORECASE)


class Workspace(Protocol):
    """Where the files of a registration come from; the only door of `sema` to the outside."""

    def material(self, path: str, folder: bool) -> Material:
        """The digest of a file or folder below the source's folder; raises `MaterialError`."""


class MaterialError(Exception):
    """A file cannot be committed: `code`, `name`, what is wrong, and what to do."""

    def __init__(self, code: str, name: str, message: str, help: str = "") -> None:
        super().__init__(message)
        self.code, self.name, self.message, self.help = code, name, message, help


def check_types(
    resolved: Resolved, workspace: Workspace, faults: Faults
) -> tuple[dict[str, Entry], bool]:
    """The value of every field that has one, defaults written out, in table order; and whether none is at fault."""
    checker = TypeChecker(resolved, workspace, faults)
    for path in resolved.fields:
        checker.entry(path)
    entries = dict(sorted(checker.entries.items(), key=lambda item: canonical_order(item[0])))
    return entries, not checker.failed and resolved.complete


class TypeChecker:
    """Evaluates fields on demand; `failed` once any field has no value."""

    def __init__(self, resolved: Resolved, workspace: Workspace, faults: Faults) -> None:
        self.resolved = resolved
        self.workspace = workspace
        self.faults = faults
        self.entries: dict[str, Entry] = {}
        self.failed = False
        self._open: list[str] = []
        self._bad: set[str] = set()
        self._defaults()

    def _defaults(self) -> None:
        profile_defaults = {path: value for p in self.resolved.profiles for path, value in p.defaults}
        for spec in FIELDS.values():
            if spec.path in self.resolved.fields or not self._wants(spec.section):
                continue
            if spec.path in profile_defaults:
                self._from_profile(spec.path, profile_defaults[spec.path])
            elif spec.presence == DEFAULT and spec.default is not None:
                self.entries[spec.path] = Entry(spec.default, "default", self.resolved.span)
            elif spec.presence == "auto":
                self.entries[spec.path] = Entry(AUTO_VALUE, "computed", self.resolved.span)

    def _wants(self, section: str) -> bool:
        return not section.startswith("gate.feedback") or self.resolved.grade == "evidence"

    def _from_profile(self, path: str, expr: ast.Expr) -> None:
        value = self.value(expr, FIELDS[path].type, f"`{path}`")
        if value is not None:
            self.entries[path] = Entry(value, "profile", self.resolved.span)

    def entry(self, path: str) -> Entry | None:
        """The typed value of a declared field, evaluated once."""
        if path in self.entries or path in self._bad:
            return self.entries.get(path)
        declared = self.resolved.fields[path]
        if path in self._open:
            cycle = " → ".join(p.rpartition(".")[2] for p in [*self._open[self._open.index(path) :], path])
            self.faults.not_constant(f"`{path}` is defined by itself: {cycle}", declared.span)
            return None
        self._open.append(path)
        value = self._declared_value(declared)
        self._open.pop()
        if value is None:
            self.failed = True
            self._bad.add(path)
            return None
        origin = "computed" if value == AUTO_VALUE else "declared"
        self.entries[path] = Entry(value, origin, declared.span)
        return self.entries[path]

    def _declared_value(self, declared: Declared) -> Value | None:
        spec, expr = declared.spec, declared.expr
        what = f"`{spec.symbol or spec.name}`"
        if isinstance(expr, ast.Word):
            return self._word(expr, what)
        if isinstance(expr, tuple) and not hasattr(expr, "span"):
            return self._texts(expr, spec.type, what)
        if isinstance(expr, ast.Auto):
            if spec.may_be_auto or spec.section == "errors" and spec.name != "total":
                return AUTO_VALUE
            self.faults.wrong_type(what, spec.type, "`auto`", expr.span, "only counts of the plan can be computed")
            return None
        return self.value(expr, spec.type, what)

    def _word(self, word: ast.Word, what: str) -> Value:
        return word.text

    def _texts(self, texts: tuple[ast.Text, ...], kind: FieldType, what: str) -> Value | None:
        values = [self._text(t, TextType(), "a rule") for t in texts]
        return None if None in values else tuple(v for v in values if v is not None)

    # One method per kind of type ----------------------------------------------------------------------------

    def value(self, expr: ast.Expr, kind: FieldType, what: str) -> Value | None:
        """The value of an expression as a type, or None after reporting."""
        match kind:
            case NumberType():
                return self._number(expr, kind, what)
            case CountType():
                return self._count(expr, kind, what)
            case QuantityType():
                return self._amount(expr, kind, what)
            case TextType():
                return self._text(expr, kind, what)
            case MaterialType():
                return self._material(expr, kind, what)
            case ListType():
                return self._list(expr, kind, what)
            case EitherType(first, second):
                is_call = isinstance(expr, ast.Call)
                return self.value(expr, second if is_call else first, what)
            case ChoiceType():
                return self._choice(expr, kind, what)

    def _lookup(self, name: ast.Name) -> Fraction | Amount | None:
        paths = [p for p in resolve_name(name.dotted) if p in self.resolved.fields or p in self.entries]
        if not paths:
            known = [s.rpartition(".")[2] for s in FIELDS if s.startswith("thresholds.")]
            self.faults.unknown("number", name.dotted, name.span, known)
            return None
        entry = self.entry(paths[0])
        if entry is None:
            return None
        if isinstance(entry.value, (Fraction, Amount)):
            return entry.value
        if isinstance(entry.value, int):
            return Fraction(entry.value)
        self.faults.not_constant(f"`{name.dotted}` is not a number that is known here", name.span)
        return None

    def _arithmetic(self, expr: ast.Expr, kind: FieldType, what: str) -> Fraction | Amount | None:
        if isinstance(expr, (ast.Text, ast.Call, ast.ListExpr, ast.Record, ast.Comparison, ast.Auto)):
            self.faults.wrong_type(what, kind, _found(expr), expr.span)
            return None
        return evaluate(expr, self._lookup, self.faults)

    def _number(self, expr: ast.Expr, kind: NumberType, what: str) -> Value | None:
        value = self._arithmetic(expr, kind, what)
        if isinstance(value, Amount):
            self.faults.units(f"{what} is a plain number, but has the unit {value.unit}", expr.span, "leave the unit out")
            return None
        if value is not None and not kind.contains(value):
            text = number_text(value)
            hint = f"did you mean {text}%?" if 1 < value < 100 and kind.high == 1 else range_help(kind)
            self.faults.out_of_range(what, text, kind.range_text, expr.span, hint)
            return None
        return value

    def _count(self, expr: ast.Expr, kind: CountType, what: str) -> Value | None:
        value = self._arithmetic(expr, kind, what)
        if isinstance(value, Amount):
            if value.unit != kind.noun:
                self.faults.units(f"{what} counts {kind.noun}, but has the unit {value.unit}", expr.span)
                return None
            value = value.number
        if value is None:
            return None
        if value.denominator != 1:
            self.faults.wrong_type(what, kind, f"the fraction {number_text(value)}", expr.span)
            return None
        if not kind.minimum <= value <= kind.maximum:
            self.faults.out_of_range(what, str(value), f"{kind.minimum} <= value <= {kind.maximum}", expr.span)
            return None
        return int(value)

    def _amount(self, expr: ast.Expr, kind: QuantityType, what: str) -> Value | None:
        value = self._arithmetic(expr, kind, what)
        if value is None:
            return None
        units = dimension_units(kind.dimension)
        if isinstance(value, Fraction):
            self.faults.units(f"{what} has no unit: it needs {units}", expr.span, f"write the unit: {units}")
            return None
        unit = find_unit(value.unit)
        if unit is None or unit.dimension != kind.dimension:
            self.faults.units(f"{what} is a quantity of {kind.dimension}, but has the unit {value.unit}", expr.span, f"use {units}")
            return None
        if value.number <= 0:
            self.faults.out_of_range(what, f"{number_text(value.number)} {value.unit}", "more than 0", expr.span, "leave the field out for no limit")
            return None
        return value

    def _text(self, expr: ast.Expr, kind: TextType, what: str) -> Value | None:
        if kind.shape == "name" and isinstance(expr, ast.Name):
            return expr.dotted
        if not isinstance(expr, ast.Text):
            self.faults.wrong_type(what, kind, _found(expr), expr.span, "put it in quotes" if isinstance(expr, ast.Name) else "")
            return None
        if len(expr.value) > kind.maximum:
            self.faults.text_shape(what, f"{len(expr.value)} characters", f"at most {kind.maximum} characters long", expr.span)
            return None
        if kind.shape:
            return self._shaped(expr, kind.shape, what)
        if _PLACEHOLDER.fullmatch(expr.value) and expr.value.lower() != "none":
            self.faults.placeholder(what, expr.span)
            return None
        return expr.value

    def _shaped(self, expr: ast.Text, shape: str, what: str) -> Value | None:
        pattern, need = _SHAPES[shape]
        if re.fullmatch(pattern, expr.value) is None or not expr.value.strip():
            self.faults.text_shape(what, "malformed", need, expr.span)
            return None
        if shape == "digest" and expr.value == EMPTY_DIGEST:
            self.faults.material("E804", "digest-of-nothing", f"{what} is the digest of the empty string", expr.span, "commit to the real bytes")
            return None
        return expr.value

    def _material(self, expr: ast.Expr, kind: MaterialType, what: str) -> Value | None:
        if kind.prose and isinstance(expr, ast.Text):
            return self._text(expr, TextType(), what)
        if not isinstance(expr, ast.Call):
            self.faults.wrong_type(what, kind, _found(expr), expr.span)
            return None
        if expr.function.name == "sealed" and kind.sealed:
            return self._sealed(expr, what)
        argument = expr.arguments[0].value if len(expr.arguments) == 1 else None
        if expr.function.name != "file" or not kind.file or not isinstance(argument, ast.Text):
            self.faults.wrong_type(what, kind, f"`{expr.function.text}(…)`", expr.span)
            return None
        return self._committed(argument, kind.folder)

    def _sealed(self, expr: ast.Call, what: str) -> Value | None:
        """`sealed("sha256:…")`, and with `at = "path"` where the auditor will put the material."""
        values = self._arguments(_SEALED, expr.arguments, expr.span)
        if values is None:
            return None
        given = dict(values)
        return Material("sealed", str(given.get("at", "")), str(given["digest"]))

    def _committed(self, path: ast.Text, folder: bool) -> Value | None:
        try:
            return self.workspace.material(path.value, folder)
        except MaterialError as error:
            self.faults.material(error.code, error.name, error.message, path.span, error.help)
            return None

    def _list(self, expr: ast.Expr, kind: ListType, what: str) -> Value | None:
        if not isinstance(expr, ast.ListExpr):
            self.faults.wrong_type(what, kind, _found(expr), expr.span, "write it in brackets: `[ … ]`")
            return None
        values = [self.value(item, kind.item, f"an item of {what}") for item in expr.items]
        if None in values:
            return None
        if len(values) < kind.minimum:
            self.faults.out_of_range(what, f"{len(values)} items", f"at least {kind.minimum}", expr.span)
            return None
        for index, value in enumerate(values):
            if value in values[:index]:
                first = expr.items[values.index(value)].span
                self.faults.duplicate(f"this item of {what}", expr.items[index].span, first)
                return None
        return tuple(v for v in values if v is not None)

    # Choices ------------------------------------------------------------------------------------------------

    def _choice(self, expr: ast.Expr, kind: ChoiceType, what: str) -> Value | None:
        word, arguments = _choice_parts(expr)
        if word is None:
            self.faults.wrong_type(what, kind, _found(expr), expr.span)
            return None
        option = kind.find(word.name)
        if option is None:
            self.faults.unknown("choice", word.text, word.span, [o.name for o in kind.options], what)
            return None
        values = self._arguments(option, arguments, expr.span)
        return None if values is None else Choice(option.name, values)

    def _arguments(
        self, option: Option, arguments: tuple[ast.Argument, ...], span: Span
    ) -> tuple[tuple[str, Value], ...] | None:
        given = self._bind(option, arguments)
        if given is None:
            return None
        values: list[tuple[str, Value]] = []
        for parameter in option.parameters:
            if parameter.name in given:
                value = self.value(given[parameter.name], parameter.type, f"`{parameter.name}`")
                if value is None:
                    return None
                values.append((parameter.name, value))
            elif parameter.default is not None:
                values.append((parameter.name, parameter.default))  # type: ignore[arg-type]
            elif not parameter.optional:
                self.faults.missing(f"`{parameter.name}` of `{option.name}(…)`", span, option.doc, f"{option.name}({parameter.name} = …)")
                return None
        return tuple(values)

    def _bind(self, option: Option, arguments: tuple[ast.Argument, ...]) -> dict[str, ast.Expr] | None:
        names = [p.name for p in option.parameters]
        given: dict[str, ast.Expr] = {}
        for index, argument in enumerate(arguments):
            name = argument.name.name if argument.name else (names[index] if index < len(names) else "")
            if name not in names:
                self.faults.unknown("argument", name or "…", argument.span, names, f"`{option.name}(…)`")
                return None
            if name in given:
                self.faults.duplicate(f"the argument `{name}`", argument.span, given[name].span)
                return None
            given[name] = argument.value
        return given


def _choice_parts(expr: ast.Expr) -> tuple[ast.Word | None, tuple[ast.Argument, ...]]:
    """The name and the arguments of `name`, `name(…)`, `name(…) on […]` and `name within …`."""
    match expr:
        case ast.Name(parts) if len(parts) == 1:
            return parts[0], ()
        case ast.Call(function, arguments):
            return function, arguments
        case ast.Binary("on" | "within" as word, left, right):
            name, arguments = _choice_parts(left)
            label = ast.Word(word, word, right.span)
            return name, (*arguments, ast.Argument(label, right, right.span))
        case _:
            return None, ()


def _found(expr: ast.Expr) -> str:
    match expr:
        case ast.Number(_, text):
            return f"the number {text}"
        case ast.Quantity(number, unit):
            return f"{number.text} {unit.text}"
        case ast.Text():
            return "a text"
        case ast.Name():
            return f"`{expr.dotted}`"
        case ast.Call(function):
            return f"`{function.text}(…)`"
        case ast.ListExpr():
            return "a list"
        case ast.Record():
            return "a block"
        case ast.Auto():
            return "`auto`"
        case _:
            return "an expression"


__all__ = ["AUTO_VALUE", "MaterialError", "Parameter", "TypeChecker", "Workspace", "check_types"]
