"""Reading a frozen registration: strict JSON, every key known, every value of its type.

A file that loads is well formed. Whether it is what the compiler writes, and whether its certificates hold,
is the matter of `dcpc verify-registration`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from dcp_lang.canonical import StrictJsonError, digest, load_strict
from dcp_lang.frozen.fault import FrozenFault, pointer
from dcp_lang.frozen.model import Field, Plan, Profile, Registration, RuleStatus, Size, Slot, Waiver
from dcp_lang.frozen.shapes import has_shape
from dcp_lang.frozen.values import keys, read_digest, read_value, text
from dcp_lang.language.fields import find_field

SCHEMA = "dcp-lang/registration/1"
GRADES = ("core", "evidence")
ORIGINS = ("declared", "default", "profile", "computed")
STATUSES = ("proved", "entailed", "deferred", "refuted")
#: Optional keys of a size: how many are safe, how many reach the assurance, the achieved bound.
SIZE_EXTRAS = frozenset({"declared", "least", "safe", "assured", "bound", "certificate"})
_KEYS = {
    "schema", "edition", "compiler", "name", "grade", "source", "profiles", "fields", "plan", "slot", "rules",
    "obligations", "waivers", "contracts",
}  # fmt: skip
_OBLIGATION = {"code", "origin", "status", "condition", "expression", "known"}

T = TypeVar("T")


def load_registration(path: str | Path) -> Registration:
    """The frozen registration in a file; raises OSError, or `FrozenFault` with the place and what must
    be there.
    """
    return read_registration(Path(path).read_bytes())


def read_registration(data: bytes) -> Registration:
    """The frozen registration in bytes; raises `FrozenFault`."""
    try:
        value = load_strict(data)
    except StrictJsonError as error:
        raise FrozenFault("", str(error)) from error
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise FrozenFault("/schema", f"this is no frozen registration: its schema is not {SCHEMA}")
    return _registration(keys(value, _KEYS, ""), digest(data))


def _registration(value: dict[str, Any], sha256: str) -> Registration:
    return Registration(
        digest=sha256,
        edition=_count(value["edition"], "/edition"),
        compiler=_compiler(value["compiler"]),
        name=text(value["name"], "/name"),
        grade=_one_of(value["grade"], GRADES, "/grade"),
        source=text(value["source"], "/source"),
        profiles=_rows(value["profiles"], "/profiles", _profile),
        fields=_fields(value["fields"]),
        plan=_plan(value["plan"]),
        slot=_slot(value["slot"]),
        rules=_rows(value["rules"], "/rules", _rule),
        obligations=_rows(value["obligations"], "/obligations", _obligation),
        waivers=_rows(value["waivers"], "/waivers", _waiver),
        contracts=MappingProxyType(_map(value["contracts"], "/contracts", read_digest)),
        json=MappingProxyType(value),
    )


def _compiler(value: Any) -> str:
    found = keys(value, {"name", "version"}, "/compiler")
    return f"{text(found['name'], '/compiler/name')} {text(found['version'], '/compiler/version')}"


def _profile(value: Any, place: str) -> Profile:
    found = keys(value, {"name", "sha256", "source"}, place)
    source = text(found["source"], f"{place}/source")
    sha256 = digest(source.encode())
    if found["sha256"] != sha256:
        raise FrozenFault(
            f"{place}/sha256", f"the digest of the profile's source is {sha256}, not {found['sha256']}"
        )
    return Profile(text(found["name"], f"{place}/name"), sha256, source)


def _fields(value: Any) -> Mapping[str, Field]:
    return MappingProxyType({f.path: f for f in _map(value, "/fields", _field).values()})


def _field(value: Any, place: str) -> Field:
    path = place.removeprefix("/fields/")
    spec = find_field(path)
    if spec is None or (spec.name == "*" and not has_shape(path.rpartition(".")[2], "label")):
        raise FrozenFault(place, "the language has no such field")
    found = keys(value, {"origin", "value"}, place)
    origin = _one_of(found["origin"], ORIGINS, f"{place}/origin")
    return Field(path, read_value(found["value"], spec.type, f"{place}/value"), origin)


def _plan(value: Any) -> Plan:
    found = keys(value, {"sizes", "sessions"}, "/plan", frozenset(found_extras(value)))
    figures = found.get("figures", {})
    if not isinstance(figures, dict):
        raise FrozenFault("/plan/figures", "an object is expected here")
    sizes = _map(found["sizes"], "/plan/sizes", _size)
    return Plan(
        MappingProxyType(sizes), _count(found["sessions"], "/plan/sessions"), MappingProxyType(figures)
    )


def found_extras(value: Any) -> set[str]:
    """The derived parts of a plan; recompiling checks them, no reader needs to know them all."""
    return {key for key in value if key not in ("sizes", "sessions")} if isinstance(value, dict) else set()


def _size(value: Any, place: str) -> Size:
    found = keys(value, {"used"}, place, SIZE_EXTRAS)
    certificate = found.get("certificate")
    if certificate is not None and not isinstance(certificate, dict):
        raise FrozenFault(f"{place}/certificate", "an object is expected here")
    whole = {k: _count(found[k], f"{place}/{k}") if k in found else None for k in ("declared", "least")}
    return Size(
        place.removeprefix("/plan/sizes/"),
        whole["declared"],
        whole["least"],
        _count(found["used"], f"{place}/used"),
        certificate,
    )


def _slot(value: Any) -> Slot:
    found = keys(value, {"id", "receipt", "local"}, "/slot")
    if type(found["local"]) is not bool:
        raise FrozenFault("/slot/local", "true or false is expected here")
    return Slot(text(found["id"], "/slot/id"), read_digest(found["receipt"], "/slot/receipt"), found["local"])


def _rule(value: Any, place: str) -> RuleStatus:
    names = ("code", "name", "origin", "condition", "status", "evidence")
    found = keys(value, set(names), place)
    _one_of(found["status"], STATUSES, f"{place}/status")
    return RuleStatus(*(text(found[n], f"{place}/{n}") for n in names))


def _waiver(value: Any, place: str) -> Waiver:
    names = ("code", "name", "message", "reason")
    found = keys(value, set(names), place)
    return Waiver(*(text(found[n], f"{place}/{n}") for n in names))


def _obligation(value: Any, place: str) -> Mapping[str, Any]:
    return MappingProxyType(keys(value, _OBLIGATION, place, frozenset({"gate", "margin", "residual"})))


def _count(value: Any, place: str) -> int:
    if type(value) is not int or value < 0:
        raise FrozenFault(place, f"{value!r} is no whole number")
    return value


def _one_of(value: Any, allowed: tuple[str, ...], place: str) -> str:
    if value not in allowed:
        raise FrozenFault(place, f"{value!r} is not one of {', '.join(allowed)}")
    return str(value)


def _rows(value: Any, place: str, read: Callable[[Any, str], T]) -> tuple[T, ...]:
    if not isinstance(value, list):
        raise FrozenFault(place, "a list is expected here")
    return tuple(read(item, f"{place}/{i}") for i, item in enumerate(value))


def _map(value: Any, place: str, read: Callable[[Any, str], T]) -> dict[str, T]:
    if not isinstance(value, dict):
        raise FrozenFault(place, "an object is expected here")
    return {key: read(item, place + pointer([key])) for key, item in value.items()}
