"""Gate 1: is the target valid and better than the baseline by delta_min, and does the baseline fail?"""

from typing import Any, NamedTuple

from dcp_lang.verify.arithmetic import Arithmetic
from dcp_lang.verify.intervals import Interval
from dcp_lang.verify.records import INVALID, UNRESOLVED, Outcome

PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"


class Gate1(NamedTuple):
    """`gain` is the interval of score(A*) - score(b); `x` the mean sealed score of A*, in [0, 1]."""

    result_validity: str
    astar_validity: str
    baseline_validity: str
    x: Any
    gain: Interval | None
    gain_reached: bool
    gain_missed: bool
    baseline_fails: str
    reason: str


def evaluate(arith: Arithmetic, evidence: Outcome) -> Gate1:
    """Gate 1 on sound evidence (paper, Gate 1; the line is x - epsilon)."""
    astar, baseline = evidence
    x = arith.mean(astar.per_unit)
    gain = arith.gap(astar.per_unit, baseline.per_unit, arith.number("alpha_main"))
    minimum = arith.number("delta_min")
    fails = _baseline_fails(gain, arith.epsilon)
    reason = (
        f"x={float(x):.4f}, effect LCB={gain.lower:.4f} (delta_min={arith.registration.delta_min}), "
        f"baseline_fails_P={fails}"
    )
    validity = {INVALID: FAIL, UNRESOLVED: INCONCLUSIVE}.get(astar.validity, PASS)
    return Gate1(
        validity,
        astar.validity,
        baseline.validity,
        x,
        gain,
        gain.at_least(minimum),
        gain.below(minimum),
        fails,
        reason,
    )


def _baseline_fails(gain: Interval, epsilon: Any) -> str:
    """The baseline is outside the recovery region when x - score(b) > epsilon, inside when <= epsilon."""
    if gain.above(epsilon):
        return PASS
    return FAIL if gain.at_most(epsilon) else INCONCLUSIVE


def blocked(evidence: Outcome, reason: str) -> Gate1:
    """Gate 1 where the evidence may not be scored."""
    astar, baseline = evidence
    return Gate1(
        INCONCLUSIVE, astar.validity, baseline.validity, None, None, False, False, INCONCLUSIVE, reason
    )
