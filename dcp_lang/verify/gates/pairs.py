"""From the two arms of a pair to one difference: utilities, exclusions, and the health of the arms."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from dcp_lang.verify.arithmetic import Arithmetic
from dcp_lang.verify.checks import finite
from dcp_lang.verify.gates.classify import Classified
from dcp_lang.verify.records import (
    ARTIFACT,
    CONTRACT_VIOLATION,
    INFRASTRUCTURE,
    INVALID,
    MODEL_FAILURE,
    UNRESOLVED,
    VALID,
    Branch,
    Pair,
)

ANALYSED, REPLACED, EXCLUDED = "analyzed", "replaced_infrastructure", "infrastructure_excluded"

#: A reported mean may differ from the mean of its private scores by the writer's rounding, no more.
_REPORTING = 1e-12


class PairResult(NamedTuple):
    """One started pair: how it counts, and the utilities of its arms where it does."""

    pair: Pair
    status: str
    reason: str
    utilities: tuple[Any, Any] | None = None
    classified: tuple[Classified, Classified] | None = None

    @property
    def difference(self) -> Any:
        """First arm minus second arm, in [-1, 1]."""
        return None if self.utilities is None else self.utilities[0] - self.utilities[1]


def replaced(pair: Pair) -> PairResult:
    return PairResult(pair, REPLACED, "retained in the started ledger; terminal replacement analyzed")


def lost_arms(pair: Pair) -> list[Branch]:
    return [arm for arm in pair.arms if arm.outcome == INFRASTRUCTURE]


def mean_utility(arith: Arithmetic, arm: Branch, derived: bool) -> tuple[Any, str]:
    """(utility in [0, 1], reason), None for an arm that cannot count.

    A failure of the model, or an invalid artifact, counts with the worst utility (intention to treat).
    `derived` takes the mean of the private scores; without it the reported utility counts, as on null tasks.
    """
    if arm.outcome == UNRESOLVED:
        return None, "branch outcome unresolved"
    if arm.outcome == INFRASTRUCTURE:
        return None, "infrastructure branch must be handled at pair level"
    if arm.outcome == MODEL_FAILURE:
        if arm.utility is not None or arm.validity == VALID:
            return None, "declared branch failure conflicts with utility/validity"
        return arith.number("worst_utility"), "ITT model failure"
    if arm.outcome == CONTRACT_VIOLATION:
        return None, "execution-contract violation is not an ITT model outcome"
    if arm.validity == INVALID:
        return arith.number("worst_utility"), "ITT contract-invalid artifact"
    if arm.validity != VALID:
        return None, "branch artifact validity or utility unresolved"
    return _derived(arith, arm) if derived else _reported(arith, arm)


def _derived(arith: Arithmetic, arm: Branch) -> tuple[Any, str]:
    if not arm.per_unit:
        return None, "branch private verifier scores missing"
    utility = arith.mean(arm.per_unit)
    if arm.utility is not None and abs(arith.score(arm.utility) - utility) > _REPORTING:
        return None, "reported utility does not match frozen per-unit mapping"
    return _in_range(utility)


def _reported(arith: Arithmetic, arm: Branch) -> tuple[Any, str]:
    if arm.utility is None:
        return None, "branch artifact validity or utility unresolved"
    return _in_range(arith.score(arm.utility))


def _in_range(utility: Any) -> tuple[Any, str]:
    if not finite(float(utility)) or not 0 <= utility <= 1:
        return None, "branch utility must be finite in [0,1]"
    return utility, "valid branch"


class ArmRates(NamedTuple):
    """Shares of valid artifacts and of model failures among an arm's complete branches."""

    valid: Any
    failed: Any


def arm_rates(arith: Arithmetic, arms: Sequence[Branch]) -> ArmRates:
    if not arms:
        return ArmRates(0.0, 1.0)
    valid = sum(arm.outcome == ARTIFACT and arm.validity == VALID for arm in arms)
    failed = sum(map(_failed, arms))
    return ArmRates(arith.ratio(valid, len(arms)), arith.ratio(failed, len(arms)))


def _failed(arm: Branch) -> bool:
    return arm.outcome == MODEL_FAILURE or (arm.outcome == ARTIFACT and arm.validity == INVALID)


def analysed(results: Sequence[PairResult]) -> Iterator[PairResult]:
    return (result for result in results if result.status == ANALYSED)
