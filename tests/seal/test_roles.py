"""Who signs what, in which order; key ids give no role."""

import json
from pathlib import Path

import pytest
from sealing import OTHER, REGISTRATION, new_signer, why

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.seal import (
    DsseSigner,
    KeyFileError,
    Roles,
    SealError,
    SealReport,
    countersign,
    load_roles,
    sign_claimant,
    verify_seal,
)
from dcp_lang.seal.dsse import PAYLOAD_TYPE, build_envelope, open_envelope, pae
from dcp_lang.seal.roles import key_text
from dcp_lang.seal.statement import claim


def test_a_seal_that_holds_names_the_keys(
    claimant: DsseSigner, authority: DsseSigner, roles: Roles, seals: tuple[bytes, bytes]
) -> None:
    first, second = seals
    report = SealReport(digest(REGISTRATION), claimant.public_key, authority.public_key)
    assert verify_seal(REGISTRATION, first, second, roles) == report
    assert verify_seal(REGISTRATION, first, None, roles) == SealReport(
        digest(REGISTRATION), claimant.public_key, None
    )


def test_another_registration_is_named_with_both_digests(seals: tuple[bytes, bytes], roles: Roles) -> None:
    message = why(OTHER, *seals, roles)
    assert f"{digest(REGISTRATION)} was signed" in message
    assert f"this one is {digest(OTHER)}" in message


def test_a_countersignature_is_over_this_very_claimants_seal(
    tmp_path: Path, claimant: DsseSigner, authority: DsseSigner, seals: tuple[bytes, bytes]
) -> None:
    second_claimant = new_signer(tmp_path, "second")
    both = Roles(
        claimants=[claimant.public_key, second_claimant.public_key], authorities=[authority.public_key]
    )
    theirs = sign_claimant(REGISTRATION, second_claimant)
    assert "the authority's seal does not hold: it is about another claimant-seal" in why(
        REGISTRATION, theirs, seals[1], both
    )


def test_roles_cannot_be_exchanged(
    claimant: DsseSigner, authority: DsseSigner, roles: Roles, seals: tuple[bytes, bytes]
) -> None:
    first, second = seals
    assert "the claimant's seal does not hold: signed by" in why(REGISTRATION, second, second, roles)
    assert "the authority's seal does not hold: signed by" in why(REGISTRATION, first, first, roles)
    swapped = Roles(claimants=[authority.public_key], authorities=[claimant.public_key])
    assert "the claimant's seal does not hold: signed by" in why(REGISTRATION, first, second, swapped)
    # A countersignature is not a claim, even for someone who trusts that key as a claimant's.
    assert "signed as 'urn:x-dcp-lang:registration-countersignature:v1'" in why(
        REGISTRATION, second, None, swapped
    )


def test_a_key_id_gives_no_role(tmp_path: Path, claimant: DsseSigner, roles: Roles) -> None:
    forger = new_signer(tmp_path, "forger")
    statement = claim(REGISTRATION)
    signature = forger.private_key.sign(pae(PAYLOAD_TYPE, statement))
    forged = build_envelope(statement, signature, claimant.public_key)
    assert "does not fit" in why(REGISTRATION, forged, None, roles)
    honest_label = build_envelope(statement, signature, forger.public_key)
    assert open_envelope(honest_label, [forger.public_key]) == (statement, forger.public_key)
    assert "not a key of this role" in why(REGISTRATION, honest_label, None, roles)


def test_a_statement_with_more_to_say_is_refused(claimant: DsseSigner, roles: Roles) -> None:
    statement = json.loads(claim(REGISTRATION))
    for changed in (
        {**statement, "note": "unchecked"},
        {**statement, "predicate": {}},
        [],
        {"predicateType": 1},
    ):
        envelope = claimant.sign(canonical_bytes(changed))
        assert "does not hold: it" in why(REGISTRATION, envelope, None, roles)
    spaced = claimant.sign(json.dumps(statement).encode())
    assert "not in the form of this version" in why(REGISTRATION, spaced, None, roles)


def test_only_a_frozen_file_is_signed_or_verified(
    claimant: DsseSigner, roles: Roles, seals: tuple[bytes, bytes]
) -> None:
    for spoilt in (REGISTRATION + b"\n", b'{"a":0.5}', b'{"a": 1}'):
        assert "not a frozen file" in why(spoilt, claimant, call=sign_claimant)
        assert "not a frozen file" in why(spoilt, *seals, roles)
    assert "line endings" in why(REGISTRATION + b"\r\n", *seals, roles)


def test_the_authority_signs_only_after_the_claimant(
    claimant: DsseSigner, authority: DsseSigner, roles: Roles, seals: tuple[bytes, bytes]
) -> None:
    with pytest.raises(SealError, match="the claimant's seal does not hold"):
        countersign(OTHER, seals[0], authority, roles=roles)
    with pytest.raises(SealError, match="a claimant's key cannot countersign"):
        countersign(REGISTRATION, seals[0], claimant, roles=roles)


def test_a_key_has_one_role(claimant: DsseSigner) -> None:
    key = claimant.public_key
    with pytest.raises(KeyFileError, match="cannot serve both roles"):
        Roles(claimants=[key], authorities=[key])
    with pytest.raises(KeyFileError, match="no key is trusted"):
        Roles(claimants=[])


def test_roles_are_read_from_strict_json(claimant: DsseSigner, authority: DsseSigner) -> None:
    value = {
        "format": "dcp-lang/roles-1",
        "claimant": [key_text(claimant.public_key)],
        "authority": [key_text(authority.public_key)],
    }
    roles = load_roles(json.dumps(value, indent=2).encode())
    assert roles.claimants == {claimant.public_key}
    assert roles.authorities == {authority.public_key}
    key = key_text(claimant.public_key)
    for bad, reason in (
        ({**value, "format": "x"}, "format"),
        ({**value, "more": []}, "exactly"),
        ({**value, "claimant": key}, "list of keys"),
        ({**value, "claimant": [key[8:]]}, "is not a key"),
        ({**value, "claimant": [key[:-1]]}, "is not a key"),
        ({**value, "claimant": ["ed25519:AAAA"]}, "is not a key"),
        ({**value, "claimant": [None]}, "is not a key"),
        ({**value, "authority": [key]}, "both roles"),
    ):
        assert reason in why(json.dumps(bad).encode(), call=load_roles, error=KeyFileError)
    twice = b'{"claimant":[],"claimant":[],"authority":[],"format":"dcp-lang/roles-1"}'
    assert "duplicate" in why(twice, call=load_roles, error=KeyFileError)


def test_where_authorities_are_named_only_they_countersign(
    tmp_path: Path, claimant: DsseSigner, roles: Roles, seals: tuple[bytes, bytes]
) -> None:
    stranger = new_signer(tmp_path, "stranger")
    with pytest.raises(SealError, match="not one of the authority's"):
        countersign(REGISTRATION, seals[0], stranger, roles=roles)
    nobody_named = Roles(claimants=[claimant.public_key])
    second = countersign(REGISTRATION, seals[0], stranger, roles=nobody_named)
    both = Roles(claimants=[claimant.public_key], authorities=[stranger.public_key])
    assert verify_seal(REGISTRATION, seals[0], second, both).authority == stranger.public_key
