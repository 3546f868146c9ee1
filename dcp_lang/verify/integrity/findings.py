"""All findings on one audit's evidence, each kind with the power it has over the decision."""

from collections.abc import Callable
from typing import NamedTuple

from dcp_lang.verify import digests
from dcp_lang.verify.checks import MALFORMED, guarded
from dcp_lang.verify.integrity import contracts, envelope, feedback, witness
from dcp_lang.verify.records import Evidence


class Findings(NamedTuple):
    """Faults by what they block, and the candidates that may still witness a recovery."""

    #: Block every verdict but a separately valid recovery witness.
    core: list[str]
    #: Block the feedback effect.
    feedback: list[str]
    #: Of the neutral branches as recovery candidates.
    neutral: list[str]
    #: Block Core when the neutral branches lie in Gate 2's scope: a witness could hide there.
    neutral_ledger: list[str]
    #: Challenger attempts, and pairs, whose own records are whole enough to witness a recovery.
    witnesses: tuple[int, ...]
    neutral_witnesses: tuple[int, ...]
    #: Whether a neutral hit counts at all, and whether it counts against Core.
    neutral_admissible: bool
    neutral_in_scope: bool
    #: `digests.attempt_result` of each challenger attempt; empty when one cannot be formed.
    attempt_digests: tuple[str, ...]


def inspect(evidence: Evidence) -> Findings:
    """Every finding on `evidence`; a malformed value is a finding too, never an exception."""
    attempts = _attempt_digests(evidence)
    core = guarded("integrity schema error", lambda: envelope.faults(evidence, attempts))
    # A sound ledger needs no separate witnesses: Gate 2 sees every candidate.
    witnesses = _candidates(lambda: witness.gate2(evidence, attempts))[1] if core else ()
    if evidence.feedback is None:
        return Findings(core, [], [], [], witnesses, (), False, False, attempts)
    study = evidence.feedback
    effect = guarded("Gate 3 schema error", lambda: feedback.faults(evidence, study, attempts))
    neutral, eligible = _candidates(lambda: witness.neutral(evidence, study))
    ledger = guarded("neutral-ledger schema error", lambda: witness.neutral_ledger(evidence, study, neutral))
    admissible, in_scope = (
        contracts.neutral_holds(evidence, study),
        contracts.neutral_in_scope(evidence, study),
    )
    return Findings(core, effect, neutral, ledger, witnesses, eligible, admissible, in_scope, attempts)


def _attempt_digests(evidence: Evidence) -> tuple[str, ...]:
    try:
        return tuple(map(digests.attempt_result, evidence.recovery.controls))
    except MALFORMED:
        return ()


def _candidates(find: Callable[[], witness.Candidates]) -> tuple[list[str], tuple[int, ...]]:
    try:
        faults, indices = find()
    except MALFORMED as error:
        return [f"neutral-hit schema error: {type(error).__name__}: {error}"], ()
    return faults, indices
