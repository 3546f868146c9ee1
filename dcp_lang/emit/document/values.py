"""The frozen registration as content templates see it: names with dots, each value shown as its type asks.

A name that the registration does not hold is undefined: asking for it with `is defined` is fine, printing
it is an error. Whatever is printed is a number, a name or the author's words, never text that could be read
as markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dcp_lang.emit.document.inline import Code, Line, User, joined
from dcp_lang.emit.document.shown import counted, plain_number, probability, quantity
from dcp_lang.language.fields import find_field
from dcp_lang.language.types import (
    ChoiceType,
    CountType,
    EitherType,
    FieldType,
    ListType,
    MaterialType,
    NumberType,
    TextType,
)
from dcp_lang.language.units import NOUNS
from dcp_lang.language.values import json_value

_ONE = {many: one for one, many in NOUNS.items()}
#: Shapes of text that are names, not prose.
_NAMES = frozenset(("identifier", "digest", "name", "salt"))


class Value:
    """A value of the JSON with the type that says how it reads; a figure, all numbers, has none."""

    def __init__(self, value: Any, kind: FieldType | None, origin: str = "", path: str = "") -> None:
        self.value = value
        self.path = path
        self.origin = "" if origin == "declared" else origin
        self._kind = kind

    @property
    def choice(self) -> str:
        """The alternative taken."""
        return str(self.value["choice"])

    def __getitem__(self, name: str | int) -> Value:
        """An argument of a choice, or a part of a figure; KeyError when there is none."""
        if isinstance(self.value, list) and isinstance(name, int):
            return Value(self.value[name], self._item_kind())
        if not isinstance(self.value, Mapping):
            raise KeyError(name)
        return Value(self.value[name], self._argument_kind(str(name)))

    def __iter__(self) -> Iterator[Value]:
        return (Value(item, self._item_kind()) for item in self.value)

    def __len__(self) -> int:
        return len(self.value)

    def _item_kind(self) -> FieldType | None:
        return self._kind.item if isinstance(self._kind, ListType) else self._kind

    def _argument_kind(self, name: str) -> FieldType | None:
        if not isinstance(self._kind, ChoiceType):
            return self._kind
        option = self._kind.find(self.choice)
        return next((p.type for p in option.parameters if p.name == name), None) if option else None

    @property
    def line(self) -> Line:
        """The value in words."""
        return shown(self.value, self._kind)


def shown(value: Any, kind: FieldType | None) -> Line:
    """A value of the JSON in words, by its type."""
    if isinstance(value, list):
        item = kind.item if isinstance(kind, ListType) else kind
        return joined([shown(each, item) for each in value])
    match kind:
        case EitherType(first, second):
            return shown(value, first if isinstance(value, str) else second)
        case CountType(noun):
            return (counted(value, _ONE.get(noun, noun.removesuffix("s"))),)
        case MaterialType() if isinstance(value, Mapping):
            return material(value)
        case ChoiceType():
            return _chosen(value, kind)
        case TextType(shape) if shape in _NAMES:
            return (Code(str(value)),)
        case TextType() | MaterialType():
            return (User(str(value)),)
        case _:
            return (quantity(value) if isinstance(value, Mapping) else plain_number(value),)


def _chosen(value: Mapping[str, Any], kind: ChoiceType) -> Line:
    """An alternative in words, with arguments that are not defaults: `length within 0.1 (10%)`."""
    line: Line = (str(value["choice"]).replace("_", " "),)
    option = kind.find(value["choice"])
    for parameter in option.parameters if option else ():
        default = parameter.default
        if parameter.name in value and (default is None or value[parameter.name] != json_value(default)):
            line += (f" {parameter.name} ", *_argument(value[parameter.name], parameter.type))
    return line


def _argument(value: Any, kind: FieldType) -> Line:
    return (probability(value),) if isinstance(kind, NumberType) else shown(value, kind)


def material(value: Mapping[str, Any]) -> Line:
    """A committed file, a folder with its manifest, or a sealed digest."""
    if "sealed" in value:
        place = (", which the auditor puts at ", Code(value["at"])) if "at" in value else ()
        return ("sealed, committed by ", Code(value["sealed"]), *place)
    if "folder" in value:
        return (Code(value["folder"]), ", manifest ", Code(value["sha256"]))
    size = quantity({"amount": str(value["size"]), "unit": "B"})
    return (Code(value["file"]), ", ", size, ", ", Code(value["sha256"]))


class Section:
    """The fields below a prefix: `gate.recovery.episodes` is found part by part."""

    def __init__(self, fields: Mapping[str, Any], prefix: str) -> None:
        self._fields = fields
        self._prefix = prefix

    def __getitem__(self, name: str) -> Value | Section:
        """A field or a section below this one; KeyError when the registration holds neither."""
        path = self._prefix + name
        if path in self._fields:
            return self._value(path)
        if not any(p.startswith(path + ".") for p in self._fields):
            raise KeyError(name)
        return Section(self._fields, path + ".")

    def _value(self, path: str) -> Value:
        spec = find_field(path)
        entry = self._fields[path]
        return Value(entry["value"], spec.type if spec else TextType(), entry["origin"], path)

    def labelled(self) -> list[tuple[Line, Value]]:
        """The author's own labels below this prefix, with their values."""
        paths = [p for p in self._fields if p.startswith(self._prefix)]
        return [((Code(p.removeprefix(self._prefix)),), self._value(p)) for p in paths]


def names(fields: Mapping[str, Any]) -> dict[str, Value | Section]:
    """The first names of all fields."""
    root = Section(fields, "")
    return {first: root[first] for first in dict.fromkeys(path.partition(".")[0] for path in fields)}


def percent(value: Value) -> Line:
    """A share with its percentage."""
    return (probability(value.value),)


def bare(value: Value) -> Line:
    """A count without its noun."""
    return (plain_number(value.value),)
