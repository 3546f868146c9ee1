"""Ed25519 keys: PEM files that only their owner can read, or an environment variable; never an argument."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dcp_lang.seal.dsse import PAYLOAD_TYPE, build_envelope, pae
from dcp_lang.seal.errors import KeyFileError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_MAX_KEY_BYTES = 64 * 1024


@dataclass(frozen=True)
class DsseSigner:
    """Signs statements into DSSE envelopes."""

    private_key: Ed25519PrivateKey

    @property
    def public_key(self) -> bytes:
        """The raw public key, 32 bytes."""
        return self.private_key.public_key().public_bytes_raw()

    def sign(self, statement: bytes) -> bytes:
        """The envelope of a statement."""
        signature = self.private_key.sign(pae(PAYLOAD_TYPE, statement))
        return build_envelope(statement, signature, self.public_key)


def write_key_pair(path: Path) -> bytes:
    """Write a new private key to `path` (mode 0600) and its public key to `path`.pub; returns the raw
    public key.

    Neither file may exist: KeyFileError, since a key that is gone cannot be had again.
    """
    from cryptography.hazmat.primitives import serialization as pem
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public_path = path.with_name(path.name + ".pub")
    for each in (path, public_path):
        if each.exists():
            raise KeyFileError(f"{each} exists; a key is never overwritten")
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, pem.NoEncryption())
    public = key.public_key().public_bytes(pem.Encoding.PEM, pem.PublicFormat.SubjectPublicKeyInfo)
    _write_new(path, secret, 0o600)
    _write_new(public_path, public, 0o644)
    return key.public_key().public_bytes_raw()


def load_private_key(*, path: Path | None = None, variable: str | None = None) -> DsseSigner:
    """The signer of a PEM private key, from a file or from the environment variable of that name.

    KeyFileError if there is none, if group or others can read the file, or if it is not an unencrypted
    Ed25519 key.
    """
    if (path is None) == (variable is None):
        raise KeyFileError("a private key comes from one file or from one environment variable")
    if path is not None:
        return DsseSigner(_private_key(_read_secret(path), str(path)))
    text = os.environ.get(str(variable))
    if not text:
        raise KeyFileError(f"the environment variable {variable} is not set")
    return DsseSigner(_private_key(text.encode(), f"the environment variable {variable}"))


def load_public_key(path: Path) -> bytes:
    """The raw Ed25519 public key (32 bytes) of a PEM or OpenSSH public key file."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    data = _read(path)
    is_pem = data.startswith(b"-----BEGIN")
    try:
        key = serialization.load_pem_public_key(data) if is_pem else serialization.load_ssh_public_key(data)
    except Exception:  # the library raises several kinds for text that is not a key
        raise KeyFileError(f"{path} is not a public key") from None
    if not isinstance(key, Ed25519PublicKey):
        raise KeyFileError(f"{path} is not an Ed25519 public key")
    return key.public_bytes_raw()


def require_private(path: Path, mode: int) -> None:
    """KeyFileError if the mode of a private key file lets anybody but its owner read it."""
    if os.name == "posix" and mode & 0o077:
        raise KeyFileError(f"{path} can be read by others (mode {mode & 0o777:04o}): chmod 600 {path}")


def _private_key(data: bytes, origin: str) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(data, password=None)
    except TypeError:
        raise KeyFileError(f"the key in {origin} is encrypted; only plain PEM keys are read") from None
    except Exception:  # as above; the text of the error could quote the key
        raise KeyFileError(f"{origin} holds no PEM private key") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(f"the key in {origin} is not an Ed25519 key")
    return key


def _read_secret(path: Path) -> bytes:
    """The file's bytes; its mode is the one of the very file that was opened."""
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise KeyFileError(f"{path} is not a regular file")
            require_private(path, status.st_mode)
            return file.read(_MAX_KEY_BYTES)
    except OSError as error:
        raise KeyFileError(f"cannot read {path}: {error.strerror}") from None


def _read(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_MAX_KEY_BYTES)
    except OSError as error:
        raise KeyFileError(f"cannot read {path}: {error.strerror}") from None


def _write_new(path: Path, data: bytes, mode: int) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except OSError as error:
        raise KeyFileError(f"cannot write {path}: {error.strerror}") from None
    with open(handle, "wb") as file:
        file.write(data)
