"""The manifest of a bundle: which files it must hold, and that they hold exactly the bytes it names.

Two profiles exist and never change into one another: the Core profile (Gates 1 and 2) and full_audit_v1 (Gate
3 too). Everything here is read from disk once; later passes work on the bytes that were hashed.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dcp_lang.verify.wire import BundleFault, read_json

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_ENTRY_KEYS = {"path", "schema", "media_type", "content_digest", "size_bytes"}


class Profile(NamedTuple):
    """One interchange format: the fixed values of its manifest and its payload schemas by name."""

    name: str
    fixed: Mapping[str, Any]
    schemas: Mapping[str, str]

    def path(self, payload: str) -> str:
        return f"payload/{payload}.json"


def _profile(name: str, kind: str, payloads: tuple[str, ...], **fixed: str) -> Profile:
    local = {
        "format_version": "1.0",
        "hash_algorithm": "sha256",
        "provenance_scope": "local_content_addressed_only",
        "formal_certificate_issued": False,
    }
    evidence = {payload: f"dcp.{kind}.{payload}-evidence.v1" for payload in payloads}
    schemas = {
        "registration": f"dcp.{kind}.registration.v1",
        **evidence,
        "certificate": f"dcp.{kind}.kernel-decision-record.v1",
    }
    return Profile(name, {**fixed, **local}, schemas)


CORE = _profile("core", "core", ("integrity", "gate1", "gate2"), format="dcp-core-evidence-bundle")
FULL = _profile(
    "full_audit_v1",
    "full-audit",
    ("integrity", "gate1", "gate2", "gate3"),
    format="dcp-audit-bundle",
    profile="full_audit_v1",
)


class Sealed(NamedTuple):
    """A bundle whose manifest and payload bytes agree."""

    profile: Profile
    bundle_id: str
    payloads: Mapping[str, bytes]
    unlisted: tuple[str, ...]


def open_bundle(root: Path) -> Sealed:
    """Read and hash every file of the bundle folder `root`.

    Raises:
        BundleFault: the manifest, the set of files or a payload is not what the profile and the digests
            demand.
    """
    manifest = _manifest(root)
    profile = _profile_of(manifest)
    _check_manifest(manifest, profile)
    unlisted = _check_files(root, profile)
    payloads = {name: _payload(root, profile, name, manifest["payloads"][name]) for name in profile.schemas}
    return Sealed(profile, manifest["bundle_id"], payloads, unlisted)


def _manifest(root: Path) -> dict[str, Any]:
    try:
        value = read_json((root / "manifest.json").read_bytes(), "manifest.json")
    except OSError as error:
        raise BundleFault(f"manifest.json cannot be read: {error.strerror}") from error
    if not isinstance(value, dict):
        raise BundleFault("manifest must be a JSON object")
    return value


def _profile_of(manifest: Mapping[str, Any]) -> Profile:
    for profile in (CORE, FULL):
        if manifest.get("format") == profile.fixed["format"]:
            return profile
    raise BundleFault(f"unsupported bundle format: {manifest.get('format')!r}")


def _check_manifest(manifest: Mapping[str, Any], profile: Profile) -> None:
    if set(manifest) != {*profile.fixed, "payloads", "bundle_id"}:
        raise BundleFault(f"manifest keys {sorted(manifest)} are not those of profile {profile.name}")
    for key, value in profile.fixed.items():
        if manifest[key] != value or type(manifest[key]) is not type(value):
            raise BundleFault(f"manifest {key} is {manifest[key]!r}, not {value!r}")
    payloads = manifest["payloads"]
    if not isinstance(payloads, dict) or set(payloads) != set(profile.schemas):
        raise BundleFault(f"manifest payloads must be exactly {', '.join(sorted(profile.schemas))}")
    for name, schema in profile.schemas.items():
        _check_entry(name, payloads[name], profile.path(name), schema)
    identity = {key: value for key, value in manifest.items() if key != "bundle_id"}
    if manifest["bundle_id"] != _digest(_manifest_bytes(identity)):
        raise BundleFault("bundle_id does not match the manifest payload table")


def _check_entry(name: str, entry: Any, path: str, schema: str) -> None:
    if not isinstance(entry, dict) or set(entry) != _ENTRY_KEYS:
        raise BundleFault(f"manifest payload {name} must have exactly {', '.join(sorted(_ENTRY_KEYS))}")
    size, digest = entry["size_bytes"], entry["content_digest"]
    demands = {"path": path, "schema": schema, "media_type": "application/json"}
    for key, value in demands.items():
        if entry[key] != value:
            raise BundleFault(f"manifest payload {name} has {key} {entry[key]!r}, not {value!r}")
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise BundleFault(f"manifest payload {name} has no canonical SHA-256 digest")
    if type(size) is not int or size < 0:
        raise BundleFault(f"manifest payload {name} has invalid size_bytes")


def _check_files(root: Path, profile: Profile) -> tuple[str, ...]:
    """The files beside the manifest that the Core profile leaves unhashed; full_audit_v1 allows none."""
    if profile is FULL and root.is_symlink():
        raise BundleFault("bundle directory cannot be a symbolic link")
    expected = {profile.path(name) for name in profile.schemas}
    listed, unlisted = set(), []
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        covered = profile is FULL or name.startswith("payload/")
        if covered and path.is_symlink():
            raise BundleFault(f"symbolic links are not allowed: {name}")
        if path.is_file() and name != "manifest.json":
            listed.add(name) if covered else unlisted.append(name)
    if listed != expected:
        missing, extra = sorted(expected - listed), sorted(listed - expected)
        raise BundleFault(f"file set mismatch: missing={missing}, extra={extra}")
    return tuple(sorted(unlisted))


def _payload(root: Path, profile: Profile, name: str, entry: Mapping[str, Any]) -> bytes:
    try:
        data = (root / profile.path(name)).read_bytes()
    except OSError as error:
        raise BundleFault(f"cannot read payload {name}: {error.strerror}") from error
    if _digest(data) != entry["content_digest"] or len(data) != entry["size_bytes"]:
        raise BundleFault(f"payload digest or size mismatch: {name}")
    return data


def _manifest_bytes(value: Mapping[str, Any]) -> bytes:
    # The peer's own spelling (sorted keys by code point, a final newline), not RFC 8785.
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return (text + "\n").encode()


def _digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()
