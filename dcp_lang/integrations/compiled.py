"""`runner/compiled.json`: what the compiler fixed for one audit, read strictly and compared with the disk.

The file is the only bridge between the compiler and a run. It says the value of every kernel field that is
known before the run (`fixed`), the contract that gives each remaining one (`bind`), the harness configuration
it was compiled with (`config`), the digests of the adapter and of the audit materials, the checkpoint rule,
the feedback policies and the attestation checklist. Nothing here needs the harness or the kernel to be
installed.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCHEMA = "dcp-lang/harness/1"

#: The audit materials that the harness seals before the main run, in the order of its `AuditMaterials`.
MATERIAL_ROLES = (
    "private_verifier",
    "private_units",
    "baseline_policy",
    "truthful_feedback_policy",
    "neutral_feedback_policy",
    "sham_reference_policy",
)

_KEYS = {
    "schema",
    "peers",
    "registration_sha256",
    "source_sha256",
    "fixed",
    "bind",
    "config",
    "adapter",
    "materials",
    "checkpoint",
    "policies",
    "attestations",
}
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_IGNORED = {"__pycache__", ".git"}


class CompiledError(ValueError):
    """The compiled registration cannot be read, or the disk no longer holds what it was compiled from.

    `code` is that of the finding it becomes before a run.
    """

    def __init__(self, message: str, code: str = "A12") -> None:
        super().__init__(message)
        self.code = code


def canonical_bytes(value: object) -> bytes:
    """One spelling of a JSON value: sorted keys, no spaces, UTF-8. Raises `CompiledError` for NaN or unknown
    types."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise CompiledError(f"not a JSON value: {error}") from error
    return text.encode()


def sha256(data: bytes) -> str:
    """Digest in the harness's spelling, `sha256:` and 64 lower-case hexadecimal digits."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def is_digest(value: object) -> bool:
    """Whether `value` is a digest in that spelling and not the digest of nothing."""
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None and value != sha256(b"")


def strict_json(path: Path) -> Any:
    """The JSON value of a file; a duplicate key (the harness lets the last one win), NaN or infinity is an
    error."""

    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            names = [name for name, _ in pairs]
            twice = sorted({name for name in names if names.count(name) > 1})
            raise CompiledError(f"{path.name}: key `{twice[0]}` is given more than once")
        return value

    def no_constant(name: str) -> Any:
        raise CompiledError(f"{path.name}: {name} is not a JSON number")

    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text, object_pairs_hook=no_duplicates, parse_constant=no_constant)
    except (OSError, UnicodeError, json.JSONDecodeError, RecursionError) as error:
        raise CompiledError(f"cannot read {path.name}: {error}") from error


def path_digest(path: Path) -> str:
    """Digest of a file's bytes, or of the sorted manifest of a folder's files. Links and missing paths are
    errors."""
    if path.is_symlink() or not path.exists():
        raise CompiledError(f"`{path.name}` is missing or is a link")
    if path.is_file():
        return sha256(path.read_bytes())
    rows = []
    for item in sorted(path.rglob("*"), key=lambda found: found.relative_to(path).as_posix()):
        relative = item.relative_to(path)
        if _IGNORED & set(relative.parts) or (item.is_dir() and not item.is_symlink()):
            continue
        rows.append({"path": relative.as_posix(), "sha256": path_digest(item)})
    return sha256(canonical_bytes({"files": rows}))


@dataclass(frozen=True)
class Compiled:
    """A compiled registration and the folder of the adapter that its paths start from.

    `sealed` says where material lies that was registered by its digest alone, so that the compiler never saw
    it.
    """

    path: Path
    home: Path
    sealed: dict[str, str]
    sha256: str
    document: dict[str, Any]

    @classmethod
    def load(cls, path: Path, home: Path, sealed: dict[str, str]) -> Compiled:
        """Read `path` strictly; the top level must have exactly the keys of schema `dcp-lang/harness/1`."""
        document = strict_json(path)
        if not isinstance(document, dict) or document.get("schema") != SCHEMA:
            raise CompiledError(f"{path.name}: schema must be `{SCHEMA}`")
        if set(document) != _KEYS:
            odd = ", ".join(sorted(set(document) ^ _KEYS))
            raise CompiledError(f"{path.name}: missing or unknown keys: {odd}")
        return cls(path, home, sealed, sha256(path.read_bytes()), document)

    @property
    def fixed(self) -> dict[str, Any]:
        """Kernel fields with the value that the compiler fixed."""
        return dict(self.document["fixed"])

    @property
    def bind(self) -> dict[str, str]:
        """Kernel fields with the key of the harness's contract set that gives their value."""
        return dict(self.document["bind"])

    def kernel_fields(self, contracts: dict[str, Any]) -> dict[str, Any]:
        """All kernel fields of one run; `CompiledError` when a bound contract is absent."""
        missing = sorted(key for key in self.bind.values() if key not in contracts)
        if missing:
            raise CompiledError(f"the run has no contract named `{missing[0]}`")
        return self.fixed | {field: contracts[key] for field, key in self.bind.items()}

    def material_path(self, role: str) -> Path | None:
        """The file or folder of a material, or None when the material is a policy declared in the
        registration.
        """
        entry = self.document["materials"][role]
        if "policy" in entry:
            return None
        relative = entry.get("path") or self.sealed.get(role)
        if not relative:
            raise CompiledError(f"{role} is sealed: the adapter must say where it lies", code="A38")
        return self.home / relative

    def material_digest(self, role: str) -> str:
        """Digest of a material as it is now; `CompiledError` when it differs from the compiled one.

        The private units may have no digest of their own when they lie inside the sealed verifier, which has
        one.
        """
        entry = self.document["materials"][role]
        path = self.material_path(role)
        if path is None:
            digest = sha256(canonical_bytes(self.document["policies"][entry["policy"]]))
        else:
            digest = path_digest(path)
        if entry["sha256"] is None:
            self._check_enclosed(role, path)
        elif digest != entry["sha256"]:
            raise _changed(
                f"{role} `{entry.get('path') or entry.get('policy') or path}`", digest, entry["sha256"]
            )
        return digest

    def _check_enclosed(self, role: str, path: Path | None) -> None:
        verifier = self.material_path("private_verifier")
        if role != "private_units" or path is None or verifier is None or verifier not in path.parents:
            raise CompiledError(f"{role} has no digest and lies outside the sealed verifier", code="A38")

    def unit_ids(self) -> tuple[str, ...]:
        """The private unit ids in their registered order, from the JSON list in the `private_units`
        material."""
        path = self.material_path("private_units")
        ids = strict_json(path) if path is not None else None
        if not isinstance(ids, list) or not ids or not all(isinstance(unit, str) for unit in ids):
            raise CompiledError("private_units must be a JSON file with a list of unit ids", code="A7")
        return tuple(ids)

    def check_adapter(self) -> None:
        """Raise `CompiledError` when the adapter file is not the one that was compiled."""
        entry = self.document["adapter"]
        digest = path_digest(self.home / entry["path"])
        if digest != entry["sha256"]:
            raise _changed(f"adapter `{entry['path']}`", digest, entry["sha256"])


def _changed(what: str, have: str, need: str) -> CompiledError:
    return CompiledError(f"{what} changed after compilation: is {have}, compiled as {need}", code="A38")
