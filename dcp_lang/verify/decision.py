"""The decision record: one bundle, decided again under the registration that was frozen."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from dcp_lang.canonical import MAX_SAFE_INTEGER, number_text
from dcp_lang.verify import binding as bound
from dcp_lang.verify.arithmetic import Binary, Exact, Kernel
from dcp_lang.verify.binding import RETROSPECTIVE, Binding, Discharge, Frozen
from dcp_lang.verify.boundaries import Boundary, Side, agree, boundaries
from dcp_lang.verify.certificate import certificate
from dcp_lang.verify.concerns import Concern, concerns, episodes
from dcp_lang.verify.evidence import Bundle, load
from dcp_lang.verify.integrity import inspect
from dcp_lang.verify.intervals import exact as exact_value
from dcp_lang.verify.judge import Judgement, judge
from dcp_lang.verify.ladder import CERTIFIED, INCOMPLETE, NOT_TESTED, REFUTED, Grade
from dcp_lang.verify.quantities import quantities
from dcp_lang.verify.replay import differences
from dcp_lang.verify.wire import BundleFault

SCHEMA = "dcp-lang/decision/1"

#: Differences between the saved certificate and the evidence that are named; the rest are only counted.
_NAMED_DIFFERENCES = 20


class Replay(NamedTuple):
    """What agrees in the bundle itself. `differences` point into the saved certificate."""

    bundle: str | None
    profile: str | None
    faults: tuple[str, ...]
    differences: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        return not self.faults and not self.differences


class DecisionRecord(NamedTuple):
    """A decision and what it rests on; `core` and `evidence` are None for an unreadable bundle."""

    replay: Replay
    core: Grade | None = None
    evidence: Grade | None = None
    kernel: tuple[Grade, Grade] | None = None
    boundaries: tuple[Boundary, ...] = ()
    binding: Binding | None = None
    concerns: tuple[Concern, ...] = ()
    quantities: Mapping[str, Any] = {}
    #: What dcp-audit itself says, if it was asked.
    peer: str | None = None

    @property
    def exit_code(self) -> int:
        """0 when the record replays and binds, whatever the verdict; else 1."""
        return 0 if self.replay.agrees and (self.binding is None or self.binding.holds) else 1

    @property
    def outcome(self) -> str:
        """The paper's decision outcome in one word."""
        core, evidence = self.core, self.evidence
        if core is None or evidence is None:
            return "unreadable"
        if core.verdict == REFUTED:
            return "recovered" if core.recovered else "refuted"
        if core.verdict != CERTIFIED:
            return core.missing
        return "evidence_certified" if evidence.verdict == CERTIFIED else "core_certified"

    @property
    def reason(self) -> str | None:
        if self.core is None or self.evidence is None:
            return None
        return f"core: {self.core.reason} | evidence: {self.evidence.reason}"

    def as_json(self) -> dict[str, Any]:
        """The record as `decision.schema.json` describes it; numbers are exact texts."""
        record = {
            "schema": SCHEMA,
            "decision": {
                **_grades(self.core, self.evidence),
                "outcome": self.outcome,
                "reason": self.reason,
                "replayed": self.replay.agrees,
            },
            "bound": self.binding is not None and self.binding.holds,
            "kernel_agrees": not self.boundaries if self.kernel else None,
            "bundle": self.replay._asdict()
            | {"differences": list(self.replay.differences[:_NAMED_DIFFERENCES])},
            "kernel": _grades(*self.kernel) if self.kernel else None,
            "peer": self.peer,
            "boundaries": list(map(_boundary, self.boundaries)),
            "binding": _binding(self.binding),
            "concerns": [concern._asdict() for concern in self.concerns],
            "quantities": self.quantities or None,
        }
        plain: dict[str, Any] = _plain(record)
        return plain


def _plain(value: Any) -> Any:
    """`value` in the exchange format, whatever a hostile bundle put into its texts and counts."""
    if isinstance(value, Mapping):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    exchangeable = (
        value is None
        or isinstance(value, bool)
        or (isinstance(value, int) and abs(value) <= MAX_SAFE_INTEGER)
    )
    return value if exchangeable else str(value)


def decide(bundle_dir: str | Path, frozen: Frozen | None = None) -> DecisionRecord:
    """Decide the bundle in `bundle_dir` again, deterministically and offline.

    Without `frozen` the bundle's own kernel registration is used, as the decimals that it prints. With it,
    the bundle's registration must be the frozen one's projection, the frozen exact thresholds decide, and its
    obligations are discharged with the actual scores. Never raises for what a bundle holds: a bundle that
    cannot be read gives a record without a verdict.
    """
    try:
        bundle = load(Path(bundle_dir))
    except BundleFault as fault:
        return DecisionRecord(Replay(None, None, (str(fault),), ()))
    evidence, reg = bundle.evidence, bundle.evidence.registration
    findings = inspect(evidence)
    arith = Exact(reg, frozen.thresholds if frozen else None)
    exact = judge(evidence, findings, arith)
    kernel = judge(evidence, findings, Kernel(reg, bundle.certificate))
    parted: tuple[Boundary, ...] = ()
    if not agree(exact, kernel):
        parted = tuple(boundaries(exact, kernel, judge(evidence, findings, Binary(reg, arith.thresholds))))
    held = _bind(frozen, bundle, exact, arith) if frozen else None
    core, grade = _under(held, exact)
    return DecisionRecord(
        _replay(bundle, kernel, findings.attempt_digests),
        core,
        grade,
        (kernel.core, kernel.evidence),
        parted,
        held,
        tuple(concerns(bundle, findings.attempt_digests, frozen)),
        quantities(evidence, exact, arith, held),
    )


def _replay(bundle: Bundle, kernel: Judgement, attempt_digests: Sequence[str]) -> Replay:
    found = differences(bundle.certificate, certificate(bundle.evidence, kernel, attempt_digests))
    return Replay(bundle.sealed.bundle_id, bundle.sealed.profile.name, (), tuple(found))


def _bind(frozen: Frozen, bundle: Bundle, exact: Judgement, arith: Exact) -> Binding:
    evidence = bundle.evidence
    mismatches = bound.bind(bundle.raw["registration"], frozen.expected, frozen.late_fields)
    trials = evidence.recovery.adequacy.positive_control_trials
    counts = bound.counts(frozen, episodes(evidence), trials)
    actual: dict[str, Fraction] = {}
    if exact.gates.outcome.x is not None:
        baseline = arith.mean(evidence.outcome.baseline.per_unit)
        actual = {"x": exact.gates.outcome.x, "score(b)": baseline}
    discharged = tuple(bound.discharge(obligation, actual) for obligation in frozen.obligations)
    return Binding(frozen, (*mismatches, *counts), discharged)


def _under(held: Binding | None, exact: Judgement) -> tuple[Grade, Grade]:
    """The grades under the frozen registration: what contradicts it cannot be certified."""
    if held is None:
        return exact.core, exact.evidence
    if held.mismatches:
        fields = ", ".join(item.field for item in held.mismatches)
        return _withheld(exact, f"the bundle did not run under the frozen registration: {fields}")
    if exact.core.verdict != CERTIFIED:
        return exact.core, exact.evidence
    if held.frozen.mode == RETROSPECTIVE:
        return _withheld(exact, "a retrospective registration can only seek a recovery witness")
    if held.unmet:
        conditions = "; ".join(dict.fromkeys(item.condition for item in held.unmet))
        return _withheld(exact, f"obligations of the frozen registration are not met: {conditions}")
    return exact.core, exact.evidence


def _withheld(exact: Judgement, reason: str) -> tuple[Grade, Grade]:
    requested = exact.evidence.reason if exact.evidence.verdict == NOT_TESTED else ""
    evidence = Grade(NOT_TESTED, requested or "Core not certified; evidence grade unreachable")
    return Grade("inconclusive", reason, INCOMPLETE), evidence


def _grades(core: Grade | None, evidence: Grade | None) -> dict[str, Any]:
    return {
        "core": core.verdict if core else None,
        "core_class": core.missing if core else None,
        "evidence": evidence.verdict if evidence else None,
        "evidence_class": evidence.missing if evidence else None,
    }


def _boundary(boundary: Boundary) -> dict[str, Any]:
    sides = {"exact": boundary.exact, "kernel": boundary.kernel, "binary": boundary.binary}
    return {"question": boundary.question, **{name: _side(side) for name, side in sides.items()}}


def _side(side: Side) -> dict[str, str]:
    return {"decision": side.decision, "value": side.value}


def _binding(held: Binding | None) -> dict[str, Any] | None:
    if held is None:
        return None
    return {
        "registration": held.frozen.digest,
        "mode": held.frozen.mode,
        "sealed_by": held.frozen.sealed_by,
        "mismatches": [
            {"field": item.field, "frozen": _shown(item.frozen), "bundle": _shown(item.bundle)}
            for item in held.mismatches
        ],
        "unmatched": sorted(held.frozen.late_fields),
        "obligations": list(map(_discharge, held.obligations)),
    }


def _discharge(item: Discharge) -> dict[str, Any]:
    return {"code": item.code, "condition": item.condition, "met": item.met, "reason": item.reason}


def _shown(value: Any) -> Any:
    """A kernel value in a record without floats."""
    if isinstance(value, float):
        return number_text(exact_value(value))
    return value if isinstance(value, str | int | None) else json.dumps(value, sort_keys=True)
