"""Strict reading of the peers' JSON: floats and integers of any size are allowed, ambiguity is not.

Not `canonical.load_strict`: it refuses what the peers may write, caps the size below that of a large ledger,
and takes eight times as long.
"""

import json
from math import isfinite
from typing import Any


class BundleFault(ValueError):
    """The bundle cannot be read as what it says it is; nothing in it is decided."""


def read_json(data: bytes, label: str) -> Any:
    """The value of UTF-8 JSON `data`.

    Raises:
        BundleFault: not UTF-8, not JSON, a duplicate key, a number that is not finite, or nesting beyond the
            stack.
    """
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_object,
            parse_float=_finite,
            parse_constant=_finite,
        )
    except UnicodeDecodeError as error:
        raise BundleFault(f"{label} is not UTF-8") from error
    except RecursionError as error:
        raise BundleFault(f"{label} is nested too deeply") from error
    except ValueError as error:
        raise BundleFault(f"{label} is not strict JSON: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            raise ValueError(f"duplicate object key {key!r}")
        value[key] = item
    return value


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError(f"number {text} is not finite")
    return value
