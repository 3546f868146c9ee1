"""What the peers catch of the same mistakes: the kernel's own validation, and JSON Schema alone."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

from dcp_lang.emit.schemas import schema
from mutation.operators import REMOVED, Mutant


def kernel_rejects(mutant: Mutant) -> bool:
    """Whether dcp-audit's `validate_registration` finds an error, or its `Registration` cannot be made."""
    from dcp.registration import Registration, validate_registration

    document = _patched(mutant.good.kernel, mutant.kernel)
    try:
        return bool(validate_registration(Registration(**document)))
    except Exception:
        return True


def schema_rejects(mutant: Mutant) -> bool:
    """Whether the frozen JSON with the same mistake breaks the shipped schema."""
    document = copy.deepcopy(mutant.good.frozen)
    fields = document["fields"]
    for path, value in mutant.fields.items():
        if value is REMOVED:
            fields.pop(path, None)
        else:
            fields[path] = {"origin": "declared", "value": _plain(value)}
    return not _validator().is_valid(json.loads(json.dumps(document)))


def _plain(value: Any) -> Any:
    return float(value) if value.__class__.__name__ == "Fraction" else value


def _patched(document: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    changed = dict(document)
    for key, value in patch.items():
        if value is REMOVED:
            changed.pop(key, None)
        else:
            changed[key] = value
    return changed


@cache
def _validator() -> Any:
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(schema("registration"))
