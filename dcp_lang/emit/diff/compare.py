"""Comparing two frozen registrations: fields, grade, profiles, the author's own rules and waivers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dcp_lang.emit.diff.direction import IDENTITY, LOOSENING, PROSE, TIGHTENING, classify
from dcp_lang.frozen import Registration
from dcp_lang.language.fields import canonical_order
from dcp_lang.language.values import Value, value_text


class Change(NamedTuple):
    """One change: where, its class, and what stood and stands there ("" for nothing)."""

    path: str
    kind: str
    old: str
    new: str
    note: str = ""


def compare(old: Registration, new: Registration) -> list[Change]:
    """Every change from `old` to `new`, in the order of the field table; empty for the same registration."""
    return [*_head(old, new), *_fields(old, new), *_sets(old, new)]


def _head(old: Registration, new: Registration) -> Iterator[Change]:
    if old.edition != new.edition:
        yield Change("edition", IDENTITY, str(old.edition), str(new.edition))
    if old.name != new.name:
        yield Change("name", PROSE, old.name, new.name)
    if old.grade != new.grade:
        kind = TIGHTENING if new.grade == "evidence" else LOOSENING
        yield Change("grade", kind, old.grade, new.grade)


def _fields(old: Registration, new: Registration) -> Iterator[Change]:
    inactive = new.grade != old.grade
    for path in sorted(old.fields.keys() | new.fields.keys(), key=canonical_order):
        before, after = old.get(path), new.get(path)
        shown = _text(before), _text(after)
        if before != after:
            # What the other grade has no word for follows from the change of the grade.
            follows = inactive and None in (before, after)
            kind = PROSE if follows else classify(path, before, after)
            yield Change(path, kind, *shown, "follows from the grade" if follows else "")
        elif old.fields[path].origin != new.fields[path].origin:
            note = f"{old.fields[path].origin}, now {new.fields[path].origin}"
            yield Change(path, PROSE, *shown, note)


def _text(value: Value | None) -> str:
    return "" if value is None else value_text(value)


def _sets(old: Registration, new: Registration) -> Iterator[Change]:
    """Rules in force can only tighten, waivers can only loosen."""
    yield from _members("require", _requires(old), _requires(new), TIGHTENING, LOOSENING)
    yield from _members("waiver", _waivers(old), _waivers(new), LOOSENING, TIGHTENING)
    yield from _members("profile", _profiles(old), _profiles(new), TIGHTENING, LOOSENING)


def _members(
    what: str, old: dict[str, str], new: dict[str, str], added: str, removed: str
) -> Iterator[Change]:
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key, ""), new.get(key, "")
        if before != after:
            kind = added if not before else removed if not after else IDENTITY
            yield Change(f"{what} {key}" if what != "require" else what, kind, before, after)


def _requires(reg: Registration) -> dict[str, str]:
    """The author's own conditions by their text in the normal form."""
    lines = (line.strip() for line in reg.source.splitlines())
    return {line: line.removeprefix("require ") for line in lines if line.startswith("require ")}


def _waivers(reg: Registration) -> dict[str, str]:
    return {w.code: f"{w.message} ({w.reason})" for w in reg.waivers}


def _profiles(reg: Registration) -> dict[str, str]:
    return {p.name: p.sha256 for p in reg.profiles}
