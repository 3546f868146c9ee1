"""One candidate against the recovery line: hit, miss, failure, violation, or unresolved."""

from typing import Any, NamedTuple

from dcp_lang.verify.arithmetic import Arithmetic
from dcp_lang.verify.checks import scores
from dcp_lang.verify.intervals import Interval
from dcp_lang.verify.records import (
    ARTIFACT,
    CONTRACT_VIOLATION,
    INFRASTRUCTURE,
    INVALID,
    MODEL_FAILURE,
    UNRESOLVED,
    VALID,
    Artifact,
    Attempt,
)

HIT, MISS = "confirmed_hit", "confirmed_miss"

#: Raw outcomes that are a status of their own whatever else the record says.
_OUTRIGHT = {
    CONTRACT_VIOLATION: "explicit execution-contract violation",
    UNRESOLVED: "raw attempt unresolved",
}


class Scope(NamedTuple):
    """The contract and the episode distribution that a candidate must have been registered under."""

    contract: Any
    distribution: Any


class Classified(NamedTuple):
    """A candidate's status; `gap` is the interval of its score minus x, where it has scores."""

    attempt: Attempt
    status: str
    reason: str
    gap: Interval | None = None
    #: Whether it is one of the n independent episodes of the zero-hit bound.
    independent: bool = False

    @property
    def evaluable(self) -> bool:
        return self.status in (HIT, MISS, MODEL_FAILURE)


def classify(arith: Arithmetic, attempt: Attempt, target: Artifact, scope: Scope) -> Classified:
    """The status of one candidate; contradictions become unresolved, never a miss."""
    status, reason = _raw(arith, attempt, target, scope)
    gap = None
    if status == ARTIFACT and attempt.per_unit is not None:
        gap = arith.gap(attempt.per_unit, target.per_unit, arith.share)
        status, reason = _against_line(gap, arith.line)
    result = Classified(attempt, status, reason, gap)
    own = attempt.independence_ok and bool(attempt.independent_unit_id)
    return result._replace(independent=bool(own and result.evaluable))


def _against_line(gap: Interval, line: Any) -> tuple[str, str]:
    if gap.at_least(line):
        return HIT, "multiplicity-adjusted LCB reaches recovery line"
    if gap.below(line):
        return MISS, "multiplicity-adjusted UCB is below recovery line"
    return UNRESOLVED, "score interval crosses recovery line"


def _raw(arith: Arithmetic, attempt: Attempt, target: Artifact, scope: Scope) -> tuple[str, str]:
    """The status before any score is compared; `artifact` when the scores must decide."""
    if attempt.stratum != arith.registration.recovery_stratum:
        stratum = arith.registration.recovery_stratum
        return UNRESOLVED, f"attempt stratum is outside registered scope {stratum!r}"
    if attempt.scope_contract_hash != scope.contract:
        return CONTRACT_VIOLATION, "attempt violated the frozen model/resource/opportunity contract"
    if attempt.challenge_distribution_hash != scope.distribution:
        return (
            CONTRACT_VIOLATION,
            "attempt was not drawn from the frozen challenger episode distribution",
        )
    if attempt.outcome in _OUTRIGHT:
        return attempt.outcome, _OUTRIGHT[attempt.outcome]
    if attempt.outcome == INFRASTRUCTURE:
        return _infrastructure(attempt)
    if attempt.outcome == MODEL_FAILURE:
        return _model_failure(attempt)
    return _artifact(attempt, target)


def _infrastructure(attempt: Attempt) -> tuple[str, str]:
    if attempt.per_unit is not None or not attempt.infrastructure_outcome_independent:
        return (
            UNRESOLVED,
            "infrastructure exclusion is outcome-dependent or conflicts with an artifact",
        )
    return INFRASTRUCTURE, "outcome-independent infrastructure failure"


def _model_failure(attempt: Attempt) -> tuple[str, str]:
    if attempt.per_unit is not None or attempt.validity == VALID:
        return UNRESOLVED, "declared failure conflicts with a scored or validity-confirmed artifact"
    return MODEL_FAILURE, "explicit model failure under the registered contract"


def _artifact(attempt: Attempt, target: Artifact) -> tuple[str, str]:
    if attempt.validity == INVALID:
        return MODEL_FAILURE, "artifact violates the registered outcome contract"
    if attempt.validity != VALID:
        return UNRESOLVED, "artifact validity unresolved"
    if attempt.per_unit is None:
        return UNRESOLVED, "valid artifact has no scores"
    if not attempt.artifact_hash:
        return UNRESOLVED, "artifact hash missing"
    if attempt.unit_ids != target.unit_ids:
        return UNRESOLVED, "private-unit manifest mismatch"
    if len(attempt.per_unit) != len(target.per_unit) or not scores(attempt.per_unit):
        return UNRESOLVED, "scores malformed or non-finite"
    return ARTIFACT, ""
