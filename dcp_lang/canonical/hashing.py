"""SHA-256 digests without loading OpenSSL, which takes longer than hashing what most registrations commit to."""

from __future__ import annotations

import sys
from functools import lru_cache

from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from hashlib import _Hash

#: From this many bytes on, OpenSSL's greater speed makes up for loading it.
WORTH_LOADING = 2**20

_HEX = frozenset("0123456789abcdef")


def digest(data: bytes) -> str:
    """The SHA-256 of `data` as "sha256:" and 64 lower-case hexadecimal digits."""
    state = sha256(len(data))
    state.update(data)
    return "sha256:" + state.hexdigest()


def is_digest(text: object) -> bool:
    """Whether `text` is spelled as `digest` spells it, to the last character: no newline after it."""
    return (
        isinstance(text, str) and len(text) == 71 and text.startswith("sha256:") and _HEX.issuperset(text[7:])
    )


def sha256(size: int) -> _Hash:
    """A new state for about `size` bytes: the interpreter's own for few, OpenSSL's for many or once it is loaded."""
    if size >= WORTH_LOADING or "hashlib" in sys.modules:
        from hashlib import sha256 as fast

        return fast()
    return _own()()


@lru_cache(maxsize=1)
def _own() -> Callable[[], _Hash]:
    """The interpreter's own implementation; its module is called otherwise since Python 3.12, and may be absent."""
    try:
        return __import__("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256  # type: ignore[no-any-return]
    except ImportError:
        return __import__("hashlib").sha256  # type: ignore[no-any-return]
