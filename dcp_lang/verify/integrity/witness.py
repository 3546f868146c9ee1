"""Which candidates may witness a recovery, however broken the rest of the record is.

A concrete recovery refutes Core; a defect in another slot cannot erase it. So these checks ask of a candidate
only what binds it: the target, the verifier, the score-test budget, and its own record.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from dcp_lang.verify import digests
from dcp_lang.verify.checks import MALFORMED, explicit, integer
from dcp_lang.verify.integrity import attempts as records
from dcp_lang.verify.integrity import branches, contracts, envelope
from dcp_lang.verify.records import ARTIFACT, VALID, Attempt, Evidence, Feedback, FeedbackPair
from dcp_lang.verify.replacements import feedback_ledger

Candidates = tuple[list[str], tuple[int, ...]]

_ATTESTATIONS = (
    "registration_frozen",
    "claim_frozen",
    "iterative_lineage_eligible",
    "lineage_dataflow_audit_pass",
    "symmetric_verifier_pass",
    "familywise_budget_audit_pass",
)
NEUTRAL_SCOPE = (
    "neutral_model_id",
    "neutral_interface_hash",
    "neutral_resource_contract_hash",
    "neutral_k_manifest_hash",
    "neutral_e0_manifest_hash",
    "neutral_web_manifest_hash",
    "neutral_opportunity_contract_hash",
    "neutral_challenger_policy_hash",
)
_NEUTRAL_HASHES = (
    "checkpoint_hash",
    "window_hash",
    "paired_arm_contract_hash",
    "neutral_arm_contract_hash",
    "neutral_recovery_contract_hash",
    "neutral_sham_generator_hash",
    "contract_preseal_receipt_hash",
    "neutral_scope_audit_manifest_hash",
    *NEUTRAL_SCOPE,
)


def gate2(evidence: Evidence, attempt_digests: Sequence[str]) -> Candidates:
    """Why no challenger attempt can witness a recovery, else the indices of those that can."""
    faults = list(_target(evidence))
    if not faults:
        faults = list(_ledger(evidence, attempt_digests))
    return (faults, ()) if faults else ([], tuple(_whole_attempts(evidence)))


def _target(evidence: Evidence) -> Iterator[str]:
    integrity, (astar, baseline) = evidence.integrity, evidence.outcome
    if evidence.recovery.adequacy.matched_model_present is not True:
        yield "no matched model/interface attestation"
    yield from envelope.attested(integrity, _ATTESTATIONS)
    hashes = (*envelope.TARGET_HASHES, *envelope.LEDGER_HASHES)
    yield from (f"{name} missing" for name in hashes if not explicit(getattr(integrity, name)))
    if envelope.receipt_differs(evidence):
        yield "audit-slot receipt differs from registration"
    replayed = {True: envelope.WEB_SCOPES, False: {"not_used"}}
    if type(integrity.web_access_used) is not bool:
        yield "web_access_used must be a boolean"
    elif integrity.web_replay_scope not in replayed[integrity.web_access_used]:
        yield "Web replay scope is missing or inconsistent"
    yield from records.artifact(astar, "A*")
    yield from records.artifact(baseline, "baseline")
    if (astar.artifact_hash, baseline.artifact_hash) != (integrity.astar_hash, integrity.baseline_hash):
        yield "artifact hashes differ from the envelope"
    if baseline.unit_ids != astar.unit_ids:
        yield "target manifests differ"
    hashes_of_results = (
        "private_unit_manifest_hash",
        *envelope.TARGET_HASHES[3:5],
        "private_results_manifest_hash",
    )
    texts = {name: f"{name} mismatch" for name in hashes_of_results}
    yield from envelope.target_mismatches(evidence, texts, "target hashes could not be recomputed")


def _ledger(evidence: Evidence, attempt_digests: Sequence[str]) -> Iterator[str]:
    controls, m_max = evidence.recovery.controls, evidence.registration.m_max
    if len(attempt_digests) != len(controls):
        yield "ledger hash could not be recomputed"
    elif digests.recovery_ledger(attempt_digests) != evidence.integrity.gate2_recovery_ledger_manifest_hash:
        yield "ledger is not bound by integrity"
    if isinstance(m_max, int) and len(controls) > m_max:
        yield "ledger exceeds the registered candidate cap"


def _whole_attempts(evidence: Evidence) -> Iterator[int]:
    reg, controls = evidence.registration, evidence.recovery.controls
    unique = ("attempt_id", "prestart_contract_receipt_hash", "independent_draw_receipt_hash")
    counts = {name: Counter(getattr(attempt, name) for attempt in controls) for name in unique}
    registered = (reg.recovery_stratum, reg.gate2_control_contract_hash, reg.challenge_distribution_hash)
    for index, attempt in enumerate(controls):
        if not _scored(attempt) or any(records.attempt(attempt, "")):
            continue
        scope = (attempt.stratum, attempt.scope_contract_hash, attempt.challenge_distribution_hash)
        alone = all(counts[name][getattr(attempt, name)] == 1 for name in unique)
        if alone and scope == registered and attempt.unit_ids == evidence.outcome.astar.unit_ids:
            yield index


def _scored(attempt: Attempt) -> bool:
    return attempt.outcome == ARTIFACT and attempt.validity == VALID and attempt.per_unit is not None


def neutral(evidence: Evidence, study: Feedback) -> Candidates:
    """Findings on the neutral branches as candidates, and the pairs that may witness a recovery."""
    shared = [*_neutral_contract(evidence, study), *_neutral_seal(evidence, study)]
    local = {
        index: list(_neutral_pair(evidence, pair, f"neutral witness pair[{index}]"))
        for index, pair in enumerate(study.pairs)
    }
    for index, fault in _duplicates(study.pairs):
        local[index].append(fault)
    shared += _neutral_ledger_bound(evidence, study)
    eligible = () if shared else tuple(index for index, faults in local.items() if not faults)
    return [*shared, *(fault for faults in local.values() for fault in faults)], eligible


def _neutral_contract(evidence: Evidence, study: Feedback) -> Iterator[str]:
    audit = "paired" if study.neutral_contract_audit_pass is None else "neutral"
    own = f"{audit}_contract_audit_pass"
    for name in ("neutral_channel_audit_pass", "contract_sealed_before_branches_pass", own):
        if type(getattr(study, name)) is not bool:
            yield f"gate3.{name} must be a boolean"
    if study.neutral_audit is not True:
        yield f"neutral witness {audit}-contract audit failed"
    if study.neutral_channel_audit_pass is not True:
        yield "neutral witness channel audit failed"
    if study.contract_sealed_before_branches_pass is not True:
        yield "neutral witness contract was not presealed"
    if study.checkpoint_scope not in {"lineage_empty", "lineage_prefix"}:
        yield "neutral witness checkpoint_scope is invalid"
    elif study.checkpoint_scope != evidence.registration.gate3_checkpoint_scope:
        yield "neutral witness checkpoint_scope differs from registration"
    if evidence.registration.gate3_checkpoint_selection_rule_hash != evidence.integrity.selection_rule_hash:
        yield "neutral witness selection rule differs from registration"
    for name in _NEUTRAL_HASHES:
        if not explicit(getattr(study, name)):
            yield f"neutral witness {name} missing"


def _neutral_seal(evidence: Evidence, study: Feedback) -> Iterator[str]:
    integrity = evidence.integrity
    if not explicit(integrity.gate3_contract_preseal_receipt_hash):
        yield "neutral witness frozen preseal receipt missing"
    elif study.contract_preseal_receipt_hash != integrity.gate3_contract_preseal_receipt_hash:
        yield "neutral witness preseal receipt differs from integrity"
    for name in ("contract_sealed_event_index", "first_branch_started_event_index"):
        if not integer(getattr(study, name), 0):
            yield f"neutral witness {name} must be a non-negative integer"
    if branches.sealed_late(study):
        yield "neutral witness contract was not sealed before branches"
    if not contracts.neutral_holds(evidence, study):
        yield "neutral witness contract differs from frozen registration"
    try:
        scope = digests.neutral_scope(study, integrity.selection_rule_hash)
    except MALFORMED:
        yield "neutral witness scope hash could not be recomputed"
        return
    if study.neutral_scope_audit_manifest_hash != scope:
        yield "neutral witness scope manifest hash mismatch"
    if integrity.gate3_neutral_scope_manifest_hash != scope:
        yield "neutral witness scope is not bound by integrity"


def _neutral_pair(evidence: Evidence, pair: FeedbackPair, label: str) -> Iterator[str]:
    reg = evidence.registration
    yield from branches.pair(pair, label, reg.gate3_pair_randomization_distribution_hash)
    if pair.assignment_frozen is not True:
        yield f"{label} assignment was not frozen"
    demand = branches.Demand(
        reg.gate3_neutral_arm_contract_hash, evidence.integrity.private_unit_manifest_hash
    )
    yield from branches.branch(pair.neutral, f"{label}.neutral", demand)


def _duplicates(pairs: Sequence[FeedbackPair]) -> Iterator[tuple[int, str]]:
    """A witness is one preallocated candidate: each of its names occurs once."""
    columns: dict[str, list[Any]] = {
        "pair id": [pair.pair_id for pair in pairs],
        "block id": [pair.block_id for pair in pairs],
        "draw receipt": [pair.randomization_draw_receipt_hash for pair in pairs],
        "branch id": [pair.neutral.branch_id for pair in pairs],
        "prestart contract receipt": [pair.neutral.prestart_contract_receipt_hash for pair in pairs],
    }
    for label, values in columns.items():
        counts = Counter(values)
        for index, value in enumerate(values):
            if counts[value] > 1:
                yield index, f"neutral witness {label} is duplicated"


def _neutral_ledger_bound(evidence: Evidence, study: Feedback) -> Iterator[str]:
    m_max = evidence.registration.m_max
    slots = len(evidence.recovery.controls) + 2 * len(study.pairs)
    if not integer(m_max):
        yield "neutral witness M_max is malformed"
    elif slots > m_max:
        yield f"neutral witness candidate slots {slots} exceed M_max={m_max}"
    try:
        ledger = digests.neutral_ledger(study.pairs)
    except MALFORMED:
        yield "neutral witness ledger hash could not be recomputed"
        return
    if evidence.integrity.gate3_neutral_recovery_ledger_manifest_hash != ledger:
        yield "neutral witness ledger is not bound by integrity"


def neutral_ledger(evidence: Evidence, study: Feedback, candidate_faults: Sequence[str]) -> Iterator[str]:
    """Whether the neutral ledger could hide a witness: the candidates' faults, then undisclosed pairs."""
    yield from candidate_faults
    for name in ("all_started_pairs_disclosed", "no_pair_replacements"):
        if type(getattr(study, name)) is not bool:
            yield f"neutral ledger {name} must be a boolean"
    if study.all_started_pairs_disclosed is not True:
        yield "neutral recovery started-pair ledger is not complete"
    if not integer(study.started_pair_count) or study.started_pair_count != len(study.pairs):
        yield "neutral recovery started_pair_count does not match disclosure"
    ledger = feedback_ledger(evidence.registration, study.pairs)
    yield from ledger.faults
    if study.no_pair_replacements is not (ledger.replacements == 0):
        yield "neutral recovery no_pair_replacements disagrees with disclosed ledger"
