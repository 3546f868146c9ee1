"""Making and checking the two signatures, in either backend: DSSE envelopes and SSH signatures."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from dcp_lang.canonical import digest
from dcp_lang.seal import statement as statements
from dcp_lang.seal.dsse import open_envelope
from dcp_lang.seal.errors import SealError
from dcp_lang.seal.roles import Roles
from dcp_lang.seal.ssh import BEGIN, verify_ssh


class Signer(Protocol):
    """A private key in one of the backends."""

    @property
    def public_key(self) -> bytes:
        """The raw Ed25519 public key, 32 bytes."""

    def sign(self, statement: bytes) -> bytes:
        """The seal over a statement: an envelope or an armored signature."""


@dataclass(frozen=True)
class SealReport:
    """A seal that holds: the digest of the registration and the raw public keys that signed."""

    registration: str
    claimant: bytes
    authority: bytes | None


def sign_claimant(registration: bytes, key: Signer) -> bytes:
    """The claimant's seal over a frozen registration; SealError if it is not a frozen file."""
    return key.sign(statements.claim(registration))


def countersign(registration: bytes, claimant_seal: bytes, key: Signer, *, roles: Roles) -> bytes:
    """The authority's seal over the registration and the claimant's seal, which is verified first.

    SealError if the claimant's seal does not hold, if `key` is a claimant's, or if `roles` names
    authorities and `key` is not one of them.
    """
    verify_seal(registration, claimant_seal, None, roles)
    if key.public_key in roles.claimants:
        raise SealError("a claimant's key cannot countersign")
    if roles.authorities and key.public_key not in roles.authorities:
        raise SealError("this key is not one of the authority's")
    return key.sign(statements.countersignature(registration, claimant_seal))


def verify_seal(
    registration: bytes, claimant_seal: bytes, authority_seal: bytes | None, roles: Roles
) -> SealReport:
    """Check the claimant's seal, then the authority's over both; SealError says whose fails and why."""
    claimant = _verify("claimant", claimant_seal, statements.claim(registration), roles.claimants)
    authority = None
    if authority_seal is not None:
        expected = statements.countersignature(registration, claimant_seal)
        authority = _verify("authority", authority_seal, expected, roles.authorities)
    return SealReport(digest(registration), claimant, authority)


def _verify(role: str, seal: bytes, statement: bytes, keys: Collection[bytes]) -> bytes:
    try:
        if seal.startswith(BEGIN):
            return verify_ssh(seal, statement, keys)
        payload, signer = open_envelope(seal, keys)
        if payload != statement:
            raise SealError(statements.explain_difference(payload, statement))
        return signer
    except SealError as error:
        raise SealError(f"the {role}'s seal does not hold: {error}") from None
