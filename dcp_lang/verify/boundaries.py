"""Where exact numbers and the kernel's doubles decide differently, with both values."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dcp_lang.verify.gates.classify import Classified
from dcp_lang.verify.gates.feedback import Gate3
from dcp_lang.verify.gates.outcome import Gate1
from dcp_lang.verify.gates.recovery import Search
from dcp_lang.verify.intervals import Interval
from dcp_lang.verify.judge import Judgement


class Side(NamedTuple):
    """One view of one question: what it decided, on what."""

    decision: str
    source: Interval | float | str | None = ""

    @property
    def value(self) -> str:
        """The digits that the decision rests on."""
        if self.source is None or isinstance(self.source, str):
            return self.source or ""
        return self.source.text() if isinstance(self.source, Interval) else repr(self.source)


class Boundary(NamedTuple):
    """A question on which the views part. `binary` reads each score as the exact value of its double."""

    question: str
    exact: Side
    kernel: Side
    binary: Side


Answers = dict[str, Side]


def boundaries(exact: Judgement, kernel: Judgement, binary: Judgement) -> Iterator[Boundary]:
    """Every question that `exact` and `kernel` answer differently, in the order of the gates."""
    views = [dict(_answers(judged)) for judged in (exact, kernel, binary)]
    silent = Side("not asked")
    for question in dict.fromkeys([*views[0], *views[1]]):
        mine, theirs, third = (view.get(question, silent) for view in views)
        if mine.decision != theirs.decision:
            yield Boundary(question, mine, theirs, third)


def agree(exact: Judgement, kernel: Judgement) -> bool:
    """Whether the two views answer every question alike."""
    mine, theirs = ({name: side.decision for name, side in _answers(judged)} for judged in (exact, kernel))
    return mine == theirs


def _answers(judged: Judgement) -> Iterator[tuple[str, Side]]:
    gates = judged.gates
    faults = "; ".join(gates.registration_faults)
    yield "registration", Side("incomplete" if faults else "complete", faults)
    yield from _outcome(gates.outcome)
    yield from _search("", gates.recovery)
    if gates.feedback is not None:
        yield from _feedback(gates.feedback)
    yield "core", Side(f"{judged.core.verdict}, {judged.core.missing}", judged.core.reason)
    yield "evidence", Side(f"{judged.evidence.verdict}, {judged.evidence.missing}", judged.evidence.reason)


def _outcome(gate: Gate1) -> Iterator[tuple[str, Side]]:
    if gate.gain is None:
        return
    gain = (
        "reaches delta_min" if gate.gain_reached else "below delta_min" if gate.gain_missed else "uncertain"
    )
    yield "gain", Side(gain, gate.gain)
    yield "baseline fails the outcome", Side(gate.baseline_fails, gate.gain)


def _search(prefix: str, search: Search) -> Iterator[tuple[str, Side]]:
    yield from _classified(f"{prefix}candidate", search.results)
    recall, bound = search.adequacy.recall, search.bound
    if recall is not None:
        decision = "reaches the minimum" if recall.reaches else "below the minimum"
        yield f"{prefix}positive-control recall", Side(decision, recall.value)
    if bound is not None:
        decision = "within rho" if bound.reaches else "above rho"
        yield f"{prefix}zero-hit bound", Side(decision, bound.value)
    yield f"{prefix}recovery", Side(search.status, search.reason)


def _classified(label: str, results: Sequence[Classified]) -> Iterator[tuple[str, Side]]:
    for index, result in enumerate(results):
        yield f"{label} {index} ({result.attempt.attempt_id})", Side(result.status, result.gap)


def _feedback(gate: Gate3) -> Iterator[tuple[str, Side]]:
    yield "null calibration", Side(gate.calibration.status, gate.calibration.interval)
    pairs = [arm for result in gate.effect.results for arm in result.classified or ()]
    yield from _classified("branch", pairs)
    yield "feedback effect", Side(gate.effect.status, gate.effect.interval)
    yield from _search("neutral ", gate.neutral)
