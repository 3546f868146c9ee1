"""Python and its standard library alone: Decimal numbers, a kind for every field, every constraint written out."""

from __future__ import annotations

import json
import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

from common import main
from constraints import hold

_DIGEST, _IDENTIFIER = re.compile(r"sha256:[0-9a-f]{64}"), re.compile(r"\S+")
_EXAMPLE: dict[str, Any] = json.loads(Path(sys.argv.pop(1)).read_text("utf-8"))["properties"]


def _has_form(spec: dict[str, Any], value: Any) -> bool:
    match spec["type"]:
        case "string":
            pattern = _DIGEST if "sha256" in spec["pattern"] else _IDENTIFIER
            return isinstance(value, str) and pattern.fullmatch(value) is not None
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return type(value) is int and value >= 0
        case _:
            return type(value) in (int, Decimal) and 0 <= value <= 1


def is_sound(path: Path) -> bool:
    """Form, single ranges, then the constraints over several fields."""
    r = json.loads(path.read_bytes(), parse_float=Decimal)
    return (
        r.keys() == _EXAMPLE.keys()
        and all(_has_form(spec, r[name]) for name, spec in _EXAMPLE.items())
        and r["delta_min"] > 0
        and r["kappa"] < 1
        and 0 < r["rho"] <= Decimal("0.05")
        and r["positive_control_recall_min"] >= Decimal("0.8")
        and hold(r)
    )


main(is_sound)
