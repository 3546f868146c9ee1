"""pydantic: a strict, closed model with Decimal for every share, its ranges, and one validator over the whole."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from common import main
from constraints import hold
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator

_BOUNDS = {"minimum": "ge", "maximum": "le", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt"}
_TYPES = {"number": Decimal, "integer": int, "string": str, "boolean": bool}


class Whole(BaseModel):
    """What the model of the fields adds to: the constraints over several of them."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="after")
    def check_constraints(self) -> Whole:
        """All or none."""
        if not hold(self.__dict__):
            raise ValueError("a constraint does not hold")
        return self


def _annotation(spec: dict[str, Any]) -> Any:
    kind = _TYPES[spec["type"]]
    bounds = {_BOUNDS[k]: Decimal(str(v)) if kind is Decimal else v for k, v in spec.items() if k in _BOUNDS}
    pattern = {"pattern": spec["pattern"]} if "pattern" in spec else {}
    return Annotated[kind, Field(**bounds, **pattern)]


_SCHEMA = json.loads(Path(sys.argv.pop(1)).read_text("utf-8"))
_FIELDS: Any = {name: (_annotation(spec), ...) for name, spec in _SCHEMA["properties"].items()}
Registration = create_model("Registration", __base__=Whole, **_FIELDS)


def is_sound(path: Path) -> bool:
    """Parsed and validated in one step."""
    try:
        Registration.model_validate_json(path.read_bytes())
    except ValidationError:
        return False
    return True


main(is_sound)
