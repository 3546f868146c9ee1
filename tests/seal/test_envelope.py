"""What is signed, and the one form of an envelope."""

import base64
import json
from collections.abc import Callable

import pytest
from sealing import REGISTRATION, why

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.seal import (
    DsseSigner,
    Roles,
    sign_claimant,
)
from dcp_lang.seal.dsse import pae
from dcp_lang.seal.statement import claim, countersignature


def test_pre_authentication_encoding_is_the_one_of_the_dsse_specification() -> None:
    # The test vector of https://github.com/secure-systems-lab/dsse/blob/v1.0.2/protocol.md.
    expected = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    assert pae("http://example.com/HelloWorld", b"hello world") == expected


def test_the_statements_say_what_is_signed() -> None:
    seal = b"any seal"
    subject = {"name": "registration.json", "digest": {"sha256": digest(REGISTRATION)[7:]}}
    assert json.loads(claim(REGISTRATION)) == {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [subject],
        "predicateType": "urn:x-dcp-lang:registration-claim:v1",
        "predicate": {"role": "claimant"},
    }
    assert json.loads(countersignature(REGISTRATION, seal)) == {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [subject, {"name": "claimant-seal", "digest": {"sha256": digest(seal)[7:]}}],
        "predicateType": "urn:x-dcp-lang:registration-countersignature:v1",
        "predicate": {"role": "authority"},
    }


def test_the_envelope_is_strict_json_with_one_signature(
    claimant: DsseSigner, seals: tuple[bytes, bytes]
) -> None:
    value = json.loads(seals[0])
    assert canonical_bytes(value) == seals[0]
    assert base64.b64decode(value["payload"]) == claim(REGISTRATION)
    assert value["payloadType"] == "application/vnd.in-toto+json"
    (signature,) = value["signatures"]
    assert signature["keyid"] == digest(claimant.public_key)
    assert len(base64.b64decode(signature["sig"])) == 64


def test_the_seal_is_a_function_of_key_and_bytes(claimant: DsseSigner, seals: tuple[bytes, bytes]) -> None:
    # Ed25519 is deterministic (RFC 8032) and there is no clock in a statement.
    assert sign_claimant(REGISTRATION, claimant) == seals[0]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda v: {**v, "extra": 1}, "exactly payload, payloadType, signatures"),
        (lambda v: {k: v[k] for k in ("payload", "signatures")}, "exactly payload, payloadType, signatures"),
        (lambda v: {**v, "payloadType": "text/plain"}, "payload type is 'text/plain'"),
        (lambda v: {**v, "signatures": []}, "exactly one signature"),
        (lambda v: {**v, "signatures": v["signatures"] * 2}, "exactly one signature"),
        (lambda v: {**v, "signatures": {"0": v["signatures"][0]}}, "exactly one signature"),
        (lambda v: {**v, "signatures": [{**v["signatures"][0], "cert": ""}]}, "exactly keyid, sig"),
        (lambda v: {**v, "signatures": [None]}, "exactly keyid, sig"),
        (lambda v: {**v, "payload": 1}, "does not decode"),
        (lambda v: {**v, "payload": v["payload"] + "\n"}, "does not decode"),
        (lambda v: {**v, "signatures": [{**v["signatures"][0], "sig": "AB=="}]}, "second spelling"),
        (lambda v: {**v, "signatures": [{**v["signatures"][0], "sig": "AA=="}]}, "does not fit"),
        (lambda v: {**v, "signatures": [{**v["signatures"][0], "keyid": ""}]}, "not a key of this role"),
        (lambda v: {**v, "signatures": [{**v["signatures"][0], "keyid": None}]}, "not a key of this role"),
        (lambda v: [v], "exactly payload, payloadType, signatures"),
    ],
)
def test_an_envelope_of_another_form(
    seals: tuple[bytes, bytes], roles: Roles, change: Callable[[dict[str, object]], object], reason: str
) -> None:
    envelope = canonical_bytes(change(json.loads(seals[0])))
    message = why(REGISTRATION, envelope, None, roles)
    assert message.startswith("the claimant's seal does not hold: ")
    assert reason in message


def test_an_envelope_that_is_not_canonical_is_refused(seals: tuple[bytes, bytes], roles: Roles) -> None:
    for envelope in (json.dumps(json.loads(seals[0])).encode(), seals[0] + b"\n", b"", b"\xff"):
        assert "not a strict JSON envelope" in why(REGISTRATION, envelope, None, roles)
