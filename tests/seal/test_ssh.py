"""The second backend against ssh-keygen itself."""

import base64
import subprocess
import textwrap
from pathlib import Path

import pytest
from sealing import (
    GROUP_ORDER,
    OTHER,
    REGISTRATION,
    needs_ssh,
    new_ssh_signer,
    survivors,
    why,
)

from dcp_lang.canonical import digest
from dcp_lang.seal import (
    DsseSigner,
    KeyFileError,
    Roles,
    SealError,
    SealReport,
    SshSigner,
    countersign,
    sign_claimant,
    verify_seal,
)
from dcp_lang.seal.statement import claim


@needs_ssh
def test_ssh_keys_seal_as_well_and_mix_with_envelopes(tmp_path: Path, authority: DsseSigner) -> None:
    claimant = new_ssh_signer(tmp_path, "id")
    roles = Roles(claimants=[claimant.public_key], authorities=[authority.public_key])
    first = sign_claimant(REGISTRATION, claimant)
    second = countersign(REGISTRATION, first, authority, roles=roles)
    report = SealReport(digest(REGISTRATION), claimant.public_key, authority.public_key)
    assert verify_seal(REGISTRATION, first, second, roles) == report
    assert "does not fit" in why(OTHER, first, None, roles)


@needs_ssh
def test_the_authority_may_use_ssh(tmp_path: Path, claimant: DsseSigner, seals: tuple[bytes, bytes]) -> None:
    authority = new_ssh_signer(tmp_path, "id")
    roles = Roles(claimants=[claimant.public_key], authorities=[authority.public_key])
    second = countersign(REGISTRATION, seals[0], authority, roles=roles)
    assert verify_seal(REGISTRATION, seals[0], second, roles).authority == authority.public_key
    assert "not by a key of this role" in why(REGISTRATION, second, None, roles)


@needs_ssh
def test_every_changed_byte_of_an_ssh_signature_is_seen(tmp_path: Path) -> None:
    claimant = new_ssh_signer(tmp_path, "id")
    roles = Roles(claimants=[claimant.public_key])
    seal = sign_claimant(REGISTRATION, claimant)
    assert survivors(seal, lambda data: verify_seal(REGISTRATION, data, None, roles)) == []


@needs_ssh
def test_an_ssh_signature_made_for_something_else_is_refused(tmp_path: Path) -> None:
    claimant = new_ssh_signer(tmp_path, "id")
    roles = Roles(claimants=[claimant.public_key])
    for options in (["-n", "git"], ["-n", "dcp-registration@v1", "-O", "hashalg=sha256"]):
        command = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(claimant.path), *options]
        done = subprocess.run(command, input=claim(REGISTRATION), capture_output=True, check=True)
        assert "not for a registration" in why(REGISTRATION, done.stdout, None, roles)


@needs_ssh
def test_an_exposed_or_absent_ssh_key_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claimant = new_ssh_signer(tmp_path, "id")
    claimant.path.chmod(0o644)
    with pytest.raises(KeyFileError, match="chmod 600"):
        sign_claimant(REGISTRATION, claimant)
    with pytest.raises(KeyFileError, match="cannot read"):
        sign_claimant(REGISTRATION, SshSigner(tmp_path / "gone"))
    # A .pub file alone signs through an agent; there is none here.
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    claimant.path.unlink()
    with pytest.raises(KeyFileError, match="ssh-keygen does not sign"):
        sign_claimant(REGISTRATION, SshSigner(tmp_path / "id.pub"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(KeyFileError, match="not installed"):
        sign_claimant(REGISTRATION, SshSigner(tmp_path / "id.pub"))


@needs_ssh
def test_ssh_keygen_verifies_what_we_accept(tmp_path: Path) -> None:
    claimant = new_ssh_signer(tmp_path, "id")
    seal = sign_claimant(REGISTRATION, claimant)
    (tmp_path / "seal").write_bytes(seal)
    (tmp_path / "allowed").write_text("me " + (tmp_path / "id.pub").read_text())
    command = [
        "ssh-keygen",
        "-Y",
        "verify",
        "-f",
        "allowed",
        "-I",
        "me",
        "-n",
        "dcp-registration@v1",
        "-s",
        "seal",
    ]
    for statement, code in ((claim(REGISTRATION), 0), (claim(OTHER), 255)):
        done = subprocess.run(command, input=statement, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == code


@needs_ssh
def test_verification_needs_no_ssh_keygen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claimant = new_ssh_signer(tmp_path, "id")
    seal = sign_claimant(REGISTRATION, claimant)
    monkeypatch.setenv("PATH", str(tmp_path))
    roles = Roles(claimants=[claimant.public_key])
    assert verify_seal(REGISTRATION, seal, None, roles).claimant == claimant.public_key


@needs_ssh
def test_an_ssh_signature_has_one_form(tmp_path: Path) -> None:
    claimant = new_ssh_signer(tmp_path, "id")
    blob = base64.b64decode(b"".join(sign_claimant(REGISTRATION, claimant).splitlines()[1:-1]))
    second = blob[:-32] + (int.from_bytes(blob[-32:], "little") + GROUP_ORDER).to_bytes(32, "little")
    lines = textwrap.wrap(base64.b64encode(second).decode(), 70)
    seal = "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""]).encode()
    assert "does not fit" in why(REGISTRATION, seal, None, Roles(claimants=[claimant.public_key]))


@needs_ssh
def test_a_public_key_that_is_not_the_private_ones_is_noticed(tmp_path: Path) -> None:
    claimant = new_ssh_signer(tmp_path, "id")
    other = new_ssh_signer(tmp_path, "other")
    other.path.with_name("other.pub").replace(tmp_path / "id.pub")
    with pytest.raises((SealError, KeyFileError)):
        sign_claimant(REGISTRATION, claimant)


@needs_ssh
def test_ssh_keys_of_other_kinds_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "id"
    subprocess.run(["ssh-keygen", "-q", "-t", "ecdsa", "-N", "", "-f", str(path)], check=True)
    with pytest.raises(KeyFileError, match="not an Ed25519 public key"):
        sign_claimant(REGISTRATION, SshSigner(path))
