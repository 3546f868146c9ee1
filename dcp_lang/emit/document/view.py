"""Reading the frozen registration: typed access to its fields, its plan and its figures, and sentences about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dcp_lang.emit.document.blocks import Table
from dcp_lang.emit.document.inline import Code, Line, Number, User
from dcp_lang.emit.document.prose import fill
from dcp_lang.emit.document.shown import counted, plain_number, probability, quantity
from dcp_lang.language.fields import find_field
from dcp_lang.language.types import CountType
from dcp_lang.language.units import NOUNS

_SINGULAR = {many: one for one, many in NOUNS.items()}


class View:
    """A frozen registration with the digest of its bytes; KeyError for what it does not hold."""

    def __init__(self, frozen: Mapping[str, Any], sha256: str) -> None:
        self.frozen = frozen
        self.sha256 = sha256
        self.fields: Mapping[str, Any] = frozen["fields"]
        self.figures: Mapping[str, Any] = frozen["plan"]["figures"]

    @property
    def is_evidence(self) -> bool:
        """Whether the registration asks for Evidence."""
        return bool(self.frozen["grade"] == "evidence")

    @property
    def is_prospective(self) -> bool:
        """Whether it precedes the target run."""
        return self.choice("mode") == "prospective"

    @property
    def is_exhaustive(self) -> bool:
        """Whether every unit of the population is evaluated."""
        return self.choice("task.population") == "exhaustive"

    @property
    def is_binary(self) -> bool:
        """Whether the utility of Gate 3 is recovery itself."""
        return self.choice("gate.feedback.utility") == "recovers"

    @property
    def claims_necessity(self) -> bool:
        """Whether neutral recovery is bounded too."""
        return self.is_evidence and self.choice("gate.feedback.necessity") == "claimed"

    def has(self, *paths: str) -> bool:
        """Whether all these fields have a value."""
        return all(path in self.fields for path in paths)

    def value(self, path: str) -> Any:
        """The JSON value of a field."""
        return self.fields[path]["value"]

    def origin(self, path: str) -> str:
        """`declared`, `default`, `computed` or `profile`."""
        return str(self.fields[path]["origin"])

    def choice(self, path: str) -> str:
        """The alternative that a field takes."""
        return str(self.value(path)["choice"])

    def count(self, path: str) -> int:
        """A whole number."""
        return int(self.value(path))

    def under(self, prefix: str) -> dict[str, Any]:
        """The fields below a prefix, by last name."""
        return {
            p.rpartition(".")[2]: e["value"] for p, e in self.fields.items() if p.startswith(prefix + ".")
        }

    def say(self, pattern: str, **parts: Line) -> Line:
        """A sentence of ours with values of the registration (see `prose`)."""
        return fill(pattern, self._show, parts)

    def row(self, *cells: str, **parts: Line) -> tuple[Line, ...]:
        """Sentences side by side, a row of a table."""
        return tuple(self.say(cell, **parts) for cell in cells)

    def _show(self, path: str, form: str) -> Line:
        if path.startswith("figures."):
            return (_shown(_dig(self.figures, path.split(".")[1:]), form),)
        value = self.value(path)
        spec = find_field(path)
        if form != "#" and spec and isinstance(spec.type, CountType):
            return (counted(value, _SINGULAR.get(spec.type.noun, spec.type.noun.removesuffix("s"))),)
        if isinstance(value, str) and not _is_number(value, spec.type if spec else None):
            return (User(value),)
        return (_shown(value, form),)


def _is_number(value: str, kind: object) -> bool:
    from dcp_lang.language.types import EitherType, NumberType

    return isinstance(kind, NumberType) or (
        isinstance(kind, EitherType) and isinstance(kind.first, NumberType)
    )


def _dig(tree: Any, path: list[str]) -> Any:
    for key in path:
        tree = tree[int(key)] if isinstance(tree, list) else tree[key]
    return tree


def _shown(value: Any, form: str) -> Number:
    if isinstance(value, Mapping):
        return quantity(value)
    return probability(value) if form == "%" else plain_number(value)


def code(text: str) -> Line:
    """A name, path or digest as a line."""
    return (Code(text),)


def user(text: str) -> Line:
    """Words of the author as a line."""
    return (User(text),)


def table(
    caption: str, head: str, rows: list[tuple[Line, ...]], numeric: str = "", *, total: bool = False
) -> Table:
    """A table; `head` lists its columns between bars, `numeric` the numbers of those that align right."""
    columns = frozenset(int(digit) for digit in numeric)
    return Table(caption, tuple(h.strip() for h in head.split("|")), tuple(rows), columns, total)
