"""Types: from a resolved registration to values. Every field is checked against the type of its row.

Fields may refer to each other (`ε = δ_min / 100`): a field is evaluated when it is first needed, and a cycle
is reported once. `auto` becomes `AUTO_VALUE`, which the planner replaces.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dcp_lang.language.fields import AUTO, FIELDS, canonical_order
from dcp_lang.language.names import resolve_name
from dcp_lang.language.values import Amount, Choice, Value
from dcp_lang.memory import Memory
from dcp_lang.sema.faults import Faults
from dcp_lang.sema.materials import MaterialError, Workspace
from dcp_lang.sema.model import Declared, Entry, Resolved
from dcp_lang.sema.reader import Reader
from dcp_lang.source import Span
from dcp_lang.syntax import ast

#: Stands for `auto` until the planner has computed the value.
AUTO_VALUE = Choice("auto")

#: What stands where the author wrote nothing: path, section, value, origin.
_DEFAULTS: list[tuple[str, str, Value, str]] = [
    *((s.path, s.section, s.default, "default") for s in FIELDS.values() if s.default is not None),
    *((s.path, s.section, AUTO_VALUE, "computed") for s in FIELDS.values() if s.presence == AUTO),
]

#: Values by row and text, as they are in file after file, and those of a part by its identity, kept beside them; a
#: character weighs some bytes.
_known = Memory(2**20)

__all__ = ["AUTO_VALUE", "MaterialError", "Workspace", "check_types"]


def check_types(
    resolved: Resolved, workspace: Workspace, faults: Faults, is_whole: bool
) -> tuple[dict[str, Entry], bool]:
    """The value of every field that has one, in table order; and whether none is at fault or missing.

    `is_whole`: nothing in the text was mended, so what a value is stands in its own words.
    """
    checker = _TypeChecker(resolved, workspace, faults, is_whole)
    if is_whole and _known:
        checker.recall()
    for path in resolved.fields:
        if path not in checker.entries:
            checker.entry(path)
    if is_whole:
        checker.remember()
    found = checker.entries
    return {path: found[path] for path in _ordered(tuple(found))}, not checker.failed and resolved.complete


@lru_cache(maxsize=64)
def _ordered(paths: tuple[str, ...]) -> list[str]:
    return sorted(paths, key=canonical_order)


class _TypeChecker:
    """Evaluates fields on demand; a path in `failed` has no value, that of one in `own` is made of its own text."""

    def __init__(self, resolved: Resolved, workspace: Workspace, faults: Faults, is_whole: bool) -> None:
        self.resolved = resolved
        self.faults = faults
        self.reader = Reader(self._lookup, workspace, faults)
        self.entries: dict[str, Entry] = {}
        self.failed: set[str] = set()
        self.own: set[str] = set()
        self._open: list[str] = []
        self.is_whole = is_whole
        self._write_defaults(workspace)

    def _write_defaults(self, workspace: Workspace) -> None:
        fields = self.resolved.fields
        defaults = _defaults(self.resolved.grade, self.resolved.span).items()
        self.entries.update([(path, entry) for path, entry in defaults if path not in fields])
        for profile in self.resolved.profiles:
            reader = Reader(self._lookup, workspace, Faults(profile.source, self.faults.sink))
            for path, expr in profile.defaults:
                self._profile_default(path, expr, reader)

    def _profile_default(self, path: str, expr: ast.Expr, reader: Reader) -> None:
        """A profile's default stands where the author wrote nothing; the first profile in use wins."""
        spec = FIELDS[path]
        written = path in self.resolved.fields or self._origin(path) == "profile"
        if written or not _wants(spec.section, self.resolved.grade):
            return
        value = reader.value(expr, spec.type, f"`{path}`")
        if value is not None:
            self.entries[path] = Entry(value, "profile", self.resolved.span)

    def _origin(self, path: str) -> str:
        return self.entries[path].origin if path in self.entries else ""

    def entry(self, path: str) -> Entry | None:
        """The typed value of a field, evaluated once; None when it is at fault."""
        if path in self.entries or path in self.failed:
            return self.entries.get(path)
        declared = self.resolved.fields[path]
        if path in self._open:
            cycle = " → ".join(p.rpartition(".")[2] for p in [*self._open[self._open.index(path) :], path])
            self.faults.no_value(f"`{path}` is defined by itself: {cycle}", declared.span, "write a number")
            return None
        self._open.append(path)
        value = self._value(declared)
        self._open.pop()
        if value is None:
            self.failed.add(path)
            return None
        origin = "computed" if value == AUTO_VALUE else "declared"
        self.entries[path] = Entry(value, origin, declared.span)
        return self.entries[path]

    def _value(self, declared: Declared) -> Value | None:
        spec, expr = declared.spec, declared.expr
        if not isinstance(expr, ast.Auto):
            return self._read(declared)
        if spec.presence == AUTO or (spec.section == "errors" and spec.name != "total"):
            self.own.add(declared.path)
            return AUTO_VALUE
        help = "only the counts of the plan and the alphas can be computed"
        self.faults.wrong_type(_what(declared), spec.type, "`auto`", expr.span, help)
        return None

    def recall(self) -> None:
        """Take the values of every part, and else of every text, that was read before for the same row."""
        text = self.resolved.source.text
        for part in self.resolved.parts:
            if known := _known.get(id(part)):
                self.entries.update(known[1])
                continue
            for path, declared in part.fields.items():
                start, end = declared.expr.span
                value = _known.get((declared.spec.path, text[start:end]))
                if value is not None:
                    self.entries[path] = Entry(value, "declared", declared.span)
                    self.own.add(path)

    def remember(self) -> None:
        """Keep the values of every part that are made of their own texts."""
        for part in self.resolved.parts:
            if id(part) not in _known:
                own = {path: self.entries[path] for path in part.fields if path in self.own}
                _known.keep(id(part), (part, own), 100 * len(own))

    def _read(self, declared: Declared) -> Value | None:
        """A value; remembered where it has no fault and is made of nothing but its own text."""
        asked, added = self.reader.asked, self.faults.sink.added
        value = self.reader.value(declared.expr, declared.spec.type, _what(declared))
        is_silent = (self.reader.asked, self.faults.sink.added) == (asked, added)
        if value is not None and is_silent and self.is_whole:
            start, end = declared.expr.span
            key = (declared.spec.path, self.resolved.source.text[start:end])
            _known.keep(key, value, end - start)
            self.own.add(declared.path)
        return value

    def _lookup(self, name: ast.Name) -> Fraction | Amount | None:
        """The number that a name in a field's expression stands for, or None after reporting."""
        self.reader.asked += 1
        candidates = resolve_name(name.dotted)
        paths = [p for p in candidates if p in self.resolved.fields or p in self.entries]
        if not candidates:
            known = [p.rpartition(".")[2] for p in FIELDS if p.startswith("thresholds.")]
            self.faults.unknown("number", name.dotted, name.span, known)
        elif len(candidates) > 1:
            self.faults.ambiguous(name.dotted, name.span, candidates)
        elif not paths:
            self.faults.no_value(
                f"`{name.dotted}` has no value in this registration", name.span, "write a number"
            )
        else:
            return self._number_of(paths[0], name)
        return None

    def _number_of(self, path: str, name: ast.Name) -> Fraction | Amount | None:
        entry = self.entry(path)
        if entry is None:
            return None
        if isinstance(entry.value, Fraction | Amount):
            return entry.value
        if isinstance(entry.value, int):
            return Fraction(entry.value)
        self.faults.no_value(
            f"`{name.dotted}` is not a number that is known here", name.span, "write a number"
        )
        return None


@lru_cache(maxsize=64)
def _defaults(grade: str, at: Span) -> dict[str, Entry]:
    return {p: Entry(value, origin, at) for p, section, value, origin in _DEFAULTS if _wants(section, grade)}


def _wants(section: str, grade: str) -> bool:
    return not section.startswith("gate.feedback") or grade == "evidence"


def _what(declared: Declared) -> str:
    """A field's name as its author knows it: thresholds by their symbols, labels as they were given."""
    spec = declared.spec
    is_symbol = spec.section == "thresholds" and spec.symbol
    return f"`{spec.symbol if is_symbol else declared.path.rpartition('.')[2]}`"
