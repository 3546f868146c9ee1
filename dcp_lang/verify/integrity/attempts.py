"""Findings on single records: artifacts, challenger attempts, adequacy checks."""

from collections.abc import Iterator

from dcp_lang.verify import digests
from dcp_lang.verify.checks import MALFORMED, duplicated, explicit, identifier, integer, normalised, scores
from dcp_lang.verify.records import (
    ARTIFACT,
    CONTRACT_VIOLATION,
    INFRASTRUCTURE,
    MODEL_FAILURE,
    UNRESOLVED,
    VALID,
    Adequacy,
    Artifact,
    Attempt,
    Branch,
)


def artifact(record: Artifact, label: str) -> Iterator[str]:
    if not explicit(record.name):
        yield f"{label}.name missing"
    if not explicit(record.artifact_hash):
        yield f"{label}.artifact_hash missing"
    units, values = record.unit_ids, record.per_unit
    if not units or len(units) != len(values):
        yield f"{label} private-unit ids/scores are empty or misaligned"
    elif duplicated(units) or not all(map(identifier, units)):
        yield f"{label} private-unit ids are missing or duplicated"
    if not values or not scores(values):
        yield f"{label} scores must be finite JSON numbers"
    elif not normalised(values):
        yield f"{label} normalized scores must be in [0,1]"


def adequacy(record: Adequacy, label: str) -> Iterator[str]:
    for name in ("matched_model_present", "materials_readable", "opportunity_floor_met", "health_audit_pass"):
        if type(getattr(record, name)) is not bool:
            yield f"{label}.{name} must be a boolean"
    hits, trials = record.positive_control_successes, record.positive_control_trials
    if not integer(hits, 0) or not integer(trials, 1) or hits > trials:
        yield f"{label} positive-control h/n are malformed"
    if not explicit(record.calibration_id):
        yield f"{label}.calibration_id missing"
    if not explicit(record.checks_manifest_hash):
        yield f"{label}.checks_manifest_hash missing"
        return
    try:
        if digests.adequacy_checks(record) != record.checks_manifest_hash:
            yield f"{label}.checks_manifest_hash mismatch"
    except MALFORMED:
        yield f"{label} adequacy hash could not be recomputed"


def attempt(record: Attempt, label: str) -> Iterator[str]:
    for name in ("independence_ok", "infrastructure_outcome_independent"):
        if type(getattr(record, name)) is not bool:
            yield f"{label}.{name} must be a boolean"
    yield from _attempt_names(record, label)
    if record.per_unit is not None:
        if not scores(record.per_unit):
            yield f"{label}.per_unit must contain finite JSON numbers"
        elif not normalised(record.per_unit):
            yield f"{label}.per_unit normalized scores must be in [0,1]"
    if not all(map(identifier, record.unit_ids)):
        yield f"{label}.unit_ids must be canonical whitespace-free string ids"
    if record.outcome == ARTIFACT:
        if not explicit(record.artifact_hash):
            yield f"{label}.artifact_hash missing for artifact outcome"
    else:
        yield from contradictions(record, label)


def _attempt_names(record: Attempt, label: str) -> Iterator[str]:
    for name in ("attempt_id", "stratum"):
        if not identifier(getattr(record, name)):
            yield f"{label}.{name} missing or non-canonical"
    checks = {
        "scope_contract_hash": explicit,
        "prestart_contract_receipt_hash": identifier,
        "challenge_distribution_hash": explicit,
        "independent_draw_receipt_hash": identifier,
    }
    for name, holds in checks.items():
        if not holds(getattr(record, name)):
            yield f"{label}.{name} missing"
    if record.independence_ok is True and not identifier(record.independent_unit_id):
        yield f"{label}.independent_unit_id missing"
    elif not isinstance(record.independent_unit_id, str):
        yield f"{label}.independent_unit_id must be a string"


_OUTCOME_NAMES = {MODEL_FAILURE: "model failure", CONTRACT_VIOLATION: "execution-contract violation"}


def contradictions(record: Attempt | Branch, label: str) -> Iterator[str]:
    """What an outcome without an artifact may not carry along."""
    carries = record.per_unit is not None or bool(record.unit_ids) or explicit(record.artifact_hash)
    carries = carries or getattr(record, "utility", None) is not None
    attrition = record.infrastructure_outcome_independent
    if record.outcome in _OUTCOME_NAMES:
        name = _OUTCOME_NAMES[record.outcome]
        if carries or record.validity == VALID:
            yield f"{label} {name} conflicts with artifact data"
        if attrition is not False:
            yield f"{label} {name} has an infrastructure-only flag"
    elif record.outcome == INFRASTRUCTURE:
        if carries or record.validity != UNRESOLVED:
            yield f"{label} infrastructure failure conflicts with artifact data"
    elif carries or record.validity != UNRESOLVED or attrition is not False:
        yield f"{label} unresolved outcome contains contradictory data"
