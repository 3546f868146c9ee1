"""Gate 2, and the neutral recovery ledger: zero hits among adequate independent episodes, or a witness."""

from collections.abc import Sequence
from typing import NamedTuple

from dcp_lang.verify.arithmetic import Arithmetic, Bound
from dcp_lang.verify.gates.adequacy import Adequate, assess
from dcp_lang.verify.gates.classify import HIT, Classified, Scope, classify
from dcp_lang.verify.records import UNRESOLVED, Adequacy, Artifact, Attempt, Evidence

RECOVERED, NOT_RECOVERED, INCONCLUSIVE = "recovered", "not_recovered_within_scope", "inconclusive"


class Ledger(NamedTuple):
    """Candidates, and the rule they are searched under."""

    attempts: Sequence[Attempt]
    checks: Adequacy
    scope: Scope
    alpha: str
    rho: str
    place: str
    #: Reasons why a hit in this ledger would not count; empty when it does.
    inadmissible: tuple[str, ...] = ()


class Search(NamedTuple):
    """What a ledger shows. `n` counts independent episodes, `bound` is the zero-hit bound if it applies."""

    status: str
    results: list[Classified]
    n: int
    hits: int
    admissible_hits: int
    unresolved: int
    bound: Bound | None
    adequacy: Adequate
    inadmissible: tuple[str, ...]
    reason: str

    @property
    def evaluable(self) -> int:
        return sum(result.evaluable for result in self.results)

    @property
    def best(self) -> Classified | None:
        """The candidate closest to, or farthest above, the recovery line."""
        scored = [result for result in self.results if result.gap is not None]
        return max(scored, key=lambda result: result.gap.mean if result.gap else 0.0, default=None)


def challengers(evidence: Evidence, only: Sequence[int] | None = None) -> Ledger:
    """Gate 2's ledger; `only` keeps the candidates that may witness a recovery in a broken record."""
    reg, controls = evidence.registration, evidence.recovery.controls
    kept = range(len(controls)) if only is None else only
    return Ledger(
        [controls[index] for index in kept],
        evidence.recovery.adequacy,
        Scope(reg.gate2_control_contract_hash, reg.challenge_distribution_hash),
        "alpha_recovery",
        "rho",
        "no_feedback_recovery",
    )


def search(arith: Arithmetic, ledger: Ledger, target: Artifact) -> Search:
    """Classify every candidate, check adequacy, and bound the recovery probability if nothing was hit."""
    results = _independent([classify(arith, item, target, ledger.scope) for item in ledger.attempts])
    adequacy = assess(arith, ledger.checks, results, ledger.place)
    hits = sum(result.status == HIT for result in results)
    unresolved = sum(result.status == UNRESOLVED for result in results)
    n = sum(result.independent for result in results)
    clean = hits == 0 and adequacy.passes and unresolved == 0
    bound = arith.zero_hit(n, ledger.alpha, ledger.rho) if clean else None
    found = Search(
        INCONCLUSIVE,
        results,
        n,
        hits,
        0 if ledger.inadmissible else hits,
        unresolved,
        bound,
        adequacy,
        ledger.inadmissible,
        "",
    )
    status, reason = _status(arith, ledger, found)
    return found._replace(status=status, reason=reason)


def _independent(results: list[Classified]) -> list[Classified]:
    """Candidates of one episode are all inspected for a hit, but count once towards n."""
    seen: set[str] = set()
    for index, result in enumerate(results):
        if not result.independent:
            continue
        unit = result.attempt.independent_unit_id
        if unit in seen:
            reason = result.reason + "; duplicate independent-unit cluster"
            results[index] = result._replace(independent=False, reason=reason)
        seen.add(unit)
    return results


def _status(arith: Arithmetic, ledger: Ledger, found: Search) -> tuple[str, str]:
    rho, required = getattr(arith.registration, ledger.rho), arith.registration.min_n_ind
    if found.admissible_hits:
        return RECOVERED, f"{found.admissible_hits} admissible adjusted confirmed hit(s)"
    if found.hits:
        return (
            INCONCLUSIVE,
            "score hit observed but its candidate-level execution scope is not admissible",
        )
    if not found.adequacy.passes:
        return INCONCLUSIVE, "control adequacy failed"
    if found.unresolved:
        return INCONCLUSIVE, f"{found.unresolved} unresolved attempt(s)"
    if found.n < required:
        return INCONCLUSIVE, f"n_ind={found.n} < required {required}"
    if found.bound is None:
        return INCONCLUSIVE, "zero-hit bound is not applicable"
    if not found.bound.reaches:
        return INCONCLUSIVE, f"p_upper={found.bound.value:.4f} > rho={rho}"
    return NOT_RECOVERED, f"0/{found.n} hits, p_upper={found.bound.value:.4f} <= rho={rho}"


def blocked(reason: str) -> Search:
    """A ledger that may not be searched."""
    checks = Adequacy(positive_control_successes=0, positive_control_trials=0)
    adequacy = Adequate(False, [reason], None, checks)
    return Search(INCONCLUSIVE, [], 0, 0, 0, 0, None, adequacy, (reason,), reason)
