"""The JSON Schema of a field's value, by its type: the mirror of `language.values.json_value`."""

from __future__ import annotations

from typing import Any

from dcp_lang.frozen.shapes import NUMBER, SHAPES
from dcp_lang.language.types import (
    ChoiceType,
    CountType,
    EitherType,
    FieldType,
    ListType,
    MaterialType,
    NumberType,
    Option,
    QuantityType,
    TextType,
)
from dcp_lang.language.units import CURRENCIES

Schema = dict[str, Any]
_UNITS = {"time": ["s"], "data": ["B"], "money": sorted(CURRENCIES)}


def whole(pattern: str) -> str:
    """A pattern that matches a whole text. `$` would let a line feed pass in Python; this is the end in
    every reader.
    """
    return f"^(?:{pattern})(?![\\s\\S])"


def record(properties: dict[str, Schema], *, optional: tuple[str, ...] = (), about: str = "") -> Schema:
    """An object with exactly these members."""
    required = [name for name in properties if name not in optional]
    made: Schema = {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
    return {"description": about} | made if about else made


def reference(name: str) -> Schema:
    """A reference to one of `DEFS`."""
    return {"$ref": f"#/$defs/{name}"}


def rows(item: Schema, *, least: int = 0) -> Schema:
    """A list."""
    return {"type": "array", "items": item, "minItems": least}


DEFS: dict[str, Schema] = {
    "text": {"type": "string"},
    "count": {"type": "integer", "minimum": 0, "maximum": 2**53 - 1},
    "number": {
        "description": "An exact number in its one spelling: the finite decimal, else p/q in lowest terms.",
        "type": "string",
        "pattern": whole(NUMBER),
        "maxLength": 4096,
    },
    "digest": {
        "description": "SHA-256 of bytes.",
        "type": "string",
        "pattern": whole(SHAPES["digest"]),
        "maxLength": 71,
    },
    "file": record(
        {"path": {"type": "string"}, "sha256": {"$ref": "#/$defs/digest"}, "size": {"$ref": "#/$defs/count"}},
        about="A file of a folder, with its size in bytes.",
    ),
    "plain": {
        "description": "Any JSON without floats: derived values, recomputed by the compiler.",
        "anyOf": [
            {"type": ["string", "integer", "boolean", "null"]},
            {"type": "array", "items": {"$ref": "#/$defs/plain"}},
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/plain"}},
        ],
    },
}


def value_schema(kind: FieldType) -> Schema:
    """The schema of a value."""
    match kind:
        case NumberType(name=name):
            return {"description": f"{name}: {kind.range_text}."} | reference("number")
        case CountType(noun, minimum, maximum):
            return {
                "description": f"A number of {noun}.",
                "type": "integer",
                "minimum": minimum,
                "maximum": maximum,
            }
        case QuantityType(dimension):
            return record({"amount": reference("number"), "unit": {"enum": _UNITS[dimension]}})
        case TextType(shape, maximum):
            pattern = {"pattern": whole(SHAPES[shape])} if shape else {}
            return {"type": "string", "maxLength": maximum} | pattern
        case MaterialType():
            return _material(kind)
        case ListType(item, minimum):
            return rows(value_schema(item), least=minimum) | {"uniqueItems": True}
        case EitherType(first, second):
            return {"oneOf": [value_schema(first), value_schema(second)]}
        case ChoiceType(options):
            found = [_option(o) for o in options]
            return found[0] if len(found) == 1 else {"oneOf": found}


def _option(option: Option) -> Schema:
    members = {p.name: value_schema(p.type) for p in option.parameters}
    optional = tuple(p.name for p in option.parameters if p.optional)
    return record({"choice": {"const": option.name}} | members, optional=optional, about=option.doc)


def _material(kind: MaterialType) -> Schema:
    forms = []
    if kind.file:
        forms.append(
            record({"file": {"type": "string"}, "sha256": reference("digest"), "size": reference("count")})
        )
    if kind.folder:
        files = rows(reference("file"), least=1)
        forms.append(record({"folder": {"type": "string"}, "sha256": reference("digest"), "files": files}))
    if kind.sealed:
        forms.append(record({"sealed": reference("digest"), "at": {"type": "string"}}, optional=("at",)))
    if kind.prose:
        forms.append({"type": "string"})
    return {"oneOf": forms}
