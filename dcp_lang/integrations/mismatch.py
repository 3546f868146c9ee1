"""Findings before a run: what does not fit between the registration, the configuration and the peers.

Each check answers a defect that the harness or the kernel would show only after sessions were paid for, or
never.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from dcp.registration import Registration

from dcp_lang.canonical import digest, is_digest
from dcp_lang.integrations.compiled import Compiled

#: The pair counts that the kernel registers, with their place in the harness configuration.
_PAIR_FIELDS = {
    "registered_n_feedback_pairs": "feedback_pairs",
    "registered_n_sham_pairs": "sham_pairs",
    "max_feedback_pair_replacements": "max_feedback_pair_replacements",
    "max_sham_pair_replacements": "max_sham_pair_replacements",
    "gate3_checkpoint_scope": "checkpoint_scope",
}
#: The counts that only the registration's notes hold, with their place in the harness configuration.
_NOTED = {"challengers": "challenger_episodes", "positive_controls": "positive_control_episodes"}
_EMPTY = digest(b"")


#: Why each finding spoils an audit. A: seen in dcp-harness 0.1.1; B: in the kernel, dcp-audit 0.4.2; G: a
#: rule of the protocol that no peer checks; T: a limit of the target that the compiler stated.
WHY = {
    "A0": "the integration uses formulas and methods of exactly these versions",
    "A1": "the harness fails at its start and leaves a run folder that cannot be used again",
    "A2": "the harness compares this late: for the core grade after all sessions were run",
    "A3": "the harness attests the budget of a family for a single audit only; others end incomplete",
    "A7": "the harness accepts any digest of the units and fails when the audit is finalised",
    "A8": "the harness accepts this unit id and fails when the audit is finalised",
    "A9": "without a valid main artifact and baseline no bundle can be written, whatever else is run",
    "A10": "task code must not replace what the registration decides",
    "A12": "the harness cannot load the adapter",
    "A16": "the harness accepts a checkpoint that contradicts its scope",
    "A18": "the harness records that private data were not isolated, and Core can then never certify",
    "A33": "one exception during the audit leaves an episode unresolved and Core inconclusive",
    "A34": "the harness gives every run folder a new audit slot, so a second try goes unseen",
    "A36": "two readers of this JSON would see two different values",
    "A37": "the kernel fails on it with a bare type error",
    "A38": "the harness hashes the adapter's own file only, so this change would go unseen",
    "B1": "in the kernel's doubles not even a perfect score reaches the registered gain",
    "B4": "the kernel registers no number of episodes, so hidden ones would go unseen",
    "B6": "the kernel accepts one artifact with two scores",
    "B7": "the kernel takes any text for a hash, and fills missing fields with silent defaults",
    "T1": "the runner would run another audit than the registered one",
    "G3": "an agent could tell the feedback arms apart without reading their content",
}


@dataclass(frozen=True)
class Finding:
    """One thing that would spoil the audit: a code of `WHY`, where it is, what is wrong and what to do."""

    code: str
    where: str
    message: str
    help: str = ""

    def __str__(self) -> str:
        advice = f"; {self.help}" if self.help else ""
        return f"{self.code} {self.where}: {self.message}{advice}\n     {WHY[self.code]}"


class RegistrationMismatch(RuntimeError):
    """The audit must not start; `findings` says why."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("the audit must not start:\n" + "\n".join(f"  {item}" for item in self.findings))


def config_differences(compiled: Compiled, config: dict[str, Any]) -> list[Finding]:
    """One finding per value of the harness configuration that differs from the compiled one.

    `config` is the harness's `public_dict()`. The harness itself compares pair counts, replacements and scope
    for the evidence grade only, and for the core grade refuses at the end, when every session was run (A2).
    """
    return [
        Finding("A2", f"dcp-harness.json {path}", f"is {have!r}, compiled with {need!r}", "compile again")
        for path, have, need in _differences("", _plain(config), _plain(compiled.document["config"]))
    ]


def _plain(value: Any) -> Any:
    """Tuples as lists, so that a loaded configuration compares with its JSON."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _differences(path: str, have: Any, need: Any) -> Iterable[tuple[str, Any, Any]]:
    if isinstance(have, dict) and isinstance(need, dict):
        for key in sorted(have.keys() | need.keys()):
            yield from _differences(f"{path}.{key}" if path else key, have.get(key), need.get(key))
    elif have != need or isinstance(have, bool) != isinstance(need, bool):
        yield path, have, need


def field_findings(compiled: Compiled, contracts: dict[str, Any] | None = None) -> list[Finding]:
    """Everything wrong with `fixed` and `bind` themselves; with `contracts` also bindings to unknown ones."""
    findings = _coverage(compiled)
    if not findings:
        findings = _counts(compiled) + _single_audit(compiled) + _digests(compiled) + _numbers(compiled)
    if contracts is not None:
        findings += [
            Finding("B7", f"compiled.json bind.{field}", f"the harness has no contract `{key}`")
            for field, key in compiled.bind.items()
            if key not in contracts
        ]
    return findings


def _coverage(compiled: Compiled) -> list[Finding]:
    """`fixed` and `bind` must name every kernel field exactly once."""
    kernel = {field.name for field in fields(Registration)}
    fixed, bind = set(compiled.fixed), set(compiled.bind)
    problems = {
        "is in both `fixed` and `bind`": fixed & bind,
        "is not a kernel field": (fixed | bind) - kernel,
        "is missing; the kernel would use its default": kernel - fixed - bind,
    }
    return [
        Finding("B7", f"compiled.json {name}", message)
        for message, names in problems.items()
        for name in sorted(names)
    ]


def _counts(compiled: Compiled) -> list[Finding]:
    """Counts that the peers do not compare with each other, or only at the end."""
    fixed, audit = compiled.fixed, compiled.document["config"]["audit"]
    findings = [
        Finding("A2", f"{field}", f"is {fixed[field]!r}, but the harness will run {audit[key]!r}")
        for field, key in _PAIR_FIELDS.items()
        if fixed.get(field) != audit[key]
    ]
    noted = fixed["notes"].get("dcp_lang", {}) if isinstance(fixed["notes"], dict) else {}
    for name, key in _NOTED.items():
        if noted.get(name) != audit[key]:
            message = f"must be {audit[key]}, is {noted.get(name)!r}"
            findings.append(Finding("B4", f"notes.dcp_lang.{name}", message))
    return findings


def _single_audit(compiled: Compiled) -> list[Finding]:
    """The harness attests the family budget only for families of one audit (A3)."""
    audits = compiled.fixed["family_max_audits"]
    if audits == 1:
        return []
    return [Finding("A3", "family_max_audits", f"is {audits}, must be 1")]


def _digests(compiled: Compiled) -> list[Finding]:
    """Fixed hash fields must be digests: the kernel takes any text for one (B7)."""
    optional = compiled.fixed.get("grade_requested") == "core"
    return [
        Finding("B7", name, f"{value!r} is not a sha256 digest")
        for name, value in compiled.fixed.items()
        if name.endswith("_hash") and not (optional and value == "")
        if not is_digest(value) or value == _EMPTY
    ]


def _numbers(compiled: Compiled) -> list[Finding]:
    """Numbers must be numbers: the kernel raises a bare type error for a text (A37)."""
    return [
        Finding("A37", field.name, f"{value!r} is not a number")
        for field in fields(Registration)
        if str(field.type) in {"int", "float"} and field.name in compiled.fixed
        for value in [compiled.fixed[field.name]]
        if not isinstance(value, int | float) or isinstance(value, bool)
    ]
