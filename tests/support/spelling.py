"""Step 2 of the vectors' README: the spelling of members named `number` and `digest`, on top of the strict
loader.
"""

from __future__ import annotations

from typing import Any

from dcp_lang.canonical import StrictJsonError, canonical_bytes, digest, is_digest, load_strict, parse_number


class SpellingError(ValueError):
    """A document that is strict JSON but misspells a number or a digest."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(kind)


def fault(data: bytes) -> str | None:
    """The kind of the fault of a document, None for a sound one."""
    try:
        _check(load_strict(data))
    except (StrictJsonError, SpellingError) as error:
        return error.kind
    return None


def _check(value: Any) -> None:
    if isinstance(value, dict):
        _check_members(value)
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check(part)


def _check_members(value: dict[str, Any]) -> None:
    if "number" in value and not _is_number(value["number"]):
        raise SpellingError("number-spelling")
    if "digest" in value:
        _check_digest(value)


def _check_digest(value: dict[str, Any]) -> None:
    if not is_digest(value["digest"]):
        raise SpellingError("digest-spelling")
    if "content" in value and value["digest"] != digest(canonical_bytes(value["content"])):
        raise SpellingError("digest-mismatch")


def _is_number(text: object) -> bool:
    try:
        return isinstance(text, str) and parse_number(text) is not None
    except ValueError:
        return False
