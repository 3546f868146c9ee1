"""The second backend: detached SSH signatures as `ssh-keygen -Y sign` makes them (OpenSSH 8.2 or later).

The signature is over the same statement in the namespace `dcp-registration@v1`, so that one made for a
commit or an e-mail fits nothing here. Format:
https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.sshsig.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import shutil
import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from dcp_lang.seal.dsse import is_signed
from dcp_lang.seal.errors import KeyFileError, SealError
from dcp_lang.seal.keys import load_public_key, require_private

NAMESPACE = "dcp-registration@v1"
BEGIN = b"-----BEGIN SSH SIGNATURE-----\n"
_END = b"-----END SSH SIGNATURE-----\n"
_ARMOR_WIDTH = 70
_MAGIC = b"SSHSIG"
_ALGORITHM = b"ssh-ed25519"
_SIGNATURE_BYTES = 64
_TIMEOUT_SECONDS = 60


@dataclass(frozen=True)
class SshSigner:
    """Signs with an OpenSSH Ed25519 key: a private key file, or a .pub file whose key an agent holds."""

    path: Path

    @property
    def public_key(self) -> bytes:
        """The raw public key, 32 bytes."""
        public = self.path if self.path.suffix == ".pub" else self.path.with_name(self.path.name + ".pub")
        return load_public_key(public)

    def sign(self, statement: bytes) -> bytes:
        """The armored signature of a statement; it must fit the public key beside the private one."""
        if self.path.suffix != ".pub":
            _require_private_file(self.path)
        done = _ssh_keygen(["-Y", "sign", "-n", NAMESPACE, "-f", str(self.path)], statement)
        if done.returncode != 0:
            raise KeyFileError(f"ssh-keygen does not sign with {self.path}: {_last_line(done.stderr)}")
        signature = done.stdout
        verify_ssh(signature, statement, [self.public_key])
        return signature


def verify_ssh(signature: bytes, statement: bytes, keys: Collection[bytes]) -> bytes:
    """The raw public key among `keys` that made this armored signature over `statement`, else SealError.

    Needs no ssh-keygen: whoever verifies may have none, and it takes signatures with a second form (S + L).
    """
    blob = _parse_armor(signature)
    signer = next((key for key in keys if blob.startswith(_header(key))), None)
    if signer is None:
        raise SealError("the SSH signature is not by a key of this role, or not for a registration")
    proper = blob[-_SIGNATURE_BYTES:]
    whole = _header(signer) + _string(_string(_ALGORITHM) + _string(proper))
    if blob != whole or not is_signed(_signed_data(statement), proper, signer):
        raise SealError("the SSH signature does not fit")
    return signer


def _header(public_key: bytes) -> bytes:
    """Everything before the signature proper: for one key, there is one header that is accepted."""
    return _MAGIC + (1).to_bytes(4, "big") + _string(_wire_key(public_key)) + _CONTEXT


def _signed_data(statement: bytes) -> bytes:
    """What the key signs: PROTOCOL.sshsig section 3."""
    return _MAGIC + _CONTEXT + _string(hashlib.sha512(statement).digest())


def _wire_key(public_key: bytes) -> bytes:
    return _string(_ALGORITHM) + _string(public_key)


def _string(data: bytes) -> bytes:
    """A string of the SSH wire format (RFC 4251 section 5)."""
    return len(data).to_bytes(4, "big") + data


#: Namespace, the reserved field and the hash, as both the header and the signed data spell them.
_CONTEXT = _string(NAMESPACE.encode()) + _string(b"") + _string(b"sha512")


def _parse_armor(signature: bytes) -> bytes:
    """The blob inside the armor, which must be spelled as ssh-keygen spells it: its own reader is lenient."""
    body = signature.removeprefix(BEGIN).removesuffix(_END).replace(b"\n", b"")
    try:
        blob = base64.b64decode(body, validate=True)
    except binascii.Error:
        raise SealError("the armor of the SSH signature does not decode") from None
    if signature != _armor(blob):
        raise SealError("the armor of the SSH signature is not as ssh-keygen writes it")
    return blob


def _armor(blob: bytes) -> bytes:
    text = base64.b64encode(blob)
    lines = [text[i : i + _ARMOR_WIDTH] + b"\n" for i in range(0, len(text), _ARMOR_WIDTH)]
    return BEGIN + b"".join(lines) + _END


def _ssh_keygen(arguments: list[str], message: bytes) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise KeyFileError("ssh-keygen is not installed")
    try:
        return subprocess.run(
            [program, *arguments], input=message, capture_output=True, timeout=_TIMEOUT_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise KeyFileError(f"ssh-keygen did not answer within {_TIMEOUT_SECONDS} s") from None


def _require_private_file(path: Path) -> None:
    try:
        require_private(path, path.stat().st_mode)
    except OSError as error:
        raise KeyFileError(f"cannot read {path}: {error.strerror}") from None


def _last_line(output: bytes) -> str:
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "no reason given"
