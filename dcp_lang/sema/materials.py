"""Committed material: the one door of `sema` to files, and what can be wrong behind it (E801 to E809)."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import Material
from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object

LEAVES_FOLDER = Rule("E801", "path-leaves-folder", "error", "a path leads out of the registration's folder")
MISSING = Rule("E802", "missing-file", "error", "a committed file cannot be read")
LINK = Rule("E803", "link-not-followed", "error", "a committed path is a link, or lies behind one")
EMPTY = Rule("E804", "digest-of-nothing", "error", "a digest commits to the empty string")
TOO_LARGE = Rule("E805", "file-too-large", "error", "a committed file is larger than is hashed")
NOT_A_FILE = Rule("E806", "not-a-file", "error", "a committed path is not a regular file or folder")
CHANGED = Rule("E807", "changed-while-hashed", "error", "a file changed while it was hashed")
TOO_MANY = Rule("E809", "too-many-files", "error", "a committed folder holds too many files or is too deep")
RULES = (LEAVES_FOLDER, MISSING, LINK, EMPTY, TOO_LARGE, NOT_A_FILE, CHANGED, TOO_MANY)

#: The digest of no bytes at all: never a real commitment.
EMPTY_DIGEST = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


class Workspace(Protocol):
    """Where the files of a registration come from."""

    def material(self, path: str, folder: bool) -> Material:
        """The digest of a file, or folder where allowed, below the source; raises `MaterialError`."""

    def bytes(self, path: str) -> bytes:
        """The bytes of a file below the source; raises `MaterialError`."""


class MaterialError(Exception):
    """A file cannot be committed: the rule that it breaks, what is wrong, and what to do."""

    def __init__(self, rule: Rule, message: str, help: str = "") -> None:
        super().__init__(message)
        self.rule, self.message, self.help = rule, message, help
