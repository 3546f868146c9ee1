"""Doubts that the kernel has no rule for: it certifies each of these bundles, and the record names the doubt."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from peer_audits import Parts, Shape, core_audit, full_audit, reseal
from peer_bundles import reseal_manifest, rewrite, spelled, write

from dcp_lang.verify import concerns
from dcp_lang.verify.decision import decide


def codes(folder: Path) -> dict[str, str]:
    """Concern code to message, of a bundle that is certified all the same."""
    record = decide(folder)
    assert record.core is not None and record.core.verdict == "certified" and record.exit_code == 0
    return {concern.code: concern.message for concern in record.concerns}


COUNTED = {"dcp_lang": {"challengers": 77, "positive_controls": 45}}


def test_a_registered_and_sealed_audit_raises_no_doubt(tmp_path: Path) -> None:
    write(tmp_path, full_audit(notes=COUNTED))
    assert codes(tmp_path) == {}


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ({}, {"unregistered-count"}),
        ({"dcp_lang": {"challengers": 96, "positive_controls": 45}}, {"count-differs"}),
        ({"dcp_lang": {"challengers": 77}}, {"unregistered-count"}),
        ({"dcp_lang": "text"}, {"unregistered-count"}),
    ],
)
def test_disclosed_counts_against_registered_ones(notes: Any, expected: set[str], tmp_path: Path) -> None:
    write(tmp_path, core_audit(notes=notes))
    assert codes(tmp_path).keys() == expected


def with_scores(parts: Parts, index: int, artifact: str) -> Parts:
    controls = list(parts.g2.controls)
    controls[index] = replace(controls[index], artifact_hash=artifact, per_unit=(0.1, 0.1))
    return reseal(parts._replace(g2=replace(parts.g2, controls=tuple(controls))))


def test_one_artifact_with_two_results(tmp_path: Path) -> None:
    parts = core_audit(notes=COUNTED)
    write(tmp_path / "target", with_scores(parts, 5, parts.g1.astar.artifact_hash))
    assert codes(tmp_path / "target") == {
        "one-artifact-two-results": "A* and challenger c5 have one artifact hash and different scores"
    }
    write(tmp_path / "pair", with_scores(parts, 5, parts.g2.controls[0].artifact_hash))
    assert "challenger c0 and challenger c5" in codes(tmp_path / "pair")["one-artifact-two-results"]
    baseline = replace(parts.g1.baseline, artifact_hash=parts.g1.astar.artifact_hash)
    write(tmp_path / "baseline", reseal(parts._replace(g1=replace(parts.g1, baseline=baseline))))
    assert "A* and the baseline" in codes(tmp_path / "baseline")["one-artifact-two-results"]


def test_an_unbound_ledger_and_a_loose_hash(tmp_path: Path) -> None:
    parts = core_audit(notes=COUNTED, interface_hash="x")
    integrity = replace(parts.integrity, recovery_ledger_manifest_hash="0" * 64)
    write(tmp_path, parts._replace(integrity=integrity))
    assert codes(tmp_path) == {
        "unbound-ledger": "recovery_ledger_manifest_hash is not the hash of the disclosed ledger",
        "not-a-digest": "no SHA-256 digest in interface_hash: such a value commits to nothing",
    }


def test_files_and_spellings_that_no_digest_covers(tmp_path: Path) -> None:
    write(tmp_path, core_audit(notes=COUNTED))
    (tmp_path / "note.txt").write_text("")
    gate1 = json.loads((tmp_path / "payload" / "gate1.json").read_bytes())
    rewrite(tmp_path, "gate1", json.dumps(gate1, indent=1).encode())
    assert codes(tmp_path) == {
        "unlisted-file": "no digest covers note.txt",
        "non-canonical-payload": "gate1.json is not in the format's one spelling",
    }


def test_a_field_that_is_left_to_a_default(tmp_path: Path) -> None:
    write(tmp_path, core_audit(notes=COUNTED))
    registration = json.loads((tmp_path / "payload" / "registration.json").read_bytes())
    del registration["rho"]
    rewrite(tmp_path, "registration", spelled(registration))
    assert codes(tmp_path) == {"defaulted-field": "the registration leaves rho to the kernel's defaults"}


def test_a_single_private_unit(tmp_path: Path) -> None:
    write(tmp_path, core_audit(Shape((0.9,), (0.2,), ((0.4,),) * 77), notes=COUNTED))
    assert codes(tmp_path) == {"single-private-unit": "one private unit carries every score"}


def test_the_manifest_helper_is_honest(tmp_path: Path) -> None:
    write(tmp_path, core_audit())
    before = (tmp_path / "manifest.json").read_bytes()
    reseal_manifest(tmp_path, json.loads(before))
    assert (tmp_path / "manifest.json").read_bytes() == before


def test_the_guide_lists_every_doubt() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "decision.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \|", guide, re.MULTILINE)
    raised = set(re.findall(r'Concern\(\s*"([a-z-]+)"', Path(concerns.__file__).read_text(encoding="utf-8")))
    assert listed == sorted(raised) and len(raised) == 10
