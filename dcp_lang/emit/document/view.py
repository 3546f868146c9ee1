"""Reading the frozen registration: typed access to its fields, its plan and its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dcp_lang.emit.document.inline import Number, User
from dcp_lang.emit.document.shown import plain_number, probability, quantity


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

    def has(self, path: str) -> bool:
        """Whether a field has a value."""
        return path in self.fields

    def value(self, path: str) -> Any:
        """The JSON value of a field."""
        return self.fields[path]["value"]

    def origin(self, path: str) -> str:
        """`declared`, `default`, `computed` or `profile`."""
        return str(self.fields[path]["origin"])

    def choice(self, path: str) -> str:
        """The alternative that a field takes."""
        return str(self.value(path)["choice"])

    def text(self, path: str) -> User:
        """The author's words."""
        return User(str(self.value(path)))

    def count(self, path: str) -> int:
        """A whole number."""
        return int(self.value(path))

    def number(self, path: str) -> Number:
        """A number as it stands."""
        return plain_number(self.value(path))

    def probability(self, path: str) -> Number:
        """A share, with its percentage."""
        return probability(self.value(path))

    def quantity(self, path: str) -> Number:
        """A quantity in the unit that reads best."""
        return quantity(self.value(path))

    def under(self, prefix: str) -> dict[str, Any]:
        """The fields below a prefix, by last name, in the order of the field table."""
        found = {p.rpartition(".")[2]: e["value"] for p, e in self.fields.items() if p.startswith(prefix + ".")}
        return found
