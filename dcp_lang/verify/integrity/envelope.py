"""Core findings: attestations, bound hashes, the target and the baseline, the challenger ledger."""

from collections.abc import Iterator, Sequence

from dcp_lang.verify import digests
from dcp_lang.verify.checks import MALFORMED, duplicated, explicit
from dcp_lang.verify.integrity import attempts as records
from dcp_lang.verify.records import Attempt, Evidence, Integrity

ATTESTATIONS = (
    "registration_frozen",
    "claim_frozen",
    "provenance_pass",
    "iterative_lineage_eligible",
    "lineage_dataflow_audit_pass",
    "challenger_contract_pass",
    "private_isolation_pass",
    "symmetric_verifier_pass",
    "inference_assumptions_pass",
    "familywise_budget_audit_pass",
    "recovery_ledger_complete",
)
TARGET_HASHES = (
    "astar_hash",
    "baseline_hash",
    "verifier_hash",
    "astar_results_hash",
    "baseline_results_hash",
    "private_unit_manifest_hash",
    "private_results_manifest_hash",
    "p_hash",
    "resource_contract_hash",
    "selection_rule_hash",
    "k_manifest_hash",
    "e0_manifest_hash",
    "lineage_manifest_hash",
    "observed_web_manifest_hash",
    "challenger_policy_hash",
    "opportunity_contract_hash",
)
LEDGER_HASHES = (
    "gate2_recovery_ledger_manifest_hash",
    "claim_family_manifest_hash",
    "alpha_ledger_receipt_hash",
    "audit_slot_registry_entry_hash",
)
WEB_SCOPES = {"observed_bytes_frozen", "observed_request_response_frozen"}
_HUMAN = {"none", "operational", "fixed_scientific", "adaptive_scientific"}
_SUBJECTS = {"autonomous_agent", "agent_given_fixed_human_input", "human_agent_joint"}


def faults(evidence: Evidence, attempt_digests: Sequence[str]) -> Iterator[str]:
    """Every reason why the evidence cannot carry a Core verdict."""
    integrity = evidence.integrity
    yield from attested(integrity, ATTESTATIONS)
    if type(integrity.web_access_used) is not bool:
        yield "web_access_used must be a boolean"
    hashes = (*TARGET_HASHES, "recovery_ledger_manifest_hash", *LEDGER_HASHES)
    yield from (f"{name} missing" for name in hashes if not explicit(getattr(integrity, name)))
    if receipt_differs(evidence):
        yield "audit-slot reservation receipt differs from frozen registration"
    yield from _attribution(integrity)
    yield from _web(integrity)
    yield from _target(evidence)
    yield from records.adequacy(evidence.recovery.adequacy, "gate2.adequacy")
    for index, attempt in enumerate(evidence.recovery.controls):
        yield from records.attempt(attempt, f"gate2.controls[{index}]")
    yield from _ledger(evidence, attempt_digests)


def attested(integrity: Integrity, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        value = getattr(integrity, name)
        if type(value) is not bool:
            yield f"{name} must be a boolean"
        elif value is not True:
            yield f"{name} not attested"


def receipt_differs(evidence: Evidence) -> bool:
    receipt = evidence.integrity.alpha_ledger_receipt_hash
    return explicit(receipt) and receipt != evidence.registration.audit_slot_reservation_receipt_hash


def _attribution(integrity: Integrity) -> Iterator[str]:
    human, subject = integrity.human_assistance, integrity.attribution_subject
    if human not in _HUMAN:
        yield "human_assistance is missing or invalid"
    if subject not in _SUBJECTS:
        yield "attribution_subject is missing or invalid"
    if human == "adaptive_scientific" and subject != "human_agent_joint":
        yield "adaptive scientific assistance requires human_agent_joint attribution"
    if subject == "autonomous_agent" and human not in {"none", "operational"}:
        yield "autonomous attribution conflicts with scientific human assistance"


def _web(integrity: Integrity) -> Iterator[str]:
    used, scope = integrity.web_access_used, integrity.web_replay_scope
    if scope not in {"not_used", *WEB_SCOPES}:
        yield "web_replay_scope is missing or invalid"
    if used is True and scope == "not_used":
        yield "Web was used but no frozen replay scope was supplied"
    if used is False and scope != "not_used":
        yield "Web replay scope conflicts with web_access_used=false"


def _target(evidence: Evidence) -> Iterator[str]:
    astar, baseline = evidence.outcome
    integrity = evidence.integrity
    yield from records.artifact(astar, "A*")
    yield from records.artifact(baseline, "baseline")
    if astar.artifact_hash != integrity.astar_hash:
        yield "A* hash does not match frozen integrity envelope"
    if baseline.artifact_hash != integrity.baseline_hash:
        yield "baseline hash does not match frozen integrity envelope"
    if baseline.unit_ids != astar.unit_ids:
        yield "baseline and A* private-unit manifests differ"
    texts = {
        "private_unit_manifest_hash": "private-unit manifest hash mismatch",
        "astar_results_hash": "A* verifier-result hash mismatch",
        "baseline_results_hash": "baseline verifier-result hash mismatch",
        "private_results_manifest_hash": "private-results manifest hash mismatch",
    }
    yield from target_mismatches(evidence, texts, "private-result hashes could not be recomputed")


def target_mismatches(evidence: Evidence, texts: dict[str, str], malformed: str) -> Iterator[str]:
    """The text of each hash in the envelope that the target's and the baseline's results do not give."""
    (astar, baseline), integrity = evidence.outcome, evidence.integrity
    try:
        found = {
            "private_unit_manifest_hash": digests.unit_manifest(astar.unit_ids),
            "astar_results_hash": digests.artifact_results(astar),
            "baseline_results_hash": digests.artifact_results(baseline),
            "private_results_manifest_hash": digests.private_results_manifest(
                astar, baseline, integrity.verifier_hash
            ),
        }
    except MALFORMED:
        yield malformed
        return
    for name, text in texts.items():
        if found[name] != getattr(integrity, name):
            yield text


def _ledger(evidence: Evidence, attempt_digests: Sequence[str]) -> Iterator[str]:
    reg, controls = evidence.registration, evidence.recovery.controls
    if duplicated([attempt.attempt_id for attempt in controls]):
        yield "control attempt ids are duplicated"
    if duplicated([attempt.prestart_contract_receipt_hash for attempt in controls]):
        yield "control prestart contract receipts are duplicated"
    yield from _draws(controls)
    matched = any(attempt.scope_contract_hash == reg.gate2_control_contract_hash for attempt in controls)
    if evidence.recovery.adequacy.matched_model_present is False and matched:
        yield "gate2 adequacy contradicts candidate-level matched contract receipts"
    if isinstance(reg.m_max, int) and len(controls) > reg.m_max:
        yield f"main candidate slots {len(controls)} exceed registered M_max={reg.m_max}"
    if len(attempt_digests) != len(controls):
        yield "recovery-ledger manifest hash could not be recomputed"
    elif digests.recovery_ledger(attempt_digests) != evidence.integrity.gate2_recovery_ledger_manifest_hash:
        yield "Gate-2 recovery-ledger manifest hash mismatch"


def _draws(controls: Sequence[Attempt]) -> Iterator[str]:
    """One draw receipt per episode and one episode per receipt; several candidates may share both."""
    draw_of: dict[str, str] = {}
    episode_of: dict[str, str] = {}
    for attempt in controls:
        episode, draw = attempt.independent_unit_id, attempt.independent_draw_receipt_hash
        if draw_of.get(episode, draw) != draw:
            yield "one independent episode maps to multiple draw receipts"
        if episode_of.get(draw, episode) != episode:
            yield "one draw receipt is reused across independent episodes"
        draw_of[episode], episode_of[draw] = draw, episode
