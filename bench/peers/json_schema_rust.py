"""jsonschema-rs: a native validator made once for the schema, then the constraints over several fields in Python."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from pathlib import Path

import jsonschema_rs
from common import main
from constraints import hold

_VALIDATOR = jsonschema_rs.validator_for(json.loads(Path(sys.argv.pop(1)).read_bytes()))


def is_sound(path: Path) -> bool:
    """Numbers are read as decimals: the constraints are exact."""
    value = json.loads(path.read_bytes(), parse_float=Decimal)
    return _VALIDATOR.is_valid(value) and hold(value)


main(is_sound)
