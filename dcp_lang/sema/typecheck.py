"""Types: from a resolved registration to values. Every field is checked against the type of its row.

Fields may refer to each other (`ε = δ_min / 100`): a field is evaluated when it is first needed, and a cycle
is reported once. `auto` becomes `AUTO_VALUE`, which the planner replaces.
"""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.language.fields import AUTO, DEFAULT, FIELDS, canonical_order
from dcp_lang.language.names import resolve_name
from dcp_lang.language.values import Amount, Choice, Value
from dcp_lang.sema.faults import Faults
from dcp_lang.sema.materials import MaterialError, Workspace
from dcp_lang.sema.model import Declared, Entry, Resolved
from dcp_lang.sema.reader import Reader
from dcp_lang.syntax import ast

#: Stands for `auto` until the planner has computed the value.
AUTO_VALUE = Choice("auto")

__all__ = ["AUTO_VALUE", "MaterialError", "Workspace", "check_types"]


def check_types(resolved: Resolved, workspace: Workspace, faults: Faults) -> tuple[dict[str, Entry], bool]:
    """The value of every field that has one, in table order; and whether none is at fault or missing."""
    checker = _TypeChecker(resolved, workspace, faults)
    for path in resolved.fields:
        checker.entry(path)
    entries = dict(sorted(checker.entries.items(), key=lambda item: canonical_order(item[0])))
    return entries, not checker.failed and resolved.complete


class _TypeChecker:
    """Evaluates fields on demand; a path in `failed` has no value."""

    def __init__(self, resolved: Resolved, workspace: Workspace, faults: Faults) -> None:
        self.resolved = resolved
        self.faults = faults
        self.reader = Reader(self._lookup, workspace, faults)
        self.entries: dict[str, Entry] = {}
        self.failed: set[str] = set()
        self._open: list[str] = []
        self._write_defaults(workspace)

    def _write_defaults(self, workspace: Workspace) -> None:
        for spec in FIELDS.values():
            if spec.path in self.resolved.fields or not self._wants(spec.section):
                continue
            if spec.presence == DEFAULT and spec.default is not None:
                self.entries[spec.path] = Entry(spec.default, "default", self.resolved.span)
            elif spec.presence == AUTO:
                self.entries[spec.path] = Entry(AUTO_VALUE, "computed", self.resolved.span)
        for profile in self.resolved.profiles:
            reader = Reader(self._lookup, workspace, Faults(profile.source, self.faults.sink))
            for path, expr in profile.defaults:
                self._profile_default(path, expr, reader)

    def _wants(self, section: str) -> bool:
        return not section.startswith("gate.feedback") or self.resolved.grade == "evidence"

    def _profile_default(self, path: str, expr: ast.Expr, reader: Reader) -> None:
        """A profile's default stands where the author wrote nothing; the first profile in use wins."""
        spec = FIELDS[path]
        written = path in self.resolved.fields or self._origin(path) == "profile"
        if written or not self._wants(spec.section):
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
        what = f"`{_said(declared)}`"
        if not isinstance(expr, ast.Auto):
            return self.reader.value(expr, spec.type, what)
        if spec.presence == AUTO or (spec.section == "errors" and spec.name != "total"):
            return AUTO_VALUE
        help = "only the counts of the plan and the alphas can be computed"
        self.faults.wrong_type(what, spec.type, "`auto`", expr.span, help)
        return None

    def _lookup(self, name: ast.Name) -> Fraction | Amount | None:
        """The number that a name in a field's expression stands for, or None after reporting."""
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


def _said(declared: Declared) -> str:
    """A field's name as its author knows it: thresholds by their symbols, labels as they were given."""
    spec = declared.spec
    return spec.symbol if spec.section == "thresholds" and spec.symbol else declared.path.rpartition(".")[2]
