"""SHA-256, however large what is hashed."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from dcp_lang.canonical import digest
from dcp_lang.canonical.hashing import WORTH_LOADING

PROBE = """
import sys
from dcp_lang.canonical import digest
print(digest(bytes(int(sys.argv[1]))), "hashlib" in sys.modules)
"""


def test_the_digest_of_abc_is_that_of_the_standard() -> None:
    """FIPS 180-4, example B.1."""
    assert digest(b"abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.parametrize("size", [0, 1, WORTH_LOADING - 1, WORTH_LOADING])
def test_openssl_is_loaded_for_much_and_says_the_same(size: int) -> None:
    probe = [sys.executable, "-c", PROBE, str(size)]
    found, loaded = subprocess.run(probe, check=True, capture_output=True, text=True).stdout.split()
    assert found == f"sha256:{hashlib.sha256(bytes(size)).hexdigest()}"
    assert loaded == str(size >= WORTH_LOADING)
