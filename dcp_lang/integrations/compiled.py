"""`runner/compiled.json`: what the compiler fixed for one audit, read strictly and compared with the disk.

The file is the only bridge between the compiler and a run. It says the value of every kernel field that is
known before the run (`fixed`), the contract that gives each remaining one (`bind`), the harness configuration
it was compiled with (`config`), the digests of the adapter and of the audit materials, the checkpoint rule,
the feedback policies and the attestation checklist. Nothing here needs the harness or the kernel to be
installed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dcp_lang.canonical import StrictJsonError, canonical_bytes, digest, load_strict
from dcp_lang.sema.typecheck import MaterialError
from dcp_lang.workspace import DiskWorkspace

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


class CompiledError(ValueError):
    """The compiled registration cannot be read, or the disk no longer holds what it was compiled from.

    `code` is that of the finding it becomes before a run.
    """

    def __init__(self, message: str, code: str = "A12") -> None:
        super().__init__(message)
        self.code = code


def strict_json(path: Path) -> Any:
    """The JSON value of a peer's file, numbers with a fraction as doubles.

    `CompiledError` for what two readers could take differently: the harness lets the last of two equal keys
    win.
    """
    try:
        return load_strict(path.read_bytes(), canonical=False, floats=True, parse_float=float)
    except (OSError, StrictJsonError) as error:
        raise CompiledError(f"cannot read {path.name}: {error}", code="A36") from error


def path_digest(home: Path, path: str) -> str:
    """Digest of a file, or of a folder's manifest, below `home`, as a registration commits to it."""
    try:
        return DiskWorkspace(str(home)).material(path, folder=True).sha256
    except MaterialError as error:
        raise CompiledError(error.message, code="A38") from error


@dataclass(frozen=True)
class Compiled:
    """A compiled registration and the folder of the adapter, which its paths start from."""

    path: Path
    home: Path
    sha256: str
    document: dict[str, Any]

    @classmethod
    def load(cls, path: Path, home: Path) -> Compiled:
        """Read `path` strictly; the top level must have exactly the keys of schema `dcp-lang/harness/1`."""
        document = strict_json(path)
        if not isinstance(document, dict) or document.get("schema") != SCHEMA:
            raise CompiledError(f"{path.name}: schema must be `{SCHEMA}`")
        if set(document) != _KEYS:
            odd = ", ".join(sorted(set(document) ^ _KEYS))
            raise CompiledError(f"{path.name}: missing or unknown keys: {odd}")
        return cls(path, home, digest(path.read_bytes()), document)

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

    def material_path(self, role: str) -> Path:
        """Where the file or folder of a material lies; `CompiledError` for sealed material without one."""
        path: str = self.document["materials"][role].get("path", "")
        if not path:
            raise CompiledError(f'{role} has no place: write `sealed(…, at = "…")`', code="A38")
        return self.home / path

    def material_digest(self, role: str) -> str:
        """Digest of a material as it is now; `CompiledError` when it differs from the compiled one."""
        entry = self.document["materials"][role]
        if "policy" in entry:
            name = f"policy {entry['policy']}"
            found = digest(canonical_bytes(self.document["policies"][entry["policy"]]))
        else:
            name = self.material_path(role).relative_to(self.home).as_posix()
            found = path_digest(self.home, name)
        if found != entry["sha256"]:
            raise _changed(f"{role} `{name}`", found, entry["sha256"])
        return found

    def unit_ids(self) -> tuple[str, ...]:
        """The private unit ids in their registered order, from the JSON list in the `private_units`
        material."""
        ids = strict_json(self.material_path("private_units"))
        if not isinstance(ids, list) or not ids or not all(isinstance(unit, str) for unit in ids):
            raise CompiledError("private_units must be a JSON file with a list of unit ids", code="A7")
        return tuple(ids)

    def check_adapter(self) -> None:
        """Raise `CompiledError` when the adapter file is not the one that was compiled."""
        entry = self.document["adapter"]
        found = path_digest(self.home, entry["path"])
        if found != entry["sha256"]:
            raise _changed(f"adapter `{entry['path']}`", found, entry["sha256"])


def _changed(what: str, have: str, need: str) -> CompiledError:
    return CompiledError(f"{what} changed after compilation: is {have}, compiled as {need}", code="A38")
