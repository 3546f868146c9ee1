"""Values: an expression read as a type, one method per kind of type. None after reporting, so a fault is one
finding.
"""

from __future__ import annotations

import re
from fractions import Fraction

from dcp_lang.canonical import is_digest, number_text
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
from dcp_lang.language.values import Amount, Choice, Material, Value, is_representable
from dcp_lang.sema.evaluate import Lookup, evaluate
from dcp_lang.sema.faults import Faults
from dcp_lang.sema.materials import EMPTY, EMPTY_DIGEST, MaterialError, Workspace
from dcp_lang.source import Span
from dcp_lang.syntax import ast

_ARITHMETIC = (ast.Number, ast.Quantity, ast.Name, ast.Unary, ast.Binary)
_ALPHANUMERIC = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_HEX = frozenset("0123456789abcdef")


def _is_identifier(text: str) -> bool:
    return text[:1] in _ALPHANUMERIC and not set(text) - _ALPHANUMERIC - {*"._-"}


def _is_salt(text: str) -> bool:
    return len(text) == 32 and _HEX.issuperset(text)


def _is_name(text: str) -> bool:
    return text.isascii() and text.replace("-", "_").isidentifier() and text[0] != "-"


def _is_line(text: str) -> bool:
    return text != "" and text == text.strip() and not any(c < " " or c == "\x7f" for c in text)


#: What a text of each shape is, told without patterns: compiling one takes longer than reading a registration's texts.
_SHAPES = {
    "identifier": (_is_identifier, "an identifier (letters, digits, `.`, `_`, `-`; no spaces)"),
    "digest": (is_digest, 'a digest: `"sha256:` and 64 lower-case hex digits'),
    "salt": (_is_salt, "128 bits in 32 lower-case hex digits"),
    "name": (_is_name, "a name"),
    "line": (_is_line, "one line of text without blanks at its ends"),
}
_SEALED = Option(
    "sealed",
    (Parameter("digest", TextType("digest", 71)), Parameter("at", TextType("line", 200), optional=True)),
)
_UNSPECIFIED = r"(?i)\bunspecified\b"
#: Texts that say nothing, but for marks around them.
_EMPTY = frozenset(
    ["", "todo", "tbd", "fixme", "xxx", "unspecified", "placeholder", "lorem ipsum"]
    + [f"to be {what}" for what in ("done", "decided", "defined")]
)


class Reader:
    """Reads expressions of one source as values."""

    def __init__(self, lookup: Lookup, workspace: Workspace, faults: Faults) -> None:
        self.lookup = lookup
        self.workspace = workspace
        self.faults = faults
        #: How often a value was made of more than its own text: of another field, of a file.
        self.asked = 0

    def value(self, expr: ast.Expr, kind: FieldType, what: str) -> Value | None:
        """The value of an expression as a type; `what` names the field in findings."""
        if isinstance(expr, ast.Broken):
            return None
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
                return self.value(expr, second if isinstance(expr, ast.Call) else first, what)
            case ChoiceType():
                return self._choice(expr, kind, what)

    # Numbers

    def _arithmetic(self, expr: ast.Expr, kind: FieldType, what: str) -> Fraction | Amount | None:
        """An exact number or quantity that the frozen registration can spell."""
        if type(expr) not in _ARITHMETIC:
            self.faults.wrong_type(what, kind, described(expr), expr.span)
            return None
        value = evaluate(expr, self.lookup, self.faults)
        number = value.number if isinstance(value, Amount) else value
        if number is not None and not is_representable(number):
            self.faults.not_exact(what, number, expr.span)
            return None
        return value

    def _number(self, expr: ast.Expr, kind: NumberType, what: str) -> Fraction | None:
        value = self._arithmetic(expr, kind, what)
        if isinstance(value, Amount):
            message = f"{what} is a plain number, but has the unit {value.unit}"
            self.faults.units(message, expr.span, f"write {number_text(value.number)} without a unit")
            return None
        if value is None or kind.contains(value):
            return value
        text = number_text(value)
        percent = kind.high == 1 and kind.contains(value / 100)
        help = f"did you mean {text}%?" if percent else f"{kind.name} means {kind.range_text}"
        self.faults.out_of_range(what, text, kind.range_text, expr.span, help)
        return None

    def _count(self, expr: ast.Expr, kind: CountType, what: str) -> int | None:
        value = self._arithmetic(expr, kind, what)
        if isinstance(value, Amount) and value.unit != kind.noun:
            message = f"{what} counts {kind.noun}, but has the unit {value.unit}"
            self.faults.units(message, expr.span, f"write {number_text(value.number)} {kind.noun}")
            return None
        number = value.number if isinstance(value, Amount) else value
        if number is None:
            return None
        if number.denominator != 1:
            help = f"the nearest whole number is {round(number)}"
            self.faults.wrong_type(what, kind, f"the fraction {number_text(number)}", expr.span, help)
            return None
        if not kind.minimum <= number.numerator <= kind.maximum:
            need = f"{kind.minimum} <= value <= {kind.maximum}"
            least = max(kind.minimum, min(int(number), kind.maximum))
            self.faults.out_of_range(what, str(number), need, expr.span, f"the nearest allowed is {least}")
            return None
        return int(number)

    def _amount(self, expr: ast.Expr, kind: QuantityType, what: str) -> Amount | None:
        value = self._arithmetic(expr, kind, what)
        if value is None:
            return None
        units = dimension_units(kind.dimension)
        if isinstance(value, Fraction):
            self.faults.units(f"{what} has no unit: it needs {units}", expr.span, f"write the unit: {units}")
            return None
        unit = find_unit(value.unit)
        if unit is None or unit.dimension != kind.dimension:
            message = f"{what} is a quantity of {kind.dimension}, but has the unit {value.unit}"
            self.faults.units(message, expr.span, f"use {units}")
            return None
        if value.number.numerator <= 0:
            have = f"{number_text(value.number)} {value.unit}"
            self.faults.out_of_range(what, have, "more than 0", expr.span, "leave the field out for no limit")
            return None
        return value

    # Texts and materials ------------------------------------------------------------------------------------

    def _text(self, expr: ast.Expr, kind: TextType, what: str) -> str | None:
        if kind.shape == "name" and isinstance(expr, ast.Name):
            return expr.dotted
        if not isinstance(expr, ast.Text):
            help = "put it in quotes" if isinstance(expr, ast.Name) else ""
            self.faults.wrong_type(what, kind, described(expr), expr.span, help)
            return None
        if len(expr.value) > kind.maximum:
            have, need = f"{len(expr.value)} characters", f"at most {kind.maximum} characters long"
            self.faults.malformed(what, have, need, expr.span, "shorten it")
            return None
        if is_placeholder(expr.value):
            self.faults.placeholder(what, expr.span)
            return expr.value
        return self._shaped(expr, kind.shape, what) if kind.shape else expr.value

    def _shaped(self, expr: ast.Text, shape: str, what: str) -> str | None:
        has_shape, need = _SHAPES[shape]
        if not has_shape(expr.value):
            near = re.sub(r"[^A-Za-z0-9._]+", "-", expr.value).strip("-._")
            help = f'for example `"{near}"`' if shape == "identifier" and near else ""
            self.faults.malformed(what, "malformed", need, expr.span, help)
            return None
        if shape == "digest" and expr.value == EMPTY_DIGEST:
            message = f"{what} is the digest of the empty string"
            error = MaterialError(EMPTY, message, "commit to the real bytes")
            self.faults.material(error, expr.span)
            return None
        return expr.value

    def _material(self, expr: ast.Expr, kind: MaterialType, what: str) -> Material | str | None:
        if kind.prose and isinstance(expr, ast.Text):
            return self._text(expr, TextType(), what)
        if not isinstance(expr, ast.Call):
            self.faults.wrong_type(what, kind, described(expr), expr.span)
            return None
        if expr.function.name == "sealed" and kind.sealed:
            return self._sealed(expr)
        argument = expr.arguments[0].value if len(expr.arguments) == 1 else None
        if expr.function.name != "file" or not kind.file or not isinstance(argument, ast.Text):
            self.faults.wrong_type(what, kind, described(expr), expr.span)
            return None
        return self._committed(argument, kind.folder)

    def _sealed(self, expr: ast.Call) -> Material | None:
        """`sealed("sha256:…")`, and with `at = "path"` where the auditor will put the material."""
        values = self._arguments(_SEALED, expr.arguments, expr.span)
        if values is None:
            return None
        given = dict(values)
        return Material("sealed", str(given.get("at", "")), str(given["digest"]))

    def _committed(self, path: ast.Text, folder: bool) -> Material | None:
        self.asked += 1
        try:
            return self.workspace.material(path.value, folder)
        except MaterialError as error:
            self.faults.material(error, path.span)
            return None

    # Lists and choices --------------------------------------------------------------------------------------

    def _list(self, expr: ast.Expr, kind: ListType, what: str) -> tuple[Value, ...] | None:
        if not isinstance(expr, ast.ListExpr):
            self.faults.wrong_type(what, kind, described(expr), expr.span, "write it in brackets: `[ … ]`")
            return None
        values = [self.value(item, kind.item, f"an item of {what}") for item in expr.items]
        found = tuple(v for v in values if v is not None)
        if len(found) < len(values):
            return None
        if len(found) < kind.minimum:
            self.faults.out_of_range(what, f"{len(found)} items", f"at least {kind.minimum}", expr.span)
            return None
        for index, value in enumerate(found):
            if value in found[:index]:
                first = expr.items[found.index(value)].span
                self.faults.duplicate(f"this item of {what}", expr.items[index].span, first)
                return None
        return found

    def _choice(self, expr: ast.Expr, kind: ChoiceType, what: str) -> Choice | None:
        word, arguments = _choice_parts(expr)
        if word is None:
            self.faults.wrong_type(what, kind, described(expr), expr.span)
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
        """The values of the parameters, defaults filled in."""
        given = self._bind(option, arguments)
        if given is None:
            return None
        values: list[tuple[str, Value]] = []
        for parameter in option.parameters:
            value = parameter.default
            if parameter.name in given:
                value = self.value(given[parameter.name], parameter.type, f"`{parameter.name}`")
                if value is None:
                    return None
            elif value is None and not parameter.optional:
                what = f"`{parameter.name}` of `{option.name}(…)`"
                self.faults.missing(what, span, option.doc, f"write `{option.name}({parameter.name} = …)`")
                return None
            if value is not None:
                values.append((parameter.name, value))
        return tuple(values)

    def _bind(self, option: Option, arguments: tuple[ast.Argument, ...]) -> dict[str, ast.Expr] | None:
        """The expressions by name of their parameter."""
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


def is_placeholder(text: str) -> bool:
    """Whether a text says nothing: no letter or digit, an empty word between marks, or anything `unspecified`."""
    said = text.lower()
    first = next((index for index, c in enumerate(said) if c.isalnum()), len(said))
    last = next((index for index in range(len(said) - 1, first, -1) if said[index].isalnum()), first)
    bare = said[first : last + 1]
    return bare in _EMPTY or ("unspecified" in said and re.search(_UNSPECIFIED, text) is not None)


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


def described(expr: ast.Expr) -> str:
    """What an expression is, in a few words of a finding."""
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
