"""Every reference bundle: same verdicts, classes, reasons and exit code as dcp-audit 0.4.2 gave."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from dcp_lang.canonical import canonical_bytes
from dcp_lang.verify.decision import DecisionRecord, decide

#: Faulty bundles that the peer certifies, and the concern that names the fault.
CERTIFIED_GAPS = {
    "b06_extra_root_file_core": "unlisted-file",
    "s09_pretty_printed": "non-canonical-payload",
    "j07_missing_rho_defaulted": "defaulted-field",
    "r04_global_ledger_hash_core": "unbound-ledger",
    "r35_same_hash_as_astar": "one-artifact-two-results",
    "r36_same_hash_two_scores": "one-artifact-two-results",
    "r37_baseline_is_astar": "one-artifact-two-results",
    "r38_one_private_unit": "single-private-unit",
    "r40_last_six_omitted": "unregistered-count",
    "g11_interface_hash__x___no_forma": "not-a-digest",
}


@pytest.fixture(scope="session")
def bundles(oracle: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, dict[str, Any]]]:
    """Bundle name to (folder, the peer's expected report); runs end to end are unpacked first."""
    unpacked = tmp_path_factory.mktemp("harness")
    found = {}
    for expected in sorted((oracle / "bundles").glob("*/*.expected.json")):
        name = expected.name.removesuffix(".expected.json")
        folder = expected.with_name(name)
        archive = expected.with_name(f"{name}.tar.gz")
        if archive.is_file():
            with tarfile.open(archive) as packed:
                packed.extractall(unpacked / name, filter="data")
            folder, name = unpacked / name / "bundle", f"harness/{name}"
        if folder.is_dir():
            found[name] = folder, json.loads(expected.read_bytes())
    assert len(found) > 100
    return found


@pytest.fixture(scope="session")
def records(bundles: dict[str, tuple[Path, dict[str, Any]]]) -> dict[str, DecisionRecord]:
    return {name: decide(folder) for name, (folder, _) in bundles.items()}


def test_verdicts_reasons_and_exit_codes_are_the_peers(
    bundles: dict[str, tuple[Path, dict[str, Any]]], records: dict[str, DecisionRecord]
) -> None:
    for name, (_, expected) in bundles.items():
        report = expected.get("report", expected)
        verdict = report["replayed_verdict"] or {}
        keys = ("core", "core_inconclusive_class", "evidence", "evidence_inconclusive_class", "reason")
        decision = records[name].as_json()["decision"]
        ours = [decision[key] for key in ("core", "core_class", "evidence", "evidence_class", "reason")]
        assert (name, ours) == (name, [verdict.get(key) for key in keys])
        assert (name, decision["replayed"]) == (name, report["ok"])
        assert (name, records[name].exit_code) == (name, 0 if report["ok"] else 1)


def test_no_reference_bundle_lies_on_a_boundary(records: dict[str, DecisionRecord]) -> None:
    assert [name for name, record in records.items() if record.boundaries] == []


def test_gaps_of_the_peer_are_named_as_concerns(records: dict[str, DecisionRecord]) -> None:
    sound = {concern.code for concern in records["base_core"].concerns}
    present = CERTIFIED_GAPS.keys() & records.keys()
    assert len(present) >= 8
    for name in present:
        codes = {concern.code for concern in records[name].concerns}
        assert CERTIFIED_GAPS[name] in codes, name
        assert records[name].core is not None and records[name].core.verdict == "certified"
    assert sound == {"not-a-digest", "unregistered-count"}
    loose = {c.code: c.message for c in records["g11_interface_hash__x___no_forma"].concerns}["not-a-digest"]
    assert "interface_hash" in loose
    assert "interface_hash" not in {c.code: c.message for c in records["base_core"].concerns}["not-a-digest"]


def test_every_record_has_a_canonical_form_of_its_schema(records: dict[str, DecisionRecord]) -> None:
    from jsonschema import Draft202012Validator

    from dcp_lang.verify.report import decision_schema

    validator = Draft202012Validator(decision_schema())
    for name, record in records.items():
        data = record.as_json()
        assert canonical_bytes(data) == canonical_bytes(json.loads(canonical_bytes(data)))
        assert [error.message for error in validator.iter_errors(data)] == [], name
