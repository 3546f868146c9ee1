"""Bundles by the peer's own writer, and honest digests over payloads that were changed afterwards."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import dcp
from dcp.bundle import write_core_bundle, write_full_audit_bundle
from peer_audits import Parts


def write(folder: Path, parts: Parts) -> dict[str, Any]:
    """Write the bundle with the peer's writer and return the certificate that the peer gave."""
    certificate = dcp.evaluate(parts.reg, parts.g1, parts.g2, parts.g3, integrity=parts.integrity)
    if parts.g3 is None:
        write_core_bundle(folder, parts.reg, parts.integrity, parts.g1, parts.g2, certificate)
    else:
        write_full_audit_bundle(folder, parts.reg, parts.integrity, parts.g1, parts.g2, parts.g3, certificate)
    result: dict[str, Any] = certificate.to_dict()
    return result


def rewrite(folder: Path, payload: str, data: bytes) -> None:
    """Put other bytes into one payload, with honest digests in the manifest."""
    path = folder / "payload" / f"{payload}.json"
    path.write_bytes(data)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    entry = manifest["payloads"][payload]
    entry["content_digest"], entry["size_bytes"] = "sha256:" + hashlib.sha256(data).hexdigest(), len(data)
    reseal_manifest(folder, manifest)


def reseal_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    identity = {key: value for key, value in manifest.items() if key != "bundle_id"}
    bundle_id = "sha256:" + hashlib.sha256(spelled(identity)).hexdigest()
    (folder / "manifest.json").write_bytes(spelled({**identity, "bundle_id": bundle_id}))


def spelled(value: Any) -> bytes:
    """JSON as the peer spells it."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
    return text.encode()
