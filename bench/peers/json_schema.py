"""jsonschema: its validator made once for the schema, then the constraints over several fields in Python."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from pathlib import Path

from common import main
from constraints import hold
from jsonschema import Draft202012Validator

_SCHEMA = json.loads(Path(sys.argv.pop(1)).read_bytes(), parse_float=Decimal)
_VALIDATOR = Draft202012Validator(_SCHEMA)


def is_sound(path: Path) -> bool:
    """Numbers and limits are read as decimals: Decimal("0.8") is below the double 0.8."""
    value = json.loads(path.read_bytes(), parse_float=Decimal)
    return _VALIDATOR.is_valid(value) and hold(value)


main(is_sound)
