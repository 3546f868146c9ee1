"""Envelopes travel to and from securesystemslib."""

import base64
import json
from pathlib import Path

import pytest
from sealing import REGISTRATION

from dcp_lang.canonical import canonical_bytes
from dcp_lang.seal import (
    DsseSigner,
    Roles,
    Signer,
    SshSigner,
    verify_seal,
)
from dcp_lang.seal.dsse import PAYLOAD_TYPE, key_id
from dcp_lang.seal.statement import claim


def test_securesystemslib_accepts_our_envelopes(claimant: DsseSigner, seals: tuple[bytes, bytes]) -> None:
    dsse = pytest.importorskip("securesystemslib.dsse")
    signer = pytest.importorskip("securesystemslib.signer")
    public = {"public": claimant.public_key.hex()}
    key = signer.SSlibKey(key_id(claimant.public_key), "ed25519", "ed25519", public)
    envelope = dsse.Envelope.from_dict(json.loads(seals[0]))
    assert list(envelope.verify([key], 1)) == [key.keyid]
    assert envelope.payload == claim(REGISTRATION)
    spoilt = dsse.Envelope.from_dict({**json.loads(seals[0]), "payload": base64.b64encode(b"{}").decode()})
    with pytest.raises(Exception, match="Accepted signatures do not match threshold"):
        spoilt.verify([key], 1)


def test_we_accept_the_envelopes_of_securesystemslib(claimant: DsseSigner, roles: Roles) -> None:
    dsse = pytest.importorskip("securesystemslib.dsse")
    signer = pytest.importorskip("securesystemslib.signer")
    public = {"public": claimant.public_key.hex()}
    key = signer.SSlibKey(key_id(claimant.public_key), "ed25519", "ed25519", public)
    envelope = dsse.Envelope(claim(REGISTRATION), PAYLOAD_TYPE, {})
    envelope.sign(signer.CryptoSigner(claimant.private_key, key))
    seal = canonical_bytes(envelope.to_dict())
    assert verify_seal(REGISTRATION, seal, None, roles).claimant == claimant.public_key


def test_both_backends_are_signers(tmp_path: Path, claimant: DsseSigner) -> None:
    backends: list[Signer] = [claimant, SshSigner(tmp_path / "id")]
    assert len(backends) == 2
