"""What a feedback policy registered to preserve, checked on its messages.

`preserves = [schema, length within 10%]` promises that a message has the keys and types of the truthful
message to the same request, and a length within a tenth of it. Timing is the harness's: it answers every arm
alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcp_lang.canonical import parse_number
from dcp_lang.integrations.task import length_of, shape_of


def differences(declaration: dict[str, Any], sent: Any, truthful: Any) -> Iterator[str]:
    """How `sent` breaks what the policy's `declaration` (of `compiled.json`) preserves; lengths in
    characters.
    """
    preserved = {row["choice"]: row for row in declaration.get("preserves", [])}
    if "schema" in preserved and shape_of(sent) != shape_of(truthful):
        yield "answers in another schema than the truthful policy"
    if "length" in preserved:
        within = parse_number(preserved["length"]["within"])
        have, need = length_of(sent), length_of(truthful)
        if abs(have - need) > within * need:
            yield f"answers with {have} characters, the truthful policy with {need}, registered within {within}"
