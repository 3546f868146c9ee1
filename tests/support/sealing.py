"""Keys, seals and reasons for the tests of this folder."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dcp_lang.seal import DsseSigner, SealError, SshSigner, load_private_key, verify_seal, write_key_pair

REGISTRATION = b'{"edition":1,"rho":"0.05","title":"\xc3\xa9"}'
OTHER = b'{"edition":1,"rho":"0.5","title":"\xc3\xa9"}'
#: L of Ed25519, RFC 8032 section 5.1.
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493

needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH is not installed")


def new_signer(folder: Path, name: str) -> DsseSigner:
    write_key_pair(folder / name)
    return load_private_key(path=folder / name)


def new_ssh_signer(folder: Path, name: str) -> SshSigner:
    path = folder / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    return SshSigner(path)


def why(*args: object, error: type[Exception] = SealError, call: Callable[..., object] = verify_seal) -> str:
    """The sentence of the error that a call must raise."""
    with pytest.raises(error) as caught:
        call(*args)
    return str(caught.value)


def changed_bytes(data: bytes) -> Iterator[bytes]:
    """The data with each byte in turn changed in two ways and left out, and with one byte more at an end."""
    for at, byte in enumerate(data):
        for mask in (0x01, 0x20):
            yield data[:at] + bytes([byte ^ mask]) + data[at + 1 :]
        yield data[:at] + data[at + 1 :]
    for extra in (b"\n", b" ", b"\0"):
        yield data + extra
        yield extra + data


def survivors(data: bytes, holds: Callable[[bytes], object]) -> list[bytes]:
    """The changed bytes for which `holds` raises no SealError."""
    found = []
    for changed in changed_bytes(data):
        try:
            holds(changed)
        except SealError:
            continue
        found.append(changed)
    return found
