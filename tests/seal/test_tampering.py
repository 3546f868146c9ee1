"""No byte of registration, seal or countersignature changes unseen."""

from sealing import GROUP_ORDER, REGISTRATION, survivors, why

from dcp_lang.seal import (
    DsseSigner,
    Roles,
    verify_seal,
)
from dcp_lang.seal.dsse import PAYLOAD_TYPE, build_envelope, pae
from dcp_lang.seal.statement import claim


def test_every_changed_byte_of_the_registration_is_seen(seals: tuple[bytes, bytes], roles: Roles) -> None:
    assert survivors(REGISTRATION, lambda data: verify_seal(data, *seals, roles)) == []


def test_every_changed_byte_of_the_claimants_seal_is_seen(seals: tuple[bytes, bytes], roles: Roles) -> None:
    first, _ = seals
    assert survivors(first, lambda data: verify_seal(REGISTRATION, data, None, roles)) == []


def test_every_changed_byte_of_the_countersignature_is_seen(seals: tuple[bytes, bytes], roles: Roles) -> None:
    first, second = seals
    assert survivors(second, lambda data: verify_seal(REGISTRATION, first, data, roles)) == []


def test_a_signature_has_one_form(claimant: DsseSigner, roles: Roles) -> None:
    # S + L satisfies the same equation; RFC 8032 section 5.1.7 has it refused.
    statement = claim(REGISTRATION)
    signature = claimant.private_key.sign(pae(PAYLOAD_TYPE, statement))
    second = signature[:32] + (int.from_bytes(signature[32:], "little") + GROUP_ORDER).to_bytes(32, "little")
    envelope = build_envelope(statement, second, claimant.public_key)
    assert "does not fit" in why(REGISTRATION, envelope, None, roles)
