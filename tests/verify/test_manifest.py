"""Bundles that are not what they say: every byte, name and key counts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dcp.bundle import verify_bundle
from peer_audits import Shape, core_audit, full_audit
from peer_bundles import reseal_manifest, rewrite, write

from dcp_lang.verify.decision import decide

SMALL = Shape((0.9,), (0.2,), ((0.4,),) * 3, (2, 2), (True,) * 2, (False,) * 2, ((1.0, 1.0),) * 2)


@pytest.fixture(params=["core", "full"])
def bundle(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    write(tmp_path / "b", core_audit(SMALL) if request.param == "core" else full_audit(SMALL))
    return tmp_path / "b"


def refused(folder: Path) -> str:
    """The one fault of a bundle that neither the peer nor we read."""
    record = decide(folder)
    assert record.exit_code == 1 and record.outcome == "unreadable" and record.core is None
    assert verify_bundle(folder)["ok"] is False
    (fault,) = record.replay.faults
    return fault


def test_every_payload_byte_counts(bundle: Path) -> None:
    for path in sorted((bundle / "payload").iterdir()):
        data = path.read_bytes()
        for index in range(0, len(data), max(1, len(data) // 7)):
            path.write_bytes(data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :])
            assert decide(bundle).replay.faults == (f"payload digest or size mismatch: {path.stem}",)
        path.write_bytes(data)
    assert decide(bundle).exit_code == 0


def edit(bundle: Path, change: Callable[[dict[str, Any]], None], reseal: bool = True) -> None:
    manifest = json.loads((bundle / "manifest.json").read_bytes())
    change(manifest)
    if reseal:
        reseal_manifest(bundle, manifest)
    else:
        (bundle / "manifest.json").write_text(json.dumps(manifest))


MANIFESTS: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda m: m.update(format="dcp-other"), "unsupported bundle format"),
    (lambda m: m.update(format_version="2.0"), "format_version"),
    (lambda m: m.update(formal_certificate_issued=True), "formal_certificate_issued"),
    (lambda m: m.update(formal_certificate_issued=0), "formal_certificate_issued"),
    (lambda m: m.update(comment=""), "manifest keys"),
    (lambda m: m.pop("hash_algorithm"), "manifest keys"),
    (lambda m: m["payloads"].pop("gate1"), "manifest payloads must be exactly"),
    (lambda m: m["payloads"]["gate1"].update(path="payload/../gate1.json"), "has path"),
    (lambda m: m["payloads"]["gate1"].update(schema="other"), "has schema"),
    (lambda m: m["payloads"]["gate1"].update(media_type="text/plain"), "has media_type"),
    (lambda m: m["payloads"]["gate1"].update(content_digest="sha256:" + "A" * 64), "canonical SHA-256"),
    (lambda m: m["payloads"]["gate1"].update(size_bytes=True), "invalid size_bytes"),
    (lambda m: m["payloads"]["gate1"].update(note=""), "must have exactly"),
    (lambda m: m["payloads"]["gate1"].update(size_bytes=1), "payload digest or size mismatch: gate1"),
]


@pytest.mark.parametrize(("change", "fault"), MANIFESTS)
def test_a_resealed_manifest_must_still_be_the_profiles(
    bundle: Path, change: Callable[[dict[str, Any]], None], fault: str
) -> None:
    edit(bundle, change)
    assert fault in refused(bundle)


def test_the_bundle_id_covers_the_manifest(bundle: Path) -> None:
    edit(bundle, lambda m: m["payloads"]["gate1"].update(size_bytes=1), reseal=False)
    assert refused(bundle) == "bundle_id does not match the manifest payload table"


def test_files_and_links_beside_the_payloads(bundle: Path) -> None:
    extra = bundle / "payload" / "extra.json"
    extra.write_text("{}")
    assert "extra.json" in refused(bundle)
    extra.unlink()
    os.symlink(bundle / "payload" / "gate1.json", extra)
    assert "symbolic links" in refused(bundle)
    extra.unlink()
    (bundle / "payload" / "gate2.json").unlink()
    assert "missing=['payload/gate2.json']" in refused(bundle)


def test_no_manifest_and_no_json(bundle: Path) -> None:
    manifest = bundle / "manifest.json"
    manifest.write_text("[]")
    assert refused(bundle) == "manifest must be a JSON object"
    manifest.unlink()
    assert "cannot be read" in refused(bundle)


PAYLOADS = [
    (b'{"a":1,"a":2}', "duplicate object key 'a'"),
    (b'{"astar":NaN}', "NaN is not finite"),
    (b"\xff\xfe", "not UTF-8"),
    (b"[]", "gate1 must be a JSON object"),
    (b"{}", "gate1 lacks required fields: ['astar', 'baseline']"),
    (b'{"astar":{},"baseline":{},"more":1}', "gate1 has unknown fields: ['more']"),
]


@pytest.mark.parametrize(("data", "fault"), PAYLOADS)
def test_a_payload_must_be_strict_json_of_its_record(bundle: Path, data: bytes, fault: str) -> None:
    rewrite(bundle, "gate1", data)
    assert fault in refused(bundle)


def test_deep_nesting_and_infinite_numbers_are_refused(bundle: Path) -> None:
    # dcp-audit 0.4.2 ends the first in a RecursionError and reads 1e999 as infinity.
    rewrite(bundle, "gate1", b"[" * 100_000)
    assert "nested too deeply" in decide(bundle).replay.faults[0]
    rewrite(bundle, "gate1", b'{"astar":1e999}')
    assert "1e999 is not finite" in decide(bundle).replay.faults[0]


def test_unknown_enumeration_values_and_formal_certificates_are_refused(bundle: Path) -> None:
    gate1 = json.loads((bundle / "payload" / "gate1.json").read_bytes())
    gate1["astar"]["validity"] = "maybe"
    rewrite(bundle, "gate1", json.dumps(gate1).encode())
    assert "gate1.astar.validity is 'maybe'" in refused(bundle)


def test_a_local_certificate_may_not_be_formal(bundle: Path) -> None:
    saved = json.loads((bundle / "payload" / "certificate.json").read_bytes())
    saved["protocol"]["formal_certificate_issued"] = True
    rewrite(bundle, "certificate", json.dumps(saved).encode())
    assert "formal_certificate_issued" in refused(bundle)
