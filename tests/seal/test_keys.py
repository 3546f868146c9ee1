"""Key files: private, plain Ed25519, never overwritten."""

import os
from pathlib import Path

import pytest
from sealing import why

from dcp_lang.seal import (
    KeyFileError,
    load_private_key,
    load_public_key,
    write_key_pair,
)


def test_a_key_pair_is_private_and_never_overwritten(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        public_key = write_key_pair(tmp_path / "key")
    finally:
        os.umask(before)
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert (
        load_public_key(tmp_path / "key.pub")
        == public_key
        == load_private_key(path=tmp_path / "key").public_key
    )
    assert "never overwritten" in why(tmp_path / "key", call=write_key_pair, error=KeyFileError)
    (tmp_path / "key").unlink()
    assert "never overwritten" in why(tmp_path / "key", call=write_key_pair, error=KeyFileError)
    assert not (tmp_path / "key").exists()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o610, 0o601])
def test_a_private_key_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    write_key_pair(tmp_path / "key")
    (tmp_path / "key").chmod(mode)
    with pytest.raises(KeyFileError, match=rf"mode {mode:04o}\): chmod 600"):
        load_private_key(path=tmp_path / "key")


def test_a_private_key_comes_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    public_key = write_key_pair(tmp_path / "key")
    monkeypatch.setenv("CLAIMANT_KEY", (tmp_path / "key").read_text())
    assert load_private_key(variable="CLAIMANT_KEY").public_key == public_key
    for text, reason in (("", "is not set"), ("secret text", "holds no PEM private key")):
        monkeypatch.setenv("CLAIMANT_KEY", text)
        with pytest.raises(KeyFileError, match=reason) as caught:
            load_private_key(variable="CLAIMANT_KEY")
        assert "secret text" not in str(caught.value)
    with pytest.raises(KeyFileError, match="one file or"):
        load_private_key()


def test_only_plain_ed25519_keys_are_read(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives import serialization as pem
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519

    def write(
        key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey, lock: pem.KeySerializationEncryption
    ) -> Path:
        path = tmp_path / "other"
        path.write_bytes(key.private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, lock))
        path.chmod(0o600)
        return path

    curve = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(KeyFileError, match="not an Ed25519 key"):
        load_private_key(path=write(curve, pem.NoEncryption()))
    locked = write(ed25519.Ed25519PrivateKey.generate(), pem.BestAvailableEncryption(b"x"))
    with pytest.raises(KeyFileError, match="is encrypted"):
        load_private_key(path=locked)
    public = tmp_path / "other.pub"
    public.write_bytes(
        curve.public_key().public_bytes(pem.Encoding.PEM, pem.PublicFormat.SubjectPublicKeyInfo)
    )
    with pytest.raises(KeyFileError, match="not an Ed25519 public key"):
        load_public_key(public)
    with pytest.raises(KeyFileError, match="is not a public key"):
        load_public_key(locked)


def test_missing_and_odd_files_are_named(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(KeyFileError, match=r"cannot read .*gone"):
        load_private_key(path=gone)
    with pytest.raises(KeyFileError, match=r"cannot read .*gone"):
        load_public_key(gone)
    with pytest.raises(KeyFileError, match="not a regular file"):
        load_private_key(path=Path("/dev/null"))
    with pytest.raises(KeyFileError, match="cannot write"):
        write_key_pair(gone / "key")
