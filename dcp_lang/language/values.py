"""The values that fields take: exact, immutable, each with one JSON form.

Numbers are `Fraction`, counts `int`, prose `str`; the rest are the named tuples below. No value holds a
float.
"""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.language.units import quantity_text
from dcp_lang.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from typing import Any, TypeAlias

#: A number is frozen as a decimal of at most `MAX_PLACES` places, or as p/q with at most `MAX_DIGITS` digits
#: each.
MAX_PLACES, MAX_DIGITS = 12, 15
_PLACES: int = 10**MAX_PLACES
_LIMIT: int = 10**MAX_DIGITS


def is_representable(value: Fraction) -> bool:
    """Whether a number has a spelling in the frozen form: 0.05 or 1/7, but not their product with 10^-20."""
    top, bottom = abs(value.numerator), value.denominator
    is_decimal = _PLACES % bottom == 0 and top < _LIMIT * bottom
    return is_decimal or (top < _LIMIT and bottom < _LIMIT)


class Amount(Record):
    """A quantity in its base unit: `30 min` is `Amount(1800, "s")`."""

    number: Fraction
    unit: str


class Choice(Record):
    """One of the alternatives of a field, with its arguments: `exhaustive(1 unit)`, `prospective`."""

    name: str
    arguments: tuple[tuple[str, Value], ...] = ()

    def argument(self, name: str) -> Any:
        """The argument with this name; KeyError when the alternative has none."""
        return dict(self.arguments)[name]

    def get(self, key: str, default: Any = None) -> Any:
        """An argument by name, or `default`."""
        return dict(self.arguments).get(key, default)


class Material(Record):
    """Bytes committed by digest: a file, a folder (with its manifest), or sealed material never opened here.

    `sha256` is `sha256:` and 64 hex digits; the `path` of sealed material is where the auditor will put it,
    or empty; `files` lists (path below the folder, digest, size) in path order.
    """

    kind: str
    path: str
    sha256: str
    size: int = 0
    files: tuple[tuple[str, str, int], ...] = ()


Value: TypeAlias = "Fraction | int | str | Amount | Choice | Material | tuple[Value, ...]"


def value_text(value: Value) -> str:
    """A value as findings show it: `0.05`, `30 min`, `after("web snapshot")` as `after(web snapshot)`."""
    match value:
        case Fraction() | int():
            return number_text(value)
        case Amount(number, unit):
            return quantity_text(number, unit)
        case Choice(name, arguments):
            return name + (f"({', '.join(value_text(v) for _, v in arguments)})" if arguments else "")
        case Material(path=path, sha256=sha256):
            return path or sha256
        case str():
            return value
        case _:
            return f"[{', '.join(value_text(item) for item in value)}]"


def json_value(value: Value) -> Any:
    """The JSON form of a value; numbers are strings with one spelling, counts are integers."""
    match value:
        case Fraction():
            return number_text(value)
        case Amount(number, unit):
            return {"amount": number_text(number), "unit": unit}
        case Choice(name, arguments):
            return {"choice": name, **{k: json_value(v) for k, v in arguments}}
        case Material():
            return _json_material(value)
        case int() | str():
            return value
        case _:
            return [json_value(item) for item in value]


def _json_material(material: Material) -> dict[str, Any]:
    if material.kind == "sealed":
        return {"sealed": material.sha256} | ({"at": material.path} if material.path else {})
    if material.kind == "file":
        return {"file": material.path, "sha256": material.sha256, "size": material.size}
    files = [{"path": p, "sha256": d, "size": s} for p, d, s in material.files]
    return {"folder": material.path, "sha256": material.sha256, "files": files}
