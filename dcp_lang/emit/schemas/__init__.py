"""JSON Schemas (2020-12) of everything that is emitted, built from the field table when they are asked for.

A schema is the contract for other tools. It cannot say everything: lowest terms of a number, a digest that
is the digest of something, certificates. `dcpc verify-registration` checks those.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from dcp_lang.emit.schemas.build import compiled_schema, contract_schema, harness_schema
from dcp_lang.emit.schemas.registration import plan_schema, registration_schema
from dcp_lang.emit.schemas.targets import expected_schema, inspect_schema, targets_schema
from dcp_lang.frozen import FrozenFault
from dcp_lang.frozen.fault import pointer
from dcp_lang.resources import package_dir

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _shipped(*path: str) -> Callable[[], dict[str, Any]]:
    """A schema that is written by hand beside the code that it is about."""

    def read() -> dict[str, Any]:
        with open(os.path.join(package_dir(), *path), encoding="utf-8") as file:
            value: dict[str, Any] = json.load(file)
        return value

    return read


_SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "registration": registration_schema,
    "plan": plan_schema,
    "contract": contract_schema,
    "compiled": compiled_schema,
    "harness": harness_schema,
    "targets": targets_schema,
    "expected-contracts": expected_schema,
    "inspect": inspect_schema,
    "decision": _shipped("verify", "decision.schema.json"),
    "diagnostics": _shipped("diagnostics", "diagnostics.schema.json"),
}
NAMES = tuple(_SCHEMAS)
#: A schema's version changes when a document of the old one would not be a document of the new one.
VERSION = 1


def schema(name: str) -> dict[str, Any]:
    """The schema with this name, as a new JSON value; KeyError for a name that is not in `NAMES`."""
    return {"$schema": DIALECT, "$id": f"urn:dcp-lang:schema:{name}:{VERSION}"} | _SCHEMAS[name]()


def schema_faults(name: str, value: Any) -> Iterator[FrozenFault]:
    """Where a JSON value is not one of a schema, in order of the places."""
    errors = _validator(name).iter_errors(value)
    for error in sorted(errors, key=lambda e: [str(step) for step in e.absolute_path]):
        yield FrozenFault(pointer(error.absolute_path), _short(error.message))


@cache
def _validator(name: str) -> Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema(name))


def _short(message: str) -> str:
    return message if len(message) <= 300 else f"{message[:297]}…"
