"""The typed value behind a field's JSON: the inverse of `language.values.json_value`.

Every value is read by the type that the field table gives it, ranges included, so a consumer never meets a
number out of its range or a choice that does not exist.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

from dcp_lang.canonical import canonical_bytes, digest, is_digest, parse_number
from dcp_lang.frozen.fault import FrozenFault
from dcp_lang.frozen.shapes import has_shape
from dcp_lang.language.types import (
    ChoiceType,
    CountType,
    EitherType,
    FieldType,
    ListType,
    MaterialType,
    NumberType,
    QuantityType,
    TextType,
    type_text,
)
from dcp_lang.language.units import CURRENCIES
from dcp_lang.language.values import Amount, Choice, Material, Value

_BASES = {"time": {"s"}, "data": {"B"}, "money": CURRENCIES}


def read_value(value: Any, kind: FieldType, place: str) -> Value:
    """The value at a JSON pointer as its type; raises `FrozenFault`."""
    match kind:
        case NumberType():
            return _in_range(read_number(value, place), kind, place)
        case CountType():
            return _count(value, kind, place)
        case QuantityType():
            return _amount(value, kind, place)
        case TextType():
            return _text(value, kind, place)
        case MaterialType():
            return (
                _text(value, TextType(), place)
                if kind.prose and isinstance(value, str)
                else _material(value, kind, place)
            )
        case ListType():
            return _list(value, kind, place)
        case EitherType(first, second):
            return read_value(value, second if isinstance(value, dict) else first, place)
        case ChoiceType():
            return _choice(value, kind, place)


def read_number(value: Any, place: str) -> Fraction:
    """An exact number in its one spelling; raises `FrozenFault`."""
    if not isinstance(value, str):
        raise FrozenFault(place, f'{value!r} is no exact number: it is written as a text like "0.05"')
    try:
        return parse_number(value)
    except ValueError as error:
        raise FrozenFault(place, str(error)) from error


def keys(
    value: Any, required: set[str], place: str, optional: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """An object with exactly these keys; raises `FrozenFault` for a missing or an unknown one."""
    if not isinstance(value, dict):
        raise FrozenFault(place, "an object is expected here")
    for name in sorted(required - value.keys()):
        raise FrozenFault(place, f"the key `{name}` is missing")
    for name in sorted(value.keys() - required - optional):
        raise FrozenFault(
            place, f"the key `{name}` is unknown; known are {', '.join(sorted(required | optional))}"
        )
    return value


def text(value: Any, place: str) -> str:
    """A text; raises `FrozenFault`."""
    return _text(value, TextType(), place)


def read_digest(value: Any, place: str) -> str:
    """A digest; raises `FrozenFault`."""
    if not is_digest(value):
        raise FrozenFault(place, f"{value!r} is no digest: `sha256:` and 64 lower-case hex digits")
    return str(value)


def _mismatch(value: Any, kind: FieldType, place: str) -> NoReturn:
    raise FrozenFault(place, f"{value!r} is not {type_text(kind)}")


def _in_range(number: Fraction, kind: NumberType, place: str) -> Fraction:
    if not kind.contains(number):
        raise FrozenFault(place, f"{number} is out of range: {kind.range_text}")
    return number


def _count(value: Any, kind: CountType, place: str) -> int:
    if type(value) is not int or not kind.minimum <= value <= kind.maximum:
        _mismatch(value, kind, place)
    return value


def _amount(value: Any, kind: QuantityType, place: str) -> Amount:
    found = keys(value, {"amount", "unit"}, place)
    number = read_number(found["amount"], f"{place}/amount")
    if found["unit"] not in _BASES[kind.dimension] or number <= 0:
        _mismatch(value, kind, place)
    return Amount(number, found["unit"])


def _text(value: Any, kind: TextType, place: str) -> str:
    if not isinstance(value, str) or len(value) > kind.maximum or not has_shape(value, kind.shape):
        _mismatch(value, kind, place)
    return value


def _list(value: Any, kind: ListType, place: str) -> tuple[Value, ...]:
    if not isinstance(value, list) or len(value) < kind.minimum:
        _mismatch(value, kind, place)
    items = tuple(read_value(item, kind.item, f"{place}/{i}") for i, item in enumerate(value))
    for index, item in enumerate(items):
        if item in items[:index]:
            raise FrozenFault(f"{place}/{index}", "stands in the list twice")
    return items


def _choice(value: Any, kind: ChoiceType, place: str) -> Choice:
    option = (
        kind.find(value["choice"])
        if isinstance(value, dict) and isinstance(value.get("choice"), str)
        else None
    )
    if option is None:
        _mismatch(value, kind, place)
    required = {"choice"} | {p.name for p in option.parameters if not p.optional}
    keys(value, required, place, frozenset(p.name for p in option.parameters if p.optional))
    given = [p for p in option.parameters if p.name in value]
    return Choice(
        option.name, tuple((p.name, read_value(value[p.name], p.type, f"{place}/{p.name}")) for p in given)
    )


def _material(value: Any, kind: MaterialType, place: str) -> Material:
    if isinstance(value, dict) and "sealed" in value and kind.sealed:
        found = keys(value, {"sealed"}, place, frozenset({"at"}))
        return Material(
            "sealed",
            text(found.get("at", ""), f"{place}/at"),
            read_digest(found["sealed"], f"{place}/sealed"),
        )
    if isinstance(value, dict) and "folder" in value and kind.folder:
        return _folder(value, place)
    if isinstance(value, dict) and "file" in value and kind.file:
        found = keys(value, {"file", "sha256", "size"}, place)
        return Material(
            "file",
            text(found["file"], f"{place}/file"),
            read_digest(found["sha256"], f"{place}/sha256"),
            _size(found, place),
        )
    _mismatch(value, kind, place)


def _folder(value: Any, place: str) -> Material:
    found = keys(value, {"folder", "sha256", "files"}, place)
    if not isinstance(found["files"], list) or not found["files"]:
        raise FrozenFault(f"{place}/files", "a folder holds at least one file")
    rows = tuple(_file_row(row, f"{place}/files/{i}") for i, row in enumerate(found["files"]))
    if list(rows) != sorted(rows, key=lambda row: row[0].encode()):
        raise FrozenFault(f"{place}/files", "the files are not in the order of their paths")
    expected = digest(canonical_bytes(found["files"]))
    if expected != found["sha256"]:
        raise FrozenFault(f"{place}/sha256", f"the manifest's digest is {expected}, not {found['sha256']}")
    return Material(
        "folder", text(found["folder"], f"{place}/folder"), expected, sum(r[2] for r in rows), rows
    )


def _file_row(value: Any, place: str) -> tuple[str, str, int]:
    found = keys(value, {"path", "sha256", "size"}, place)
    return (
        text(found["path"], f"{place}/path"),
        read_digest(found["sha256"], f"{place}/sha256"),
        _size(found, place),
    )


def _size(value: dict[str, Any], place: str) -> int:
    return _count(value["size"], CountType("bytes", 0, 2**53 - 1), f"{place}/size")
