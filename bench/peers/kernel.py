"""dcp-audit: JSON to its dataclass, then `validate_registration`."""

from __future__ import annotations

import json
from pathlib import Path

from common import main
from dcp.registration import Registration, validate_registration


def is_sound(path: Path) -> bool:
    """The kernel itself writes the file that it reads here."""
    return not validate_registration(Registration(**json.loads(path.read_bytes())))


main(is_sound)
