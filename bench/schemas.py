"""The form of the job's registration in each peer's own language, and its twelve constraints beside it.

The kinds of the fields come from the sound values; the constraints are written by hand, in the order of `job.FAULTS`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from job import Values

DIGEST, IDENTIFIER = r"^sha256:[0-9a-f]{64}$", r"^\S+$"


def kind(value: Any) -> str:
    """What a field holds: a digest, an identifier, a truth value, a count or a share of 1."""
    if isinstance(value, str):
        return "digest" if value.startswith("sha256:") else "identifier"
    return {bool: "boolean", int: "count", float: "share"}[type(value)]


_SCHEMA: dict[str, dict[str, Any]] = {
    "digest": {"type": "string", "pattern": DIGEST},
    "identifier": {"type": "string", "pattern": IDENTIFIER},
    "boolean": {"type": "boolean"},
    "count": {"type": "integer", "minimum": 0},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
}

#: Constraints of one field; a JSON Schema can say no others.
_SINGLE: dict[str, dict[str, Any]] = {
    "delta_min": {"exclusiveMinimum": 0},
    "kappa": {"exclusiveMaximum": 1},
    "rho": {"exclusiveMinimum": 0, "maximum": 0.05},
    "positive_control_recall_min": {"minimum": 0.8},
}


def json_schema(values: Values) -> str:
    """Types, ranges and patterns of all fields: four of the twelve constraints, and the identifier's."""
    properties = {name: {**_SCHEMA[kind(v)], **_SINGLE.get(name, {})} for name, v in values.items()}
    closed = {"type": "object", "required": list(values), "additionalProperties": False}
    return json.dumps({**closed, "properties": properties}, indent=1)


_KCL = {
    "digest": ("str", 'regex.match({0}, r"^sha256:[0-9a-f]{{64}}$")'),
    "identifier": ("str", r'regex.match({0}, r"^\S+$")'),
    "boolean": ("bool", ""),
    "count": ("int", "{0} >= 0"),
    "share": ("float", "0 <= {0} <= 1"),
}

_KCL_CONSTRAINTS = """
        0 < delta_min and delta_min <= 1
        0 <= kappa and kappa < 1
        0 < rho and rho <= 0.05
        sum([alpha_main, alpha_score, alpha_recovery, alpha_adequacy, alpha_evidence, alpha_sham, alpha_neutral]) <= \\
            alpha_total
        alpha_total * family_max_audits <= family_alpha_total
        (1 - rho) ** min_n_ind <= alpha_recovery
        0 < delta_sham and delta_sham <= delta_evidence / 2
        delta_evidence + delta_sham < 1
        positive_control_recall_min >= 0.8
        max_feedback_pair_replacements <= max_feedback_pair_infrastructure_rate * registered_n_feedback_pairs
        max_sham_pair_replacements <= max_infrastructure_failure_rate * registered_n_sham_pairs
"""


def kcl(values: Values) -> str:
    """A KCL schema with a check block."""
    kinds = {name: _KCL[kind(v)] for name, v in values.items()}
    fields = "".join(f"    {name}: {type_}\n" for name, (type_, _) in kinds.items())
    checks = "".join(f"        {check.format(name)}\n" for name, (_, check) in kinds.items() if check)
    return f"import regex\n\nschema Registration:\n{fields}\n    check:\n{checks}{_KCL_CONSTRAINTS}"


_PKL = {
    "digest": 'String(matches(Regex(#"sha256:[0-9a-f]{64}"#)))',
    "identifier": r'String(matches(Regex(#"\S+"#)))',
    "boolean": "Boolean",
    "count": "Int(isPositive || this == 0)",
    "share": "Number(isBetween(0, 1))",
}

#: Constraints that stand on the field itself in Pkl, which can look at the module's other fields.
_PKL_CONSTRAINTS = {
    "delta_min": "Number(this > 0 && this <= 1)",
    "kappa": "Number(this >= 0 && this < 1)",
    "rho": "Number(this > 0 && this <= 0.05)",
    "alpha_total": "Number(alpha_main + alpha_score + alpha_recovery + alpha_adequacy + alpha_evidence + alpha_sham"
    " + alpha_neutral <= this)",
    "family_alpha_total": "Number(alpha_total * family_max_audits <= this)",
    "min_n_ind": "Int((1 - rho) ** this <= alpha_recovery)",
    "delta_sham": "Number(this > 0 && this <= delta_evidence / 2 && this + delta_evidence < 1)",
    "positive_control_recall_min": "Number(this >= 0.8 && this <= 1)",
    "max_feedback_pair_replacements": "Int(this >= 0 && this <= max_feedback_pair_infrastructure_rate"
    " * registered_n_feedback_pairs)",
    "max_sham_pair_replacements": "Int(this >= 0 && this <= max_infrastructure_failure_rate"
    " * registered_n_sham_pairs)",
}


def pkl(values: Values) -> str:
    """A Pkl module with constrained types."""
    lines = (f"{name}: {_PKL_CONSTRAINTS.get(name) or _PKL[kind(v)]}\n" for name, v in values.items())
    return "module Registration\n\n" + "".join(lines)


_JSONNET = {
    "digest": "std.length(r.{0}) == 71 && std.startsWith(r.{0}, 'sha256:')",
    "identifier": "std.length(r.{0}) > 0 && std.length(std.findSubstr(' ', r.{0})) == 0",
    "boolean": "std.isBoolean(r.{0})",
    "count": "r.{0} >= 0 && r.{0} == std.floor(r.{0})",
    "share": "0 <= r.{0} && r.{0} <= 1",
}

_JSONNET_CONSTRAINTS = """\
  assert 0 < r.delta_min && r.delta_min <= 1;
  assert 0 <= r.kappa && r.kappa < 1;
  assert 0 < r.rho && r.rho <= 0.05;
  assert r.alpha_main + r.alpha_score + r.alpha_recovery + r.alpha_adequacy + r.alpha_evidence + r.alpha_sham
         + r.alpha_neutral <= r.alpha_total;
  assert r.alpha_total * r.family_max_audits <= r.family_alpha_total;
  assert std.pow(1 - r.rho, r.min_n_ind) <= r.alpha_recovery;
  assert 0 < r.delta_sham && r.delta_sham <= r.delta_evidence / 2;
  assert r.delta_evidence + r.delta_sham < 1;
  assert r.positive_control_recall_min >= 0.8;
  assert r.max_feedback_pair_replacements <= r.max_feedback_pair_infrastructure_rate * r.registered_n_feedback_pairs;
  assert r.max_sham_pair_replacements <= r.max_infrastructure_failure_rate * r.registered_n_sham_pairs;
"""


def jsonnet(values: Values) -> str:
    """A Jsonnet function that gives the registration back, or fails on an assertion."""
    checks = "".join(f"  assert {_JSONNET[kind(v)].format(name)};\n" for name, v in values.items())
    return f"function(r)\n{checks}{_JSONNET_CONSTRAINTS}  r\n"


def write_schemas(folder: Path, values: Values) -> None:
    """All of them, where the registrations import them from."""
    texts = {
        "schema.json": json_schema,
        "Registration.pkl": pkl,
        "registration.libsonnet": jsonnet,
        "schema.k": kcl,
    }
    for name, text in texts.items():
        (folder / name).write_text(text(values), "utf-8")
