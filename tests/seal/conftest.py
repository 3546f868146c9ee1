"""One key for each role, and the two seals they make, for all tests of this folder."""

from pathlib import Path

import pytest
from sealing import REGISTRATION, new_signer

from dcp_lang.seal import DsseSigner, Roles, countersign, sign_claimant


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


@pytest.fixture(scope="session")
def claimant(keys: Path) -> DsseSigner:
    return new_signer(keys, "claimant")


@pytest.fixture(scope="session")
def authority(keys: Path) -> DsseSigner:
    return new_signer(keys, "authority")


@pytest.fixture(scope="session")
def roles(claimant: DsseSigner, authority: DsseSigner) -> Roles:
    return Roles(claimants=[claimant.public_key], authorities=[authority.public_key])


@pytest.fixture(scope="session")
def seals(claimant: DsseSigner, authority: DsseSigner, roles: Roles) -> tuple[bytes, bytes]:
    first = sign_claimant(REGISTRATION, claimant)
    return first, countersign(REGISTRATION, first, authority, roles=roles)
