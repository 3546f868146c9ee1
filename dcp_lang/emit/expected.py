"""`runner/expected-contracts.json`: the contracts that a run of dcp-harness will seal, before there is a run.

dcp-harness 0.1.1 seals 40 values when an audit starts. Four of them hold the run's secret nonce, one is the agent's
word on its isolation. All others follow from the configuration, the workspace, the adapter and the materials, but
many also from two facts that the compiler may not have: the agent's interface, and the ids of sealed private units.
So the file has three parts: `expected`, values that hold for every run; `formulas`, documents whose digest is the
contract once the `facts` are filled in where `{"$value": NAME}` stands; and `late`, what no one can know before the
run. It is made from `compiled.json` and the committed files alone, so it has the same bytes on every machine, and it
is no part of `compiled.json`: the contracts hold that file's digest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dcp_lang.canonical import StrictJsonError, digest, load_strict
from dcp_lang.emit.harness_formulas import (
    ADAPTER,
    CLASS,
    INTERFACE,
    MATERIALS,
    UNITS,
    harness_formulas,
    hash_json,
)

SCHEMA = "dcp-lang/expected-contracts/1"

_FACTS = {
    INTERFACE: "the agent's interface identity, known when the agent is",
    UNITS: "the ids of the private units, sealed until the auditor puts them in place",
    CLASS: "the adapter's class, which is not defined under its own name in the adapter file",
}
_LATE = {
    "private_isolation_pass": "whether the agent attests that private files are out of its reach",
    "audit_slot_id": "it holds the run's secret nonce",
    "audit_slot_reservation_receipt_hash": "it holds the run's secret nonce",
    "audit_slot_registry_entry_hash": "it holds the run's secret nonce",
    "contract_set_hash": "it holds the run's secret nonce",
}
_INNER = (ADAPTER, MATERIALS, CLASS)

_Document = dict[str, Any]


def expected_contracts(compiled: bytes, files: Mapping[str, bytes]) -> _Document:
    """The document, from the bytes of `compiled.json` and the committed files by their path below `runner/`."""
    plan = load_strict(compiled, canonical=False, floats=True, parse_float=float)
    formulas = harness_formulas(plan, digest(compiled), files)
    facts = _known_facts(plan, files)
    values = {name: resolve(name, formulas, facts) for name in formulas}
    known = {name: value for name, value in (values | facts).items() if value is not None}
    needed = {name: doc for name, doc in formulas.items() if values[name] is None}
    return {
        "schema": SCHEMA,
        "peer": f"dcp-harness {plan['peers']['dcp-harness']}",
        "expected": {name: value for name, value in known.items() if name not in _INNER},
        "facts": {name: why for name, why in _FACTS.items() if name not in facts},
        "formulas": {name: _filled(doc, known) for name, doc in needed.items()},
        "late": _LATE,
    }


def contracts_given(document: _Document, facts: Mapping[str, str]) -> dict[str, Any]:
    """The contracts that an `expected-contracts.json` foretells where `facts` are known; others are left out."""
    formulas, known = document["formulas"], {**document["expected"], **facts}
    values = known | {name: resolve(name, formulas, known) for name in formulas}
    return {name: value for name, value in values.items() if value is not None and name not in _INNER}


def resolve(name: str, formulas: Mapping[str, Any], facts: Mapping[str, Any]) -> Any:
    """The value of a name: a fact, or its formula filled in and hashed; None where a fact is missing."""
    if name in facts:
        return facts[name]
    if name not in formulas:
        return None
    formula = formulas[name]
    if not isinstance(formula, dict):
        return formula
    needs = {need: resolve(need, formulas, facts) for need in _needs(formula)}
    return None if None in needs.values() else hash_json(_filled(formula, needs))


def _needs(value: Any) -> set[str]:
    """The names that a formula refers to."""
    match value:
        case {"$value": str(name)}:
            return {name}
        case dict():
            return set().union(*map(_needs, value.values()))
        case list():
            return set().union(*map(_needs, value))
        case _:
            return set()


def _filled(value: Any, known: Mapping[str, Any]) -> Any:
    """A formula with every known name replaced by its value."""
    match value:
        case {"$value": str(name)}:
            return known.get(name, value)
        case dict():
            return {key: _filled(item, known) for key, item in value.items()}
        case list():
            return [_filled(item, known) for item in value]
        case _:
            return value


def _known_facts(plan: _Document, files: Mapping[str, bytes]) -> dict[str, str]:
    """The facts that the committed files hold."""
    facts = {}
    units = _unit_ids(files.get(plan["materials"]["private_units"].get("path", "")))
    if units is not None:
        facts[UNITS] = hash_json({"unit_ids": units}).removeprefix("sha256:")
    name = plan["config"]["task_adapter"].rpartition(":")[2]
    if re.search(rf"^class {name}\b".encode(), files[plan["adapter"]["path"]], re.MULTILINE):
        facts[CLASS] = f"dcp_task_adapter_{plan['adapter']['sha256'][7:23]}.{name}"
    return facts


def _unit_ids(data: bytes | None) -> list[str] | None:
    """The unit ids of a committed list; None where it is sealed, or no list of texts."""
    if data is None:
        return None
    try:
        ids = load_strict(data, canonical=False)
    except StrictJsonError:
        return None
    return ids if isinstance(ids, list) and all(isinstance(unit, str) for unit in ids) else None
