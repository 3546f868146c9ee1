"""From logs to a bundle of dcp-audit, written by its own writer, and a statement of what was seen on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dcp.facade import AuditRecord
from dcp.facade import audit as decide
from dcp.integrity import recovery_ledger_manifest_hash
from dcp.registration import Registration, validate_registration

from dcp_lang.integrations.compiled import CompiledError, strict_json
from dcp_lang.integrations.inspect_ai.attestation import attested
from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.inspect_ai.evidence import gate1, gate2, integrity
from dcp_lang.integrations.inspect_ai.logs import settings
from dcp_lang.integrations.inspect_ai.pairs import gate3, sealed_pairs
from dcp_lang.integrations.inspect_ai.results import Results
from dcp_lang.integrations.inspect_ai.scorer import check_noted_logs

DISCLOSURE = "dcp-lang/inspect-disclosure/1"


def write_bundle(audit: Audit, out: Path) -> AuditRecord:
    """Write `out/bundle` and `out/disclosure.json`; the decision.

    Raises `LogError` where the logs are not exactly the registered audit, and `CompiledError` when the kernel refuses
    the registration or the main run left no artifact.
    """
    if out.exists() and any(out.iterdir()):
        raise CompiledError(f"{out} is not empty: choose a new folder")
    check_noted_logs(audit)
    results = Results(audit)
    attestations, failed = attested(results)
    registration = _registration(audit)
    outcome, recovery = gate1(results), gate2(results, registration, attestations)
    envelope = integrity(results, registration, attestations, outcome)
    feedback = (
        gate3(results, registration, attestations, recovery.adequacy, envelope)
        if audit.plan.evidence
        else None
    )
    envelope.recovery_ledger_manifest_hash = recovery_ledger_manifest_hash(recovery.controls, feedback)
    envelope.gate2_recovery_ledger_manifest_hash = recovery_ledger_manifest_hash(recovery.controls)
    if feedback is not None:
        sealed_pairs(envelope, feedback)
    record = decide(
        registration=registration,
        outcome=outcome,
        challenge=recovery,
        integrity=envelope,
        feedback=feedback,
        bundle_dir=out / "bundle",
    )
    text = json.dumps(disclosure(results, failed), indent=1, sort_keys=True, ensure_ascii=False)
    (out / "disclosure.json").write_text(text + "\n", encoding="utf-8")
    return record


def _registration(audit: Audit) -> Registration:
    """The kernel's registration, every field as compiled."""
    registration = Registration(**audit.plan.document["kernel"])
    errors = validate_registration(registration)
    if errors:
        raise CompiledError("the kernel refuses the registration: " + "; ".join(errors), code="A1")
    return registration


def disclosure(results: Results, failed: dict[str, list[str]]) -> dict[str, Any]:
    """What a reader must know beside the bundle: every irregular episode, every failed check, every limitation."""
    audit = results.audit
    irregular = {row.name: row.found.disclosures for row in results.rows if row.found.disclosures}
    outcomes = {row.name: row.evaluation["outcome"] for row in results.rows if row.name in irregular}
    return {
        "schema": DISCLOSURE,
        "registration": audit.plan.registration,
        "opened": audit.seal,
        "ledger": {"events": len(audit.ledger.events()), "faults": audit.ledger.faults()},
        "episodes": len(results.rows),
        "irregular": {name: {"outcome": outcomes[name], "what": lines} for name, lines in irregular.items()},
        "provenance_faults": results.provenance_faults(),
        "attestations_withdrawn": failed,
        "settings": settings(audit),
        "target": strict_json(audit.home / "targets.json")["targets"]["inspect"],
    }
