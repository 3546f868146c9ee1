"""What a frozen registration says, as immutable Python values: exact numbers, counts, texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from dcp_lang.language.values import Value


@dataclass(frozen=True, slots=True)
class Field:
    """A field's value, and its origin: `declared`, `default`, `profile` or `computed`."""

    path: str
    value: Value
    origin: str


@dataclass(frozen=True, slots=True)
class Profile:
    """An authority's rules in force: `sha256` is the digest of `source`, their normal form."""

    name: str
    sha256: str
    source: str


@dataclass(frozen=True, slots=True)
class Slot:
    """The audit slot and the digest of its receipt; `local` when no authority reserved it."""

    id: str
    receipt: str
    local: bool


@dataclass(frozen=True, slots=True)
class Size:
    """A sample size: `declared` (None for `auto`), `least` that its gate needs, `used`; `certificate` as
    JSON.
    """

    path: str
    declared: int | None
    least: int | None
    used: int
    certificate: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Plan:
    """All sizes by path, the sessions that they take, and derived figures as JSON."""

    sizes: Mapping[str, Size]
    sessions: int
    figures: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RuleStatus:
    """A condition with its status: `proved`, `entailed` or `deferred`, and what the status rests on."""

    code: str
    name: str
    origin: str
    condition: str
    status: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Waiver:
    """A finding that the author waived, with the reason given."""

    code: str
    name: str
    message: str
    reason: str


@dataclass(frozen=True, slots=True)
class Registration:
    """A frozen registration. `registration["thresholds.rho"]` is the exact value of a field.

    `digest` is the SHA-256 of the file's bytes, `json` the value that was read, `obligations` the conditions
    that the verifier discharges once all artifacts are committed (expression trees, docs/format.md).
    """

    digest: str
    edition: int
    compiler: str
    name: str
    grade: str
    source: str
    profiles: tuple[Profile, ...]
    fields: Mapping[str, Field]
    plan: Plan
    slot: Slot
    rules: tuple[RuleStatus, ...]
    obligations: tuple[Mapping[str, Any], ...]
    waivers: tuple[Waiver, ...]
    contracts: Mapping[str, str]
    json: Mapping[str, Any]

    def __getitem__(self, path: str) -> Value:
        """The value of a field; KeyError names the nearest fields that there are."""
        if path not in self.fields:
            near = get_close_matches(path, self.fields, 3)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise KeyError(f"{self.name} has no field {path}{hint}")
        return self.fields[path].value

    def __contains__(self, path: object) -> bool:
        return path in self.fields

    def get(self, path: str, default: Value | None = None) -> Value | None:
        """The value of a field, or `default`."""
        return self.fields[path].value if path in self.fields else default
