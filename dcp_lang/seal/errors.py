"""What can be wrong with a seal, as one sentence each."""

from __future__ import annotations


class SealError(Exception):
    """A signature, or what it is said to be over, is not what it must be."""


class KeyFileError(Exception):
    """A key, a file of roles or ssh-keygen is missing, exposed or unreadable: nothing was decided."""
