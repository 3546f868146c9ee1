"""Differential tests against dcp-audit on bundles that its own writer makes: generated, damaged, and forged.

`DCP_PEER_CASES` sets how many random audits are tried (200 by default; bench/verify.py runs thousands).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from dcp.bundle import BundleError, verify_bundle
from peer_audits import Shape, core_audit, full_audit
from peer_bundles import rewrite, spelled, write
from peer_mutations import random_audit

from dcp_lang.canonical import canonical_bytes
from dcp_lang.verify.decision import DecisionRecord, decide
from dcp_lang.verify.replay import differences

CASES = int(os.environ.get("DCP_PEER_CASES", "200"))
CHUNK = 50
KEYS = ("core", "core_inconclusive_class", "evidence", "evidence_inconclusive_class")

#: What the peer's writer raises for evidence that no bundle can hold.
REFUSED = (BundleError, OverflowError, TypeError, ValueError, AttributeError, KeyError)


def compare(folder: Path, certificate: dict[str, Any]) -> DecisionRecord:
    """Our record of a bundle, held to the peer's verdict and to its replay."""
    record = decide(folder)
    report = verify_bundle(folder)
    canonical_bytes(record.as_json())
    assert record.exit_code == (0 if report["ok"] else 1), (report["errors"], record.replay)
    if not report["ok"]:
        return record
    expected = tuple(certificate["verdict"][key] for key in KEYS)
    core, evidence = record.kernel or (record.core, record.evidence)
    assert core is not None and evidence is not None
    assert (core.verdict, core.missing, evidence.verdict, evidence.missing) == expected
    if not record.boundaries:
        assert record.reason == certificate["verdict"]["reason"]
    return record


@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_random_audits_get_the_peers_verdict(first: int, tmp_path: Path) -> None:
    decided = 0
    seeds = range(first, min(first + CHUNK, CASES))
    for seed in seeds:
        folder = tmp_path / str(seed)
        try:
            certificate = write(folder, random_audit(Random(seed)))
        except REFUSED:
            continue
        compare(folder, certificate)
        decided += 1
    assert decided > len(seeds) // 2


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from leaves(item, (*path, key))
    if not isinstance(value, dict | list):
        yield path


def changed(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool) or value is None:
        return value is None or not value
    return value + 1 if isinstance(value, int) else value + 1e-6 if isinstance(value, float) else value + "x"


def put(value: Any, path: tuple[Any, ...], leaf: Any) -> None:
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = leaf


def test_no_value_of_a_certificate_can_be_changed(tmp_path: Path) -> None:
    shape = Shape((0.9,), (0.2,), ((0.4,),) * 77)
    saved = write(tmp_path, full_audit(shape))
    places = list(leaves(saved))
    # One attempt and one pair stand for their equals: the others only differ in their names.
    kept = [place for place in places if not any(isinstance(key, int) and key > 0 for key in place)]
    assert len(kept) > 300
    for place in kept:
        forged = json.loads(json.dumps(saved))
        put(forged, place, changed(_at(saved, place)))
        assert list(differences(forged, saved)) == ["/" + "/".join(map(str, place))]


def _at(value: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        value = value[key]
    return value


@pytest.mark.parametrize("seed", range(12))
def test_a_forged_certificate_does_not_replay(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    saved = write(tmp_path, (full_audit if seed % 2 else core_audit)())
    place = rng.choice([p for p in leaves(saved) if p[-1] != "formal_certificate_issued"])
    put(saved, place, changed(_at(saved, place)))
    rewrite(tmp_path, "certificate", spelled(saved))
    record = compare(tmp_path, saved)
    assert record.exit_code == 1 and record.replay.differences and not record.replay.faults


def test_the_last_bits_of_a_double_may_differ(tmp_path: Path) -> None:
    """Python 3.12 and later sum floats otherwise, and quantiles differ between versions of scipy."""
    saved = write(tmp_path, core_audit())
    lower = saved["no_feedback_recovery"]["positive_control"]["lcb"]
    saved["no_feedback_recovery"]["positive_control"]["lcb"] = lower * (1 + 2**-50)
    rewrite(tmp_path, "certificate", spelled(saved))
    assert verify_bundle(tmp_path)["ok"] is False
    assert decide(tmp_path).exit_code == 0
