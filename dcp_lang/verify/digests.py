"""The content hashes that bind evidence together, as the peer's wire format defines them.

Each is the bare hexadecimal SHA-256 of a sorted, compact JSON object; scores enter as C99 hexadecimal
doubles, so equal hashes mean equal bits. The keys and their exact spelling are the format's (dcp-audit
0.4.2).
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from dcp_lang.verify.records import (
    Adequacy,
    Artifact,
    Attempt,
    Branch,
    Feedback,
    FeedbackPair,
    NullPair,
    NullStudy,
)

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode

_ATTEMPT = (
    "attempt_id",
    "outcome",
    "validity",
    "artifact_hash",
    "stratum",
    "scope_contract_hash",
    "prestart_contract_receipt_hash",
    "challenge_distribution_hash",
    "independent_draw_receipt_hash",
    "independent_unit_id",
    "independence_ok",
    "infrastructure_outcome_independent",
)
_BRANCH = (
    "branch_id",
    "outcome",
    "validity",
    "artifact_hash",
    "execution_contract_hash",
    "prestart_contract_receipt_hash",
    "infrastructure_outcome_independent",
)
_PAIR = (
    "pair_id",
    "block_id",
    "randomization_distribution_hash",
    "randomization_draw_receipt_hash",
    "assignment_frozen",
)
_CHECKPOINT = ("checkpoint_scope", "checkpoint_hash", "window_hash")
_NEUTRAL_CONTRACT = (
    "paired_arm_contract_hash",
    "neutral_arm_contract_hash",
    "neutral_recovery_contract_hash",
    "neutral_sham_generator_hash",
    "contract_preseal_receipt_hash",
    "contract_sealed_event_index",
    "first_branch_started_event_index",
    "neutral_channel_audit_pass",
)
_NEUTRAL_SCOPE = (
    "neutral_model_id",
    "neutral_interface_hash",
    "neutral_resource_contract_hash",
    "neutral_k_manifest_hash",
    "neutral_e0_manifest_hash",
    "neutral_web_manifest_hash",
    "neutral_opportunity_contract_hash",
    "neutral_challenger_policy_hash",
)
_TRUTHFUL_CONTRACT = (
    "truthful_arm_contract_hash",
    "truthful_feedback_generator_hash",
    "paired_contract_audit_pass",
    "truthful_channel_audit_pass",
)


def _hash(payload: object) -> str:
    return hashlib.sha256(_encode(payload).encode()).hexdigest()


def _fields(record: object, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def _bits(scores: Sequence[Any] | None) -> list[str] | None:
    return None if scores is None else [float(score).hex() for score in scores]


def unit_manifest(unit_ids: Sequence[Any]) -> str:
    return _hash({"unit_ids": list(unit_ids)})


def artifact_results(artifact: Artifact) -> str:
    payload = _fields(artifact, ("artifact_hash", "validity"))
    return _hash({**payload, "unit_ids": list(artifact.unit_ids), "scores": _bits(artifact.per_unit)})


def private_results_manifest(astar: Artifact, baseline: Artifact, verifier_hash: Any) -> str:
    results = {
        "astar_results_hash": artifact_results(astar),
        "baseline_results_hash": artifact_results(baseline),
    }
    return _hash({"verifier_hash": verifier_hash, **results})


def attempt_result(attempt: Attempt) -> str:
    payload = _fields(attempt, _ATTEMPT)
    return _hash({**payload, "unit_ids": list(attempt.unit_ids), "scores": _bits(attempt.per_unit)})


def branch_result(branch: Branch) -> str:
    utility = None if branch.utility is None else float(branch.utility).hex()
    measured = {"utility": utility, "unit_ids": list(branch.unit_ids), "scores": _bits(branch.per_unit)}
    return _hash({**_fields(branch, _BRANCH), **measured})


def adequacy_checks(adequacy: Adequacy) -> str:
    return _hash(_fields(adequacy, [name for name in adequacy._fields if name != "checks_manifest_hash"]))


def recovery_ledger(attempt_digests: Sequence[str], feedback: Feedback | None = None) -> str:
    """Digest of the challenger ledger (`attempt_result` of each), and of the neutral one if there is one."""
    payload: dict[str, Any] = {"gate2_attempt_result_hashes": list(attempt_digests)}
    if feedback is not None:
        neutral = _fields(feedback, (*_CHECKPOINT, *_NEUTRAL_CONTRACT, *_TRUTHFUL_CONTRACT))
        neutral["neutral_result_hashes"] = [branch_result(pair.neutral) for pair in feedback.pairs]
        if feedback.neutral_contract_audit_pass is not None:
            neutral["neutral_contract_audit_pass"] = feedback.neutral_contract_audit_pass
        payload["gate3_neutral_ledger"] = neutral
    return _hash(payload)


def _pair_fields(
    pair: FeedbackPair | NullPair, names: Sequence[str], with_replacements: bool
) -> dict[str, Any]:
    return _fields(pair, (*names, "replacement_of") if with_replacements else names)


def feedback_pairs_manifest(pairs: Sequence[FeedbackPair]) -> str:
    replaced = any(pair.replacement_of for pair in pairs)
    return _hash(
        {
            "pairs": [
                {
                    **_pair_fields(pair, (*_PAIR, "independence_ok"), replaced),
                    "truthful_result_hash": branch_result(pair.truthful),
                    "neutral_result_hash": branch_result(pair.neutral),
                }
                for pair in pairs
            ]
        }
    )


def null_pairs_manifest(study: NullStudy) -> str:
    replaced = any(pair.replacement_of for pair in study.pairs)
    return _hash(
        {
            "pairs": [
                {
                    **_pair_fields(pair, (*_PAIR, "independence_ok"), replaced),
                    "reference_result_hash": branch_result(pair.reference_null),
                    "proposed_result_hash": branch_result(pair.proposed_sham),
                }
                for pair in study.pairs
            ]
        }
    )


def neutral_ledger(pairs: Sequence[FeedbackPair]) -> str:
    """Digest of the neutral candidates alone: no truthful arm and no calibration can change it."""
    replaced = any(pair.replacement_of for pair in pairs)
    return _hash(
        {
            "neutral_pairs": [
                {
                    **_pair_fields(pair, _PAIR, replaced),
                    "neutral_result_hash": branch_result(pair.neutral),
                }
                for pair in pairs
            ]
        }
    )


def neutral_scope(feedback: Feedback, selection_rule_hash: Any) -> str:
    """Digest of the scope in which a neutral branch may count as a recovery witness."""
    names = (*_CHECKPOINT, *_NEUTRAL_CONTRACT, *_NEUTRAL_SCOPE, "contract_sealed_before_branches_pass")
    payload = {"selection_rule_hash": selection_rule_hash, **_fields(feedback, names)}
    if feedback.neutral_contract_audit_pass is None:
        payload["paired_contract_audit_pass"] = feedback.paired_contract_audit_pass
    else:
        payload["neutral_contract_audit_pass"] = feedback.neutral_contract_audit_pass
    return _hash(payload)
