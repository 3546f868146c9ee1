"""Signatures over a frozen registration: the claimant's, then the authority's over both.

A seal says who stood behind which bytes, nothing about when: there is no clock in it. What is signed is an
in-toto Statement v1 that both sides derive from the bytes alone, so a signature that fits is a signature
over exactly these bytes. Roles belong to key bytes; key ids are labels and are never trusted.
"""

from dcp_lang.seal.errors import KeyFileError, SealError
from dcp_lang.seal.keys import DsseSigner, load_private_key, load_public_key, write_key_pair
from dcp_lang.seal.roles import Roles, load_roles
from dcp_lang.seal.ssh import SshSigner
from dcp_lang.seal.verify import SealReport, Signer, countersign, sign_claimant, verify_seal

__all__ = [
    "DsseSigner",
    "KeyFileError",
    "Roles",
    "SealError",
    "SealReport",
    "Signer",
    "SshSigner",
    "countersign",
    "load_private_key",
    "load_public_key",
    "load_roles",
    "sign_claimant",
    "verify_seal",
    "write_key_pair",
]
