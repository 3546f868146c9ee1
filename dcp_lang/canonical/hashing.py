"""SHA-256 without loading OpenSSL, which takes longer than hashing what most registrations commit to."""

from __future__ import annotations

import sys
from functools import lru_cache

from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from hashlib import _Hash

#: From this many bytes on, OpenSSL's greater speed makes up for loading it.
WORTH_LOADING = 2**20


def sha256(size: int) -> _Hash:
    """A new state for about `size` bytes: the interpreter's own for few, OpenSSL's for many or once it is loaded."""
    if size >= WORTH_LOADING or "hashlib" in sys.modules:
        from hashlib import sha256 as fast

        return fast()
    return _own()()


@lru_cache(maxsize=1)
def _own() -> Callable[[], _Hash]:
    """The interpreter's own implementation; its module is called otherwise since Python 3.12, and may be absent."""
    for name in ("_sha2", "_sha256"):
        try:
            return __import__(name).sha256  # type: ignore[no-any-return]
        except ImportError:
            continue
    return __import__("hashlib").sha256  # type: ignore[no-any-return]
