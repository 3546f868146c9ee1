"""Who may sign as what: sets of public keys, by their bytes."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dcp_lang.canonical import StrictJsonError, load_strict
from dcp_lang.seal.errors import KeyFileError
from dcp_lang.seal.keys import load_public_key

_FORMAT = "dcp-lang/roles-1"
_PREFIX = "ed25519:"


class Roles:
    """The raw Ed25519 public keys (32 bytes each) of each role; KeyFileError if one key has both roles."""

    __slots__ = ("authorities", "claimants")

    def __init__(self, *, claimants: Iterable[bytes], authorities: Iterable[bytes] = ()) -> None:
        self.claimants = frozenset(claimants)
        self.authorities = frozenset(authorities)
        if not self.claimants:
            raise KeyFileError("no key is trusted as the claimant's")
        shared = self.claimants & self.authorities
        if shared:
            raise KeyFileError(f"the key {key_text(min(shared))} cannot serve both roles")

    @classmethod
    def of_files(cls, claimant: Path, authority: Path | None = None) -> Roles:
        """One key per role, from public key files."""
        authorities = [load_public_key(authority)] if authority else []
        return cls(claimants=[load_public_key(claimant)], authorities=authorities)


def load_roles(data: bytes) -> Roles:
    """Roles from JSON: {"format": "dcp-lang/roles-1", "claimant": ["ed25519:…"], "authority": […]}."""
    try:
        value = load_strict(data, canonical=False)
    except StrictJsonError as error:
        raise KeyFileError(f"the file of roles is not strict JSON: {error}") from None
    if not isinstance(value, dict) or value.keys() != {"format", "claimant", "authority"}:
        raise KeyFileError("a file of roles has exactly format, claimant and authority")
    if value["format"] != _FORMAT:
        raise KeyFileError(f"the format is {value['format']!r}, not {_FORMAT!r}")
    return Roles(claimants=_keys(value["claimant"]), authorities=_keys(value["authority"]))


def key_text(public_key: bytes) -> str:
    """A raw Ed25519 public key as a file of roles spells it."""
    return _PREFIX + base64.b64encode(public_key).decode("ascii")


def _keys(texts: Any) -> list[bytes]:
    if not isinstance(texts, list):
        raise KeyFileError("each role has a list of keys")
    return [_parse_key(text) for text in texts]


def _parse_key(text: Any) -> bytes:
    try:
        key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except (AttributeError, ValueError, binascii.Error):
        key = b""
    if len(key) != 32 or key_text(key) != text:
        raise KeyFileError(f"{text!r} is not a key: 'ed25519:' and the base64 of its 32 bytes")
    return key
