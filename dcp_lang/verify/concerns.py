"""What the peer certifies and a reader should know: doubts that no rule of the kernel covers.

A concern changes no verdict. It names what the evidence cannot show, or shows twice.
"""

import json
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from dcp_lang.canonical import number_text
from dcp_lang.verify import digests
from dcp_lang.verify.binding import Frozen
from dcp_lang.verify.checks import finite
from dcp_lang.verify.evidence import Bundle
from dcp_lang.verify.intervals import exact
from dcp_lang.verify.records import Evidence, Registration

_SHA256 = re.compile(r"(sha256:)?[0-9a-f]{64}")


class Concern(NamedTuple):
    """A stable code, and one sentence."""

    code: str
    message: str


def concerns(bundle: Bundle, attempt_digests: Sequence[str], frozen: Frozen | None) -> list[Concern]:
    """Every doubt about a readable bundle; a frozen registration says how many episodes there had to be."""
    evidence = bundle.evidence
    found = [
        *_files(bundle),
        *_registration(bundle),
        *_ledger(evidence, attempt_digests),
        *_results(evidence),
    ]
    return [*found, *(_counts(evidence) if frozen is None else _baseline(evidence, frozen))]


def _baseline(evidence: Evidence, frozen: Frozen) -> Iterator[Concern]:
    scores = evidence.outcome.baseline.per_unit
    if frozen.baseline is None or not scores or not all(map(finite, scores)):
        return
    found = sum(map(exact, scores), Fraction()) / len(scores)
    if found != frozen.baseline:
        declared = number_text(frozen.baseline)
        yield Concern(
            "baseline-score-differs", f"the baseline scored {number_text(found)}, declared was {declared}"
        )


def _files(bundle: Bundle) -> Iterator[Concern]:
    if bundle.sealed.unlisted:
        names = ", ".join(bundle.sealed.unlisted)
        yield Concern("unlisted-file", f"no digest covers {names}")
    for name, value in bundle.raw.items():
        if _canonical(value) != bundle.sealed.payloads[name]:
            yield Concern("non-canonical-payload", f"{name}.json is not in the format's one spelling")


def _canonical(value: Any) -> bytes:
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
        return text.encode()
    except UnicodeEncodeError:
        # A lone surrogate: it has no UTF-8 form, so the payload cannot be in one.
        return b""


def _registration(bundle: Bundle) -> Iterator[Concern]:
    left_out = [name for name in Registration._fields if name not in bundle.raw["registration"]]
    if left_out:
        message = f"the registration leaves {', '.join(left_out)} to the kernel's defaults"
        yield Concern("defaulted-field", message)
    reg = bundle.evidence.registration
    loose = [name for name in Registration._fields if _loose_hash(name, getattr(reg, name))]
    if loose:
        message = f"no SHA-256 digest in {', '.join(loose)}: such a value commits to nothing"
        yield Concern("not-a-digest", message)
    if len(bundle.evidence.outcome.astar.unit_ids) == 1:
        yield Concern("single-private-unit", "one private unit carries every score")


def _loose_hash(name: str, value: Any) -> bool:
    return (
        name.endswith("_hash")
        and value != ""
        and not (isinstance(value, str) and bool(_SHA256.fullmatch(value)))
    )


def _ledger(evidence: Evidence, attempt_digests: Sequence[str]) -> Iterator[Concern]:
    """The Core profile carries a hash of the whole recovery ledger that the kernel never recomputes."""
    ledger = evidence.integrity.recovery_ledger_manifest_hash
    if evidence.feedback is None and digests.recovery_ledger(attempt_digests) != ledger:
        yield Concern(
            "unbound-ledger", "recovery_ledger_manifest_hash is not the hash of the disclosed ledger"
        )


def _results(evidence: Evidence) -> Iterator[Concern]:
    """One artifact has one result: the same hash with other scores on the same units is a contradiction."""
    first: dict[Any, tuple[str, Any]] = {}
    for label, artifact, units, scores in _scored(evidence):
        key = (artifact, units)
        owner, known = first.setdefault(key, (label, scores))
        if known != scores:
            message = f"{owner} and {label} have one artifact hash and different scores"
            yield Concern("one-artifact-two-results", message)


def _scored(evidence: Evidence) -> Iterator[tuple[str, Any, Any, Any]]:
    for label, artifact in zip(("A*", "the baseline"), evidence.outcome, strict=True):
        yield label, str(artifact.artifact_hash), str(artifact.unit_ids), artifact.per_unit
    for attempt in evidence.recovery.controls:
        if attempt.per_unit is not None:
            label = f"challenger {attempt.attempt_id}"
            yield label, str(attempt.artifact_hash), str(attempt.unit_ids), attempt.per_unit
    for pair in evidence.feedback.pairs if evidence.feedback else ():
        for branch in pair.arms:
            if branch.per_unit is not None:
                label = f"branch {branch.branch_id}"
                yield label, str(branch.artifact_hash), str(branch.unit_ids), branch.per_unit


def registered_counts(reg: Registration) -> dict[str, Any]:
    """The numbers of challengers and positive controls that a compiled registration writes into `notes`."""
    own = reg.notes.get("dcp_lang") if isinstance(reg.notes, dict) else None
    return own if isinstance(own, dict) else {}


def _counts(evidence: Evidence) -> Iterator[Concern]:
    registered = registered_counts(evidence.registration)
    disclosed = {
        "challengers": ("challenger episodes", episodes(evidence)),
        "positive_controls": ("positive controls", evidence.recovery.adequacy.positive_control_trials),
    }
    for key, (label, found) in disclosed.items():
        planned = registered.get(key)
        if planned is None:
            message = f"{found} {label} are disclosed and no number was registered: omitted ones cannot show"
            yield Concern("unregistered-count", message)
        elif planned != found:
            yield Concern("count-differs", f"{found} {label} are disclosed, {planned} were registered")


def episodes(evidence: Evidence) -> int:
    """Started challenger episodes: several candidates of one episode share its unit."""
    controls = evidence.recovery.controls
    return len({str(item.independent_unit_id) or f"attempt {item.attempt_id}" for item in controls})
