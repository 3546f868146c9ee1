"""Findings on one pair and one branch, shared by feedback pairs, null pairs and neutral witnesses."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from dcp_lang.verify import digests
from dcp_lang.verify.checks import (
    MALFORMED,
    duplicated,
    explicit,
    finite,
    identifier,
    integer,
    normalised,
    scores,
)
from dcp_lang.verify.integrity.attempts import contradictions
from dcp_lang.verify.records import ARTIFACT, Branch, Pair


class Demand(NamedTuple):
    """What a branch must have run under; `units` is None where its task has no shared private units."""

    contract: Any
    units: Any | None


def pair(record: Pair, label: str, distribution: Any) -> Iterator[str]:
    for name in ("pair_id", "block_id"):
        if not identifier(getattr(record, name)):
            yield f"{label}.{name} missing or non-canonical"
    if not explicit(record.randomization_distribution_hash):
        yield f"{label}.randomization_distribution_hash missing"
    elif record.randomization_distribution_hash != distribution:
        yield f"{label}.randomization_distribution_hash differs from registration"
    if not identifier(record.randomization_draw_receipt_hash):
        yield f"{label}.randomization_draw_receipt_hash missing"
    parent = record.replacement_of
    if not isinstance(parent, str) or (parent and not identifier(parent)):
        yield f"{label}.replacement_of is malformed"
    for name in ("assignment_frozen", "independence_ok"):
        if type(getattr(record, name)) is not bool:
            yield f"{label}.{name} must be a boolean"


def branch(record: Branch, label: str, demand: Demand) -> Iterator[str]:
    if type(record.infrastructure_outcome_independent) is not bool:
        yield f"{label}.infrastructure_outcome_independent must be a boolean"
    if not identifier(record.branch_id):
        yield f"{label}.branch_id missing or non-canonical"
    if not explicit(record.execution_contract_hash):
        yield f"{label}.execution_contract_hash missing"
    elif demand.contract and record.execution_contract_hash != demand.contract:
        yield f"{label}.execution_contract_hash differs from registration"
    if not identifier(record.prestart_contract_receipt_hash):
        yield f"{label}.prestart_contract_receipt_hash missing"
    if record.utility is not None and not finite(record.utility):
        yield f"{label}.utility must be a finite JSON number or null"
    if not all(map(identifier, record.unit_ids)):
        yield f"{label}.unit_ids contains a non-canonical id"
    if record.per_unit is not None and not scores(record.per_unit):
        yield f"{label}.per_unit must contain finite JSON numbers"
    if not explicit(record.verifier_result_hash):
        yield f"{label}.verifier_result_hash missing"
    if record.outcome != ARTIFACT:
        yield from contradictions(record, label)
    else:
        if not explicit(record.artifact_hash):
            yield f"{label}.artifact_hash missing for artifact outcome"
        if demand.units is not None:
            yield from _private_scores(record, label, demand.units)
    yield from _result(record, label)


def _private_scores(record: Branch, label: str, units: Any) -> Iterator[str]:
    values, names = record.per_unit, record.unit_ids
    if values is None or not names:
        yield f"{label} lacks private verifier scores"
    elif len(values) != len(names):
        yield f"{label} private-unit ids/scores are misaligned"
    elif not normalised(values):
        yield f"{label} normalized private scores must be in [0,1]"
    elif duplicated(names) or not all(map(identifier, names)):
        yield f"{label} private-unit ids are missing or duplicated"
    elif units and digests.unit_manifest(names) != units:
        yield f"{label} private-unit manifest mismatch"


def _result(record: Branch, label: str) -> Iterator[str]:
    try:
        if (
            explicit(record.verifier_result_hash)
            and digests.branch_result(record) != record.verifier_result_hash
        ):
            yield f"{label}.verifier_result_hash mismatch"
    except MALFORMED:
        yield f"{label} verifier-result hash could not be recomputed"


def sealed_late(record: Any) -> bool:
    """Whether integer event indices put the first branch at or before the sealing of its contract."""
    sealed, started = record.contract_sealed_event_index, record.first_branch_started_event_index
    return integer(sealed) and integer(started) and sealed >= started


def repeated(pairs: Sequence[Pair], kind: str) -> Iterator[str]:
    """Names that two pairs, or two branches, of one study share."""
    arms = [arm for record in pairs for arm in record.arms]
    if duplicated([record.pair_id for record in pairs]):
        yield f"{kind} pair ids are duplicated"
    if duplicated([record.block_id for record in pairs]):
        yield f"{kind} block ids are duplicated; clustered estimator unsupported"
    if duplicated([arm.branch_id for arm in arms]):
        yield f"{kind} branch ids are duplicated"
    if duplicated([arm.prestart_contract_receipt_hash for arm in arms]):
        yield f"{kind} branch prestart receipts are duplicated"
    if duplicated([record.randomization_draw_receipt_hash for record in pairs]):
        yield f"{kind} randomization draw receipts are duplicated"
