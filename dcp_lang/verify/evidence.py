"""Payload bytes to `Evidence`: the shapes of the records, and nothing about their meaning."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from dcp_lang.verify.manifest import FULL, Sealed, open_bundle
from dcp_lang.verify.records import (
    OUTCOMES,
    VALIDITIES,
    Adequacy,
    Artifact,
    Attempt,
    Branch,
    Evidence,
    Feedback,
    FeedbackPair,
    Integrity,
    NullPair,
    NullStudy,
    Outcome,
    Recovery,
    Registration,
)
from dcp_lang.verify.wire import BundleFault, read_json

Record = TypeVar("Record")
Decoder = Callable[[Any, str], Any]


class Bundle(NamedTuple):
    """A readable bundle: its bytes agree with its manifest and its payloads have the declared shapes."""

    sealed: Sealed
    evidence: Evidence
    certificate: Mapping[str, Any]
    #: The payload objects as they were written, for what the records' defaults hide.
    raw: Mapping[str, Any]


def load(root: Path) -> Bundle:
    """Read the bundle folder `root`.

    Raises:
        BundleFault: see `manifest.open_bundle`; or a payload is no strict JSON, has an unknown key, lacks a
            required one, holds an unknown enumeration value, or claims that a formal certificate was issued.
    """
    sealed = open_bundle(root)
    raw = {name: read_json(data, f"{name}.json") for name, data in sealed.payloads.items()}
    evidence = Evidence(
        _record(Registration, raw["registration"], "registration"),
        _record(Integrity, raw["integrity"], "integrity"),
        _record(Outcome, raw["gate1"], "gate1", astar=_artifact, baseline=_artifact),
        _record(Recovery, raw["gate2"], "gate2", controls=_each(_attempt), adequacy=_adequacy),
        _feedback(raw["gate3"]) if sealed.profile is FULL else None,
    )
    return Bundle(sealed, evidence, _certificate(raw["certificate"]), raw)


def _record(kind: Callable[..., Record], value: Any, label: str, **decoders: Decoder) -> Record:
    """`value` as a `kind`; `decoders` say how the keys that are not plain values are read."""
    fields = kind._fields  # type: ignore[attr-defined]
    defaults = kind._field_defaults  # type: ignore[attr-defined]
    if not isinstance(value, dict):
        raise BundleFault(f"{label} must be a JSON object")
    if unknown := sorted(value.keys() - set(fields)):
        raise BundleFault(f"{label} has unknown fields: {unknown}")
    if missing := [name for name in fields if name not in value and name not in defaults]:
        raise BundleFault(f"{label} lacks required fields: {missing}")
    decoded = {key: decoders[key](value[key], f"{label}.{key}") for key in decoders if key in value}
    return kind(**{**value, **decoded})


def _each(decode: Decoder) -> Decoder:
    def decode_all(value: Any, label: str) -> tuple[Any, ...]:
        return tuple(decode(item, f"{label}[{index}]") for index, item in enumerate(_array(value, label)))

    return decode_all


def _array(value: Any, label: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise BundleFault(f"{label} must be a JSON array")
    return tuple(value)


def _optional(decode: Decoder) -> Decoder:
    return lambda value, label: None if value is None else decode(value, label)


def _one_of(values: tuple[str, ...]) -> Decoder:
    def decode(value: Any, label: str) -> str:
        if value not in values:
            raise BundleFault(f"{label} is {value!r}, not one of {', '.join(values)}")
        return str(value)

    return decode


_OUTCOME, _VALIDITY = _one_of(OUTCOMES), _one_of(VALIDITIES)
_SCORES = _optional(_array)


def _adequacy(value: Any, label: str) -> Adequacy:
    return _record(Adequacy, value, label)


def _artifact(value: Any, label: str) -> Artifact:
    return _record(Artifact, value, label, validity=_VALIDITY, per_unit=_array, unit_ids=_array)


def _attempt(value: Any, label: str) -> Attempt:
    return _record(
        Attempt, value, label, outcome=_OUTCOME, validity=_VALIDITY, per_unit=_SCORES, unit_ids=_array
    )


def _branch(value: Any, label: str) -> Branch:
    return _record(
        Branch, value, label, outcome=_OUTCOME, validity=_VALIDITY, per_unit=_SCORES, unit_ids=_array
    )


def _feedback_pair(value: Any, label: str) -> FeedbackPair:
    return _record(FeedbackPair, value, label, truthful=_branch, neutral=_branch)


def _null_pair(value: Any, label: str) -> NullPair:
    return _record(NullPair, value, label, reference_null=_branch, proposed_sham=_branch)


def _null_study(value: Any, label: str) -> NullStudy:
    return _record(NullStudy, value, label, pairs=_each(_null_pair))


def _feedback(value: Any) -> Feedback:
    decoders = {"pairs": _each(_feedback_pair), "sham": _null_study, "neutral_adequacy": _optional(_adequacy)}
    return _record(Feedback, value, "gate3", **decoders)


def _certificate(value: Any) -> Mapping[str, Any]:
    protocol = value.get("protocol") if isinstance(value, dict) else None
    if not isinstance(protocol, dict) or protocol.get("formal_certificate_issued") is not False:
        raise BundleFault("a local bundle's certificate must say formal_certificate_issued: false")
    certificate: Mapping[str, Any] = value
    return certificate
