"""DSSE envelopes (https://github.com/secure-systems-lab/dsse, version 1.0.2) with one Ed25519 signature.

The envelope is a frozen file itself: RFC 8785 bytes, padded standard base64 with no second spelling, and a
key id that must be the one of the key that verifies. So no byte of it can change unseen.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection
from typing import Any

from dcp_lang.canonical import StrictJsonError, canonical_bytes, digest, load_strict
from dcp_lang.seal.errors import SealError

PAYLOAD_TYPE = "application/vnd.in-toto+json"


def pae(payload_type: str, payload: bytes) -> bytes:
    """Pre-authentication encoding: what a DSSE signature is over (protocol.md, "Signature Definition")."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def key_id(public_key: bytes) -> str:
    """A label for a raw Ed25519 public key: the digest of its bytes."""
    return digest(public_key)


def build_envelope(payload: bytes, signature: bytes, public_key: bytes) -> bytes:
    """The envelope of a payload with its one signature."""
    signatures = [{"keyid": key_id(public_key), "sig": _base64(signature)}]
    return canonical_bytes(
        {"payload": _base64(payload), "payloadType": PAYLOAD_TYPE, "signatures": signatures}
    )


def open_envelope(envelope: bytes, keys: Collection[bytes]) -> tuple[bytes, bytes]:
    """(payload, raw public key of the signer) of an envelope signed by one of `keys`; SealError otherwise."""
    payload, label, signature = _parse(envelope)
    signer = next((key for key in keys if key_id(key) == label), None)
    if signer is None:
        raise SealError(f"signed by {label}, which is not a key of this role")
    if not is_signed(pae(PAYLOAD_TYPE, payload), signature, signer):
        raise SealError(f"the signature by {label} does not fit")
    return payload, signer


def _parse(envelope: bytes) -> tuple[bytes, str, bytes]:
    try:
        value = load_strict(envelope)
    except StrictJsonError as error:
        raise SealError(f"not a strict JSON envelope: {error}") from None
    _require_keys(value, {"payload", "payloadType", "signatures"})
    if value["payloadType"] != PAYLOAD_TYPE:
        raise SealError(f"the payload type is {value['payloadType']!r}, not {PAYLOAD_TYPE!r}")
    signatures = value["signatures"]
    if not isinstance(signatures, list) or len(signatures) != 1:
        raise SealError("an envelope has exactly one signature")
    _require_keys(signatures[0], {"keyid", "sig"})
    return _bytes(value["payload"]), str(signatures[0]["keyid"]), _bytes(signatures[0]["sig"])


def _require_keys(value: Any, keys: set[str]) -> None:
    if not isinstance(value, dict) or value.keys() != keys:
        raise SealError(f"expected an object with exactly {', '.join(sorted(keys))}")


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _bytes(text: Any) -> bytes:
    """The bytes of a base64 text; the last character may not carry bits that decoding drops."""
    try:
        data = base64.b64decode(text, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise SealError("a base64 text that does not decode") from None
    if _base64(data) != text:
        raise SealError("a second spelling of a base64 text")
    return data


def is_signed(message: bytes, signature: bytes, public_key: bytes) -> bool:
    """Whether `signature` is the Ed25519 signature of `message`, in its one form (S below the group's
    order).
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except InvalidSignature:
        return False
    return True
